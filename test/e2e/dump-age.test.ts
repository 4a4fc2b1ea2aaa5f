import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { loadConfig } from '../../config/config.ts';
import { run } from '../../pipeline/run/run.ts';
import { openGateway, type TestGateway } from '../support/gateway.ts';
import { isrctnTrial, nct, study } from '../support/live-records.ts';
import { NO_FEEDS } from '../support/no-feeds.ts';

/** An export of April 2022 and a saved page that calls itself whole, read in November 2026. */

const READ_AT = new Date('2026-11-21T12:00:00.000Z');
/** From the first instant of 2022-04-01 to the reading. */
const AGE_HOURS = 40_692;

let root: string;
let gateway: TestGateway;
beforeAll(async () => {
  root = await mkdtemp(join(tmpdir(), 'dump-age-'));
  const studies = Array.from({ length: 5 }, (_, index) => ({
    ...study({ nctId: nct(index), posted: index === 0 ? '2022-03-20' : '2021-06-01', updated: '2022-03-28' }),
    derivedSection: { miscInfoModule: { versionHolder: '2022-04-01' } },
  }));
  const trials = Array.from({ length: 3 }, (_, index) =>
    isrctnTrial({ number: `9100000${index}`, updated: '2022-04-01T10:00:00.000Z' }),
  );
  const dumps = { clinicaltrials_gov: join(root, 'page.json'), isrctn: join(root, 'export.xml') };
  await writeFile(dumps.clinicaltrials_gov, JSON.stringify({ totalCount: 5, studies }));
  await writeFile(dumps.isrctn, `<allTrials totalCount="3">${trials.map(({ xml }) => xml).join('')}</allTrials>`);
  const environment = { DATA_DIR: join(root, 'data'), SNAPSHOTS_DIR: join(root, 'snapshots'), FEEDS_FILE: NO_FEEDS };
  const config = loadConfig(environment, root);
  const effects = { now: () => READ_AT, progress: () => {}, checkpoint: () => {} };
  await run({ source: 'dump', mode: 'auto', dumps, accept: [] }, config, effects);
  gateway = await openGateway(config.snapshotsDir, () => READ_AT);
});
afterAll(async () => {
  await gateway[Symbol.asyncDispose]();
  await rm(root, { recursive: true });
});

const read = async (path: string) => (await gateway.get(path)).body;
const OLD = { dataDay: '2022-04-01', lastSuccessAt: '2022-04-01T00:00:00.000Z', ageHours: AGE_HOURS, stale: true };

describe('a dump of 2022 that was read today', () => {
  it('is years old in the freshness of every answer, in sources and against the promise', async () => {
    const { data, _meta } = await read('/api/v1/freshness');
    expect(_meta.freshness).toMatchObject([OLD, OLD]);
    expect(data.layers.slice(0, 2)).toMatchObject([
      { layer: 'clinicaltrials_gov', state: 'answered', insidePromise: false, ...OLD },
      { layer: 'isrctn', state: 'answered', insidePromise: false, ...OLD },
    ]);
    const { data: sources } = await read('/api/v1/sources');
    expect(sources.sources).toMatchObject([OLD, OLD]);
    expect(sources.snapshot.asOf).toBe('2022-04-01');
  });

  it('is cited as retrieved in 2022, and each registration with it', async () => {
    const { data } = await read(`/api/v1/trials/${nct(1)}`);
    expect(data.citation.text).toContain('Last updated 2022-03-28; retrieved 2022-04-01.');
    expect(data.registrations[0].retrievedAt).toBe('2022-04-01T00:00:00.000Z');
  });

  it('is neither complete nor worldwide, although each file holds as many records as it says', async () => {
    const { data, _meta } = await read('/api/v1/trials/coverage');
    expect(data.distinct).toBe(8);
    expect(_meta.provenance).toMatchObject({ asOf: '2022-04-01', worldwide: false });
    expect(_meta.freshness).toMatchObject([{ complete: false }, { complete: false }]);
    const { data: snapshot } = await read('/api/v1/snapshots/current');
    expect(snapshot.registries).toMatchObject([
      {
        source: 'dump',
        complete: false,
        expectedRecords: null,
        dumpDay: { day: '2022-04-01', from: 'stated' },
        ...day(),
      },
      { source: 'dump', complete: false, expectedRecords: null, dumpDay: { from: 'newest-update' }, ...day() },
    ]);
  });

  it('has windows that end on its own day, which the answer names', async () => {
    const { data } = await read('/api/v1/trials/landscape?registry=clinicaltrials_gov');
    expect(data).toMatchObject({
      asOf: '2022-04-01',
      momentum: [
        { days: 30, current: 1, previous: 0 },
        { days: 90, current: 1, previous: 0 },
        { days: 365, current: 5, previous: 0 },
      ],
    });
  });

  it('says its day on the pages', async () => {
    for (const [path, words] of [
      ['/', '2022-04-01'],
      ['/snapshots/current', 'windows and overdue clocks count, to this day'],
    ] as const) {
      const page = await gateway.app.fetch(new Request(`http://test.example${path}`));
      expect(await page.text()).toContain(words);
    }
  });
});

function day() {
  return { dataDay: OLD.dataDay, lastSuccessAt: OLD.lastSuccessAt };
}
