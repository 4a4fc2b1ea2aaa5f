import { cp } from 'node:fs/promises';
import { afterEach, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { diff } from '../../pipeline/diff/diff.ts';
import { verify } from '../../pipeline/publish/verify/verify.ts';
import { type RunOptions, run } from '../../pipeline/run/run.ts';
import type { Config } from '../../server-kit/config/config.ts';
import { readCurrent } from '../../snapshot/format/versions/current.ts';
import { type FakeRegistry, startFakeRegistry } from '../fakes/registry-server.ts';
import { configIn } from '../support/dump-runs.ts';
import { folderOfFile, folderOfTest } from '../support/folders.ts';
import { openGateway } from '../support/gateway.ts';
import { isrctnTrial, nct, study } from '../support/live-records.ts';

/** Whole runs against a fake registry that serves both APIs over HTTP. */

const root = folderOfTest();
const firstRoot = folderOfFile();
let registry: FakeRegistry;
let config: Config;
let now: Date;

/** One of them lists an earlier number that has no record. */
const PLAIN = Array.from({ length: 30 }, (_, index) =>
  study({ nctId: nct(index), aliases: index === 6 ? [nct(98)] : [] }),
);
const PLAIN_ISRCTN = Array.from({ length: 8 }, (_, index) => isrctnTrial({ number: `9100000${index}` }));

const FIRST_DAY = '2026-11-20T12:00:00.000Z';
const configOf = (folder: string): Config =>
  configIn(folder, { CTGOV_URL: registry.url, ISRCTN_URL: registry.url, FETCH_RATE: '50' });
const startRegistry = async (): Promise<void> => {
  registry = await startFakeRegistry({ studies: [...PLAIN], trials: [...PLAIN_ISRCTN] });
  now = new Date(FIRST_DAY);
};

let firstRun: Awaited<ReturnType<typeof run>>;
beforeAll(async () => {
  await startRegistry();
  firstRun = await run({ source: 'live', mode: 'auto', accept: [] }, configOf(firstRoot.path), effects);
  await registry.close();
});

/** Copies the result of a first-day run over the unchanged registries. The run itself is made once for all tests. */
async function firstDay(): Promise<typeof firstRun> {
  await cp(firstRoot.path, root.path, { recursive: true });
  return firstRun;
}

beforeEach(async () => {
  await startRegistry();
  config = configOf(root.path);
});
afterEach(() => registry.close());

const effects = { now: () => now, progress: () => {}, checkpoint: () => {} };
const runLive = (options: Partial<RunOptions> = {}) =>
  run({ source: 'live', mode: 'auto', accept: [], ...options }, config, effects);
const later = (hours: number, dataTimestamp: string) => {
  now = new Date(now.getTime() + hours * 3_600_000);
  registry.dataTimestamp = dataTimestamp;
};

/** One server stands for both registries, so a fault names the endpoints of one of them. */
const down = (endpoint: 'isrctn' | 'version') =>
  registry.faults.push({ endpoint, at: 1, times: Number.POSITIVE_INFINITY, kind: 'status', status: 404 });

describe('a live run', () => {
  it('publishes both registries whole, and only then calls its count worldwide', async () => {
    const { published } = await firstDay();
    expect(published.manifest.counts).toMatchObject({ trials: 38, registrations: 38, inBoth: 0 });
    const whole = { complete: true, degraded: false };
    expect(published.manifest.registries).toMatchObject([whole, whole]);
    await using gateway = await openGateway(config.snapshotsDir, () => now);
    const { body } = await gateway.get('/api/v1/trials/coverage');
    expect(body._meta.provenance).toMatchObject({ worldwide: true, corpus: 'registries' });
    const filtered = await gateway.get('/api/v1/trials/coverage?registry=isrctn');
    expect(filtered.body._meta.provenance.worldwide).toBe(false);
    expect((await verify(config.snapshotsDir, published.version, effects)).problems).toEqual([]);
  });

  it('takes only what changed the next day, and keeps the id of a trial that gains a registration', async () => {
    const first = await firstDay();
    registry.studies[4] = study({ nctId: nct(4), status: 'COMPLETED', updated: '2026-11-21' });
    registry.trials[2] = isrctnTrial({ number: '91000002', nct: nct(7), updated: '2026-11-21T08:00:00.000Z' });
    registry.studies.push(study({ nctId: nct(30), updated: '2026-11-21' }));
    later(24, '2026-11-21T09:00:01');
    const asked = registry.requests.length;
    const second = await runLive();
    expect(second.fetch.map(({ kind }) => kind)).toEqual(['incremental', 'incremental']);
    expect(registry.requests.slice(asked).some((request) => request.includes('RANGE[2026-11-19,MAX]'))).toBe(true);
    expect(second.published.manifest.counts).toMatchObject({ trials: 38, registrations: 39, inBoth: 1 });
    const changes = await diff(config.snapshotsDir, first.published.version, second.published.version, null);
    expect(changes.totals.trials).toMatchObject({ from: 38, added: 1, removed: 0, merged: 1, split: 0, to: 38 });
    await using gateway = await openGateway(config.snapshotsDir, () => now);
    const byNct = await gateway.get(`/api/v1/trials/${nct(7)}`);
    const byIsrctn = await gateway.get('/api/v1/trials/ISRCTN91000002');
    expect(byNct.body.data.canonicalId).toBe(byIsrctn.body.data.canonicalId);
    expect(byNct.body.data.aliases).toHaveLength(1);
    // The id of the trial that was merged away still leads to the merged trial.
    const byAlias = await gateway.get(`/api/v1/trials/${byNct.body.data.aliases[0]}`);
    expect(byAlias.body.data).toEqual(byNct.body.data);
  });

  it('counts two studies once that the registry merged, while a fetch of changes still holds both', async () => {
    const first = await firstDay();
    await using before = await openGateway(config.snapshotsDir, () => now);
    const former = (await before.get(`/api/v1/trials/${nct(6)}`)).body.data.canonicalId;
    registry.studies[5] = study({ nctId: nct(5), aliases: [nct(6)], updated: '2026-11-21' });
    registry.studies.splice(6, 1);
    registry.trials[2] = isrctnTrial({ number: '91000002', nct: nct(6), updated: '2026-11-21T08:00:00.000Z' });
    later(24, '2026-11-21T09:00:01');
    const second = await runLive();
    expect(second.published.manifest.counts).toMatchObject({ trials: 36, registrations: 37, inBoth: 1 });
    expect((await verify(config.snapshotsDir, second.published.version, effects)).problems).toEqual([]);
    const { totals } = await diff(config.snapshotsDir, first.published.version, second.published.version, null);
    expect(totals.trials).toMatchObject({ from: 38, added: 0, removed: 0, merged: 2, split: 0, to: 36 });

    await using gateway = await openGateway(config.snapshotsDir, () => now);
    const get = async (path: string) => (await gateway.get(`/api/v1${path}`)).body;
    const { data: kept } = await get(`/trials/${nct(5)}`);
    expect(kept.registrations.map(({ id }: { id: string }) => id)).toEqual([nct(5), 'ISRCTN91000002']);
    const relation = { kind: 'superseded', reason: 'superseded-number', from: nct(6), to: nct(5) };
    expect(kept.relations).toEqual([expect.objectContaining(relation)]);
    const { data: old, _meta } = await get(`/trials/${nct(6)}`);
    const { canonicalId } = kept;
    expect(old).toMatchObject({ canonicalId, title: `Study ${nct(6)}`, relations: [relation] });
    expect(old.supersededBy).toEqual({ registry: 'clinicaltrials_gov', id: nct(5), canonicalId });
    expect(_meta.notices[0]).toContain(`${nct(6)} is superseded: ${nct(5)} lists it as an earlier number.`);
    const reached = await get(`/trials/${nct(98)}`);
    expect(reached.data.canonicalId).toBe(canonicalId);
    expect(reached._meta.notices[0]).toContain(
      `No record ${nct(98)} is held: ${nct(6)} lists it as an earlier number, and ${nct(6)} is itself superseded by ${nct(5)}.`,
    );
    for (const read of ['compare', 'related?include=declared', 'history', 'sites']) {
      const { data, _meta: meta } = await get(`/trials/${nct(6)}/${read}`);
      expect(data.canonicalId).toBe(canonicalId);
      expect(meta.notices[0]).toContain(`This answer is about the trial ${canonicalId} by the record ${nct(5)}`);
      const { _meta: own } = await get(`/trials/${nct(5)}/${read}`);
      expect(JSON.stringify(own.notices ?? [])).not.toContain('superseded');
    }
    const page = async (id: string) =>
      (await gateway.app.fetch(new Request(`http://test.example/trials/${id}`))).text();
    const banner = `was superseded by <a href="/trials/${canonicalId}">${nct(5)}</a>`;
    expect(await page(nct(6))).toContain(banner);
    expect(await page(`${nct(6)}?part=summary`)).toContain(banner);
    expect(await page(nct(5))).not.toContain('was superseded by');
    // Its former id leads to the study, and nothing that counts or lists has it.
    expect((await get(`/trials/${former}`)).data.canonicalId).toBe(canonicalId);
    const { data: counts } = await get('/trials/coverage');
    expect([counts.distinct, counts.registries[0].registrations, counts.registries[0].exclusive]).toEqual([36, 29, 28]);
    expect((await get(`/trials/search?q=${nct(6)}`)).data.trials).toEqual([]);
    expect((await get('/trials/search')).data.trials.length + 16).toBe(36);
    const { data: history } = await get(`/trials/${nct(6)}/history`);
    expect(history).toMatchObject({ canonicalId, formerIds: expect.arrayContaining([former]) });
    expect((await get(`/trials/${nct(6)}/proof`)).error.message).toContain(`${nct(6)} is superseded by ${nct(5)}`);
    const { data: proof } = await get(`/trials/${nct(5)}/proof`);
    expect(proof.tables.links.rows.map(({ row }: { row: string }) => JSON.parse(row).rule).sort()).toEqual([
      'declared-by-isrctn',
      'superseded-number',
    ]);
  });

  it('finds removals by the weekly sweep, behind the gate', async () => {
    const first = await firstDay();
    registry.studies.splice(3, 1);
    later(24, '2026-11-21T09:00:01');
    const daily = await runLive();
    expect(daily.published.manifest.counts.registrations).toBe(38);
    later(24 * 7, '2026-11-28T09:00:01');
    const version = await readCurrent(config.snapshotsDir);
    await expect(runLive()).rejects.toThrow(/--accept shrink:clinicaltrials_gov/);
    expect(await readCurrent(config.snapshotsDir)).toBe(version);
    now = new Date(now.getTime() + 60_000);
    const sweep = await runLive({ mode: 'full', accept: ['shrink:clinicaltrials_gov'] });
    expect(sweep.fetch[0]).toMatchObject({ kind: 'full', records: 29 });
    expect(sweep.published.manifest.accepted).toEqual(['shrink:clinicaltrials_gov']);
    const changes = await diff(config.snapshotsDir, first.published.version, sweep.published.version, null);
    expect(changes.totals.trials).toMatchObject({ added: 0, removed: 1 });
  });
});

describe('one registry down', () => {
  it('keeps its last good set, says so, and the other one is published fresh', async () => {
    await firstDay();
    registry.studies[1] = study({ nctId: nct(1), title: 'A new title', updated: '2026-11-21' });
    down('isrctn');
    later(24, '2026-11-21T09:00:01');
    const { fetch, published } = await runLive();
    expect(fetch.map(({ ok }) => ok)).toEqual([true, false]);
    expect(published.manifest.registries[1]).toMatchObject({
      state: 'answered',
      registrations: 8,
      stale: true,
      degraded: true,
      lastSuccessAt: '2026-11-20T12:00:00.000Z',
      lastAttemptAt: '2026-11-21T12:00:00.000Z',
    });
    await using gateway = await openGateway(config.snapshotsDir, () => now);
    const search = await gateway.get('/api/v1/trials/search?q=new%20title');
    expect(search.body.data.trials).toHaveLength(1);
    expect(search.body._meta.degraded).toBe(true);
    const coverage = await gateway.get('/api/v1/trials/coverage');
    expect(coverage.body._meta.provenance.worldwide).toBe(false);
    const kept = { registry: 'isrctn', state: 'kept', dataDay: '2026-11-20' };
    expect(coverage.body.data).toMatchObject({ distinct: 38, inBoth: 0, inflation: 0 });
    expect(coverage.body.data.registries[1]).toEqual({ ...kept, registrations: 8, exclusive: 8 });
    expect(coverage.body._meta.provenance).toMatchObject({
      kept: ['isrctn'],
      registries: [{ state: 'answered' }, kept],
    });
    expect(coverage.body._meta.freshness[1]).toMatchObject({ ...kept, ageHours: 24, stale: true });
    const read = async (path: string) => (await gateway.get(path)).body.data;
    expect((await read('/api/v1/sources')).sources[1]).toMatchObject({ ...kept, unpopulatedFields: expect.any(Array) });
    expect((await read('/api/v1/freshness')).layers[1]).toMatchObject({ state: 'kept', dataDay: '2026-11-20' });
    const landscape = await read('/api/v1/trials/landscape');
    expect(landscape.reportingGap[1]).toMatchObject({ state: 'kept', population: expect.any(Number) });
    expect(landscape.fieldCompleteness[1]).toMatchObject({ state: 'kept', registrations: 8 });
    expect((await read('/api/v1/hope')).world.registries[1]).toEqual(kept);
    expect((await read('/api/v1/snapshots')).snapshots[0].registries[1]).toMatchObject(kept);
    expect((await read('/api/v1/snapshots/current')).registries[1]).toMatchObject(kept);
    const page = await gateway.app.fetch(new Request('http://test.example/'));
    expect(await page.text()).toContain('Kept: its last good set, of 2026-11-20');
  });

  it('is unanswered when it never answered: unknown, never zero', async () => {
    down('isrctn');
    await runLive();
    await using gateway = await openGateway(config.snapshotsDir, () => now);
    const coverage = await gateway.get('/api/v1/trials/coverage');
    const unknown = { registry: 'isrctn', state: 'unanswered', registrations: null, exclusive: null };
    expect(coverage.body.data).toMatchObject({ distinct: 30, inBoth: null, inflation: null });
    expect(coverage.body.data.registries[1]).toEqual(expect.objectContaining(unknown));
    const provenance = { worldwide: false, unanswered: ['isrctn'] };
    expect(coverage.body._meta).toMatchObject({ degraded: true, provenance });
    const landscape = await gateway.get('/api/v1/trials/landscape');
    const unseen = { state: 'unanswered', population: null, withResults: null };
    expect(landscape.body.data.reportingGap[1]).toMatchObject(unseen);
    const { sources } = (await gateway.get('/api/v1/sources')).body.data;
    expect(sources[1]).toMatchObject({ state: 'unanswered', registrations: null, unpopulatedFields: null });
  });

  it('stops the run when no registry could be read, and leaves what is served', async () => {
    await firstDay();
    const version = await readCurrent(config.snapshotsDir);
    down('isrctn');
    down('version');
    later(24, '2026-11-21T09:00:01');
    await expect(runLive()).rejects.toThrow(/no registry could be read/);
    expect(await readCurrent(config.snapshotsDir)).toBe(version);
  });
});
