import { mkdir, mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { importDump } from '../raw/import-dump.ts';
import { openWorkingDatabase } from '../store/database.ts';
import { RAW_READERS, registrySetsOf } from './registry-sets.ts';
import { normalise } from './stage.ts';

test('dumps taken in by the fetch stage are read from disk to rows', async () => {
  const root = await mkdtemp(join(tmpdir(), 'registry-sets-'));
  try {
    const dataDir = join(root, 'data');
    await mkdir(dataDir);
    const studies = ['NCT00000013', 'NCT00000026'].map((nctId) => {
      const identificationModule = { nctId, briefTitle: `Study ${nctId}` };
      return JSON.stringify({
        protocolSection: { identificationModule, statusModule: { overallStatus: 'COMPLETED' } },
      });
    });
    const xml = `<?xml version="1.0"?><allTrials xmlns="http://www.67bricks.com/isrctn" totalCount="1"><fullTrial><trial lastUpdated="2026-01-02T00:00:00.000Z"><isrctn>12345679</isrctn><trialDescription><title>Trial</title></trialDescription></trial></fullTrial></allTrials>`;
    await writeFile(join(root, 'studies.ndjson'), `${studies.join('\n')}\n`);
    await writeFile(join(root, 'trials.xml'), xml);
    const effects = { now: () => new Date('2026-11-21T00:00:00Z'), progress: () => {}, checkpoint: () => {} };
    await importDump(
      {
        ...{ dataDir, registry: 'clinicaltrials_gov', source: 'dump', path: join(root, 'studies.ndjson') },
        asOf: '2026-01-01',
      },
      effects,
    );
    await importDump({ dataDir, registry: 'isrctn', source: 'dump', path: join(root, 'trials.xml') }, effects);
    await using database = await openWorkingDatabase(dataDir, { memoryLimit: '256MB' });
    const report = await normalise({ dataDir, sets: await registrySetsOf(dataDir) }, RAW_READERS, database, effects);
    expect(report.asOf).toBe('2026-01-02');
    expect(await database.all('SELECT id, title, status FROM registrations ORDER BY id')).toEqual([
      { id: 'ISRCTN12345679', title: 'Trial', status: 'unknown' },
      { id: 'NCT00000013', title: 'Study NCT00000013', status: 'completed' },
      { id: 'NCT00000026', title: 'Study NCT00000026', status: 'completed' },
    ]);
  } finally {
    await rm(root, { recursive: true });
  }
});
