import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { configIn, runRecords } from '../support/dump-runs.ts';
import { folderOfFile } from '../support/folders.ts';
import { openGateway, type TestGateway } from '../support/gateway.ts';
import { isrctnTrial, nct, study } from '../support/live-records.ts';

/** An export of April 2022 and a saved page that calls itself whole, read in November 2026. */

const READ_AT = new Date('2026-11-21T12:00:00.000Z');
/** From the first instant of 2022-04-01 to the reading. */
const AGE_HOURS = 40_692;

const root = folderOfFile();
let gateway: TestGateway;
/** One record of ISRCTN is of June: the day of that dump, and so of the snapshot, but not of the other registry. */
let later: TestGateway;
beforeAll(async () => {
  gateway = await published('april', '2022-04-01T10:00:00.000Z');
  later = await published('june', '2022-06-10T10:00:00.000Z');
});
afterAll(async () => {
  await gateway[Symbol.asyncDispose]();
  await later[Symbol.asyncDispose]();
});

async function published(name: string, newest: string): Promise<TestGateway> {
  const folder = join(root.path, name);
  const studies = Array.from({ length: 5 }, (_, index) => ({
    ...study({ nctId: nct(index), posted: index === 0 ? '2022-03-20' : '2021-06-01', updated: '2022-03-28' }),
    derivedSection: { miscInfoModule: { versionHolder: '2022-04-01' } },
  }));
  const trials = Array.from({ length: 3 }, (_, index) =>
    isrctnTrial({ number: `9100000${index}`, updated: index === 0 ? newest : '2022-04-01T10:00:00.000Z' }),
  );
  const effects = { now: () => READ_AT, progress: () => {}, checkpoint: () => {} };
  const config = configIn(folder);
  await runRecords(
    folder,
    { studies: [{ totalCount: 5, studies }], trials: trials.map(({ xml }) => xml) },
    {},
    { config, effects },
  );
  return openGateway(config.snapshotsDir, () => READ_AT);
}

const read = async (path: string) => (await gateway.get(path)).body;
const [dataDay, lastSuccessAt] = ['2022-04-01', '2022-04-01T00:00:00.000Z'];
const OLD = { dataDay, lastSuccessAt, ageHours: AGE_HOURS, stale: true };

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
    const dumped = { source: 'dump', complete: false, expectedRecords: null, dataDay, lastSuccessAt };
    expect(snapshot.registries).toMatchObject([
      { ...dumped, dumpDay: { day: '2022-04-01', from: 'stated' } },
      { ...dumped, dumpDay: { from: 'newest-update' } },
    ]);
  });

  it('says what its day is wherever it says it: stated by its records, or the newest update of any of them', async () => {
    const days = [
      { day: '2022-04-01', from: 'stated' },
      { day: '2022-04-01', from: 'newest-update' },
    ];
    const dumped = days.map((dumpDay) => ({ dumpDay }));
    const [{ data, _meta }, { data: sources }] = [await read('/api/v1/freshness'), await read('/api/v1/sources')];
    expect(_meta.freshness).toMatchObject(dumped);
    expect(sources.sources).toMatchObject(dumped.map((one) => ({ source: 'dump', ...one })));
    expect(data.layers.slice(0, 2)).toMatchObject([
      { note: 'read from a file of the operator; its day is stated by its records' },
      {
        note: 'read from a file of the operator; its day is the newest update of any record, and other records can be far older',
      },
    ]);
    for (const path of ['/', '/about', '/snapshots/current']) {
      const page = await gateway.app.fetch(new Request(`http://test.example${path}`));
      expect(await page.text(), path).toContain('(a file: the newest update of any record');
    }
  });

  it('where it ends before the day of the snapshot, a share of trials without results says what it cannot see', async () => {
    const words = 'what was posted since is not seen';
    const of = async ({ get }: TestGateway) => (await get('/api/v1/trials/results-gap')).body;
    const [same, earlier] = [await of(gateway), await of(later)];
    expect([same.data.asOf, same.data.dataDay]).toEqual(['2022-04-01', '2022-04-01']);
    expect(JSON.stringify(same._meta.notices ?? [])).not.toContain(words);
    expect([earlier.data.asOf, earlier.data.dataDay]).toEqual(['2022-06-10', '2022-04-01']);
    expect(earlier._meta.notices).toContainEqual(
      `The clocks stand at 2022-06-10, the day of the snapshot, and the data of ClinicalTrials.gov is of 2022-04-01: ${words}, so a trial whose results fell due in between counts as without results.`,
    );
  });
});
