import { once } from 'node:events';
import { rmSync } from 'node:fs';
import { readdir, readFile, writeFile } from 'node:fs/promises';
import { type AddressInfo, createServer } from 'node:net';
import { join } from 'node:path';
import { describe, expect, test } from 'vitest';
import { type FakeRegistry, type Fault, startFakeRegistry } from '../../test/fakes/registry-server.ts';
import { liveScene, payloadsOf, type Scene, studyOf } from '../../test/support/raw-sets.ts';
import { type CtgovFetch, fetchCtgov } from './fetch-ctgov.ts';
import { type FetchLog, lastAttempt, rawSetsOf, readFetchLogs, runDirectory } from './fetch-log.ts';
import { importDump } from './import-dump.ts';

const STUDIES = Array.from({ length: 7 }, (_, i) => studyOf(i + 1));
const TEXTS = STUDIES.map((study) => JSON.stringify(study));

const REDIRECT = { kind: 'status', status: 302, headers: { location: 'http://example.org/' } } as const;

/** A status in answer to so many requests of pages, from number `at` on. */
function status(at: number, code: number, times = 1, retryAfter?: string): Fault {
  const headers = retryAfter === undefined ? undefined : { headers: { 'retry-after': retryAfter } };
  return { endpoint: 'studies', at, times, kind: 'status', status: code, ...headers };
}

/** A registry of seven studies, fetched in pages of three. */
async function scene(faults: Fault[] = []): Promise<Scene<CtgovFetch, FakeRegistry>> {
  return liveScene(await startFakeRegistry({ studies: STUDIES, faults }), fetchCtgov, { pageSize: 3 });
}

async function killedAfter(s: Scene<CtgovFetch, FakeRegistry>, page: number): Promise<void> {
  s.effects.killAt = `fetch:clinicaltrials_gov:page:${page}`;
  await expect(s.fetch()).rejects.toThrow(`killed at ${s.effects.killAt}`);
  s.effects.killAt = null;
}

/** The content of every file of a raw set, by name. */
async function filesOf(dataDir: string, log: FetchLog): Promise<Record<string, string>> {
  const directory = runDirectory(dataDir, log);
  const names = (await readdir(directory)).sort();
  return Object.fromEntries(
    await Promise.all(names.map(async (name) => [name, await readFile(join(directory, name), 'base64')])),
  );
}

describe('fetchCtgov', () => {
  test('follows the page tokens to the end and keeps each page as received', async () => {
    await using s = await scene();
    const log = await s.fetch({ contact: 'ops@example.org' });
    expect(await payloadsOf(s.dataDir, log)).toEqual(TEXTS);
    expect(s.registry.requests).toEqual([
      '/api/v2/version',
      '/api/v2/studies?format=json&pageSize=3&countTotal=true',
      '/api/v2/studies?format=json&pageSize=3&pageToken=tok_3',
      '/api/v2/studies?format=json&pageSize=3&pageToken=tok_6',
      '/api/v2/version',
    ]);
    expect([...s.registry.agents]).toEqual(['trial-board/0.1 (ops@example.org)']);
    expect(log).toMatchObject({
      run: '20261121T031500Z-full',
      state: 'complete',
      source: 'live',
      base: null,
      origin: s.registry.url,
      dataTimestamp: '2026-11-20T09:00:05',
      dataMoved: false,
      expectedRecords: 7,
      window: null,
    });
    expect(log.files.map(({ name, records, position }) => [name, records, position])).toEqual([
      ['page-000001.json.gz', 3, 'tok_3'],
      ['page-000002.json.gz', 3, 'tok_6'],
      ['page-000003.json.gz', 1, null],
    ]);
    const done = { stage: 'fetch', label: 'clinicaltrials_gov', done: 7, total: 7, unit: 'records' };
    expect(s.effects.events.at(-1)).toEqual(done);
    expect((await lastAttempt(s.dataDir, 'clinicaltrials_gov'))?.lastError).toBe(null);
  });

  test.each([1, 2, 3])(
    'killed after page %i it resumes there, asks for no page twice and ends with the same bytes',
    async (page) => {
      await using s = await scene();
      await using unbroken = await scene();
      await killedAfter(s, page);
      expect(await rawSetsOf(s.dataDir, 'clinicaltrials_gov')).toBe(null);
      const log = await s.fetch();
      expect(s.registry.counts.studies).toBe(3);
      const whole = await unbroken.fetch();
      const text = JSON.stringify(log).replaceAll(s.registry.url, unbroken.registry.url);
      expect(JSON.parse(text)).toEqual(whole);
      const { 'ledger.json': _mine, ...mine } = await filesOf(s.dataDir, log);
      const { 'ledger.json': _theirs, ...theirs } = await filesOf(unbroken.dataDir, whole);
      expect(mine).toEqual(theirs);
      expect(Object.keys(mine)).toEqual(['page-000001.json.gz', 'page-000002.json.gz', 'page-000003.json.gz']);
    },
  );

  test('writes over a page that was stored but not yet booked when the run was killed', async () => {
    await using s = await scene();
    await killedAfter(s, 1);
    const [open] = await readFetchLogs(s.dataDir, 'clinicaltrials_gov');
    await writeFile(join(runDirectory(s.dataDir, open!), 'page-000002.json.gz'), 'half a pa');
    expect(await payloadsOf(s.dataDir, await s.fetch())).toEqual(TEXTS);
  });

  test('starts anew when the registry no longer knows the token of the unfinished run', async () => {
    await using s = await scene();
    await killedAfter(s, 2);
    s.registry.faults.push({ endpoint: 'studies', at: 3, kind: 'invalid-token' });
    expect(await payloadsOf(s.dataDir, await s.fetch())).toEqual(TEXTS);
    expect(s.registry.counts.studies).toBe(6);
  });

  test('does not resume a run of more than a day ago', async () => {
    await using s = await scene();
    await killedAfter(s, 2);
    s.effects.time = new Date('2026-11-22T03:15:01.000Z');
    expect((await s.fetch()).run).toBe('20261122T031501Z-full');
    expect(s.registry.counts.studies).toBe(5);
  });

  test('does not resume a run of another origin or another mode', async () => {
    await using s = await scene();
    await using other = await scene();
    await s.fetch();
    await killedAfter(s, 2);
    expect(await s.fetch({ mode: 'incremental' })).toMatchObject({
      run: '20261121T031502Z-incremental',
      state: 'complete',
    });
    await killedAfter(s, 2);
    expect(await s.fetch({ baseUrl: other.registry.url })).toMatchObject({
      origin: other.registry.url,
      state: 'complete',
    });
    expect(other.registry.counts.studies).toBe(3);
  });

  test.each<[string, Fault, number[]]>([
    ['429 with Retry-After in seconds', status(2, 429, 1, '7'), [7000]],
    ['429 with Retry-After as a date', status(2, 429, 1, 'Sat, 21 Nov 2026 03:15:30 GMT'), [30_000]],
    ['500 three times', status(1, 500, 3), [1000, 2000, 4000]],
    ['503 on the version', { ...status(1, 503), endpoint: 'version' }, [1000]],
    ['a connection cut in mid-body', { endpoint: 'studies', at: 2, kind: 'cut' }, [1000]],
    ['a body that is cut short', { endpoint: 'studies', at: 3, kind: 'truncated' }, [1000]],
    ['an answer that is no page', { endpoint: 'studies', at: 2, kind: 'body', body: '{"error":"busy"}' }, [1000]],
    ['a closed socket', { endpoint: 'studies', at: 2, times: 2, kind: 'down' }, [1000, 2000]],
  ])('tries again after %s, with the wait that is due', async (_, fault, waits) => {
    await using s = await scene([fault]);
    const log = await s.fetch();
    expect(await payloadsOf(s.dataDir, log)).toEqual(TEXTS);
    expect(s.waits).toEqual(waits);
  });

  const first = { endpoint: 'studies', at: 1 } as const;
  const second = { endpoint: 'studies', at: 2, times: 99 } as const;
  const empty = '{"totalCount":0,"studies":[]}';
  test.each<[string, Fault, string, RegExp]>([
    ['a registry that is down', { ...second, kind: 'down' }, 'unreachable', /after 6 tries; the last good set is kept/],
    ['500 for ever', status(2, 500, 99), 'unreachable', /HTTP 500, after 6 tries/],
    ['429 for ever', status(2, 429, 99), 'refused', /HTTP 429, after 6 tries/],
    ['a Retry-After of an hour', status(2, 429, 1, '3600'), 'refused', /asks to wait 3600 s/],
    ['403', { ...status(1, 403), endpoint: 'version' }, 'refused', /HTTP 403/],
    ['a page that always ends early', { ...second, kind: 'truncated' }, 'truncated', /the answer is cut short/],
    ['a web page', { ...second, kind: 'html' }, 'not-the-registry', /a web page came instead of data/],
    ['a web page for the version', { ...first, endpoint: 'version', kind: 'html' }, 'not-the-registry', /a web page/],
    ['a redirect', { ...first, ...REDIRECT }, 'not-the-registry', /redirected to http:\/\/example.org\//],
    ['no totalCount', { ...first, kind: 'body', body: '{"studies":[]}' }, 'not-the-registry', /no totalCount/],
    ['a registry that is empty', { ...first, kind: 'body', body: empty }, 'no-records', /has no studies/],
    ['a token given twice', { ...second, kind: 'token', token: 'tok_3' }, 'repeated-token', /the same token as page 1/],
    ['tokens without end', { ...second, kind: 'endless' }, 'endless', /more than 13 pages for 7 studies/],
    ['a total that is not met', { ...first, kind: 'total', total: 8 }, 'count-mismatch', /7 studies came where .* 8/],
  ])('stops at %s, completes nothing and records the fault', async (_, fault, code, message) => {
    await using s = await scene([fault]);
    await expect(s.fetch()).rejects.toMatchObject({
      name: 'SourceFault',
      code,
      message: expect.stringMatching(message),
    });
    expect(await rawSetsOf(s.dataDir, 'clinicaltrials_gov')).toBe(null);
    const attempts = await lastAttempt(s.dataDir, 'clinicaltrials_gov');
    expect(attempts).toMatchObject({ lastSuccessAt: null, lastError: expect.stringMatching(message) });
  });

  test('a run that met a ring of tokens is not resumed', async () => {
    await using s = await scene([{ endpoint: 'studies', at: 2, times: 1, kind: 'token', token: 'tok_3' }]);
    await expect(s.fetch()).rejects.toMatchObject({ code: 'repeated-token' });
    expect(await payloadsOf(s.dataDir, await s.fetch())).toEqual(TEXTS);
  });

  test('goes on over an empty page in the middle', async () => {
    await using s = await scene([{ endpoint: 'studies', at: 2, kind: 'empty-page' }]);
    const log = await s.fetch();
    expect(log.files.map((file) => file.records)).toEqual([3, 0, 3, 1]);
    expect(await payloadsOf(s.dataDir, log)).toEqual(TEXTS);
  });

  test('records that the data moved during the run, and then allows the count to differ a little', async () => {
    await using s = await scene([
      { endpoint: 'version', at: 2, kind: 'data-moves', dataTimestamp: '2026-11-21T09:00:05' },
      { endpoint: 'studies', at: 1, kind: 'total', total: 8 },
    ]);
    const log = await s.fetch();
    expect(log).toMatchObject({
      dataMoved: true,
      dataTimestamp: '2026-11-20T09:00:05',
      expectedRecords: 8,
      state: 'complete',
    });
  });

  test('stops at an answer beyond the size limit', async () => {
    await using s = await scene();
    await expect(s.fetch({ maxBodyBytes: 500 })).rejects.toMatchObject({
      code: 'not-the-registry',
      message: expect.stringMatching(/larger than 500 bytes/),
    });
  });

  test('gives up a request that is not answered in time', async () => {
    await using s = await scene();
    const silent = createServer().listen(0, '127.0.0.1');
    await once(silent, 'listening');
    const { port } = silent.address() as AddressInfo;
    await expect(s.fetch({ baseUrl: `http://127.0.0.1:${port}`, timeoutMs: 100, attempts: 2 })).rejects.toMatchObject({
      code: 'unreachable',
    });
    silent.close();
  });

  test('names the file that it cannot write, and books the fault', async () => {
    await using s = await scene();
    const checkpoint = s.effects.checkpoint;
    const run = join(s.dataDir, 'raw', 'clinicaltrials_gov', '20261121T031500Z-full');
    s.effects.checkpoint = (name) => {
      checkpoint(name);
      rmSync(run, { recursive: true });
    };
    const message = `ENOENT: no such file or directory, open '${run}/page-000002.json.gz.part'`;
    await expect(s.fetch()).rejects.toThrow(message);
    expect((await lastAttempt(s.dataDir, 'clinicaltrials_gov'))?.lastError).toBe(message);
  });

  test('incremental asks for what was posted since the data of the base, less a day, on top of the newest increments', async () => {
    await using s = await scene();
    await expect(s.fetch({ mode: 'incremental' })).rejects.toMatchObject({
      code: 'incomplete-set',
      message: expect.stringMatching(/run a full fetch first/),
    });
    const full = await s.fetch();
    s.registry.studies = [...STUDIES, studyOf(8, '2026-11-19'), studyOf(9, '2026-11-18')];
    s.registry.dataTimestamp = '2026-11-21T09:00:02';
    const first = await s.fetch({ mode: 'incremental' });
    expect(first).toMatchObject({
      kind: 'incremental',
      base: full.run,
      window: { from: '2026-11-19', to: '2026-11-21' },
      expectedRecords: 1,
    });
    expect(await payloadsOf(s.dataDir, first)).toEqual([JSON.stringify(studyOf(8, '2026-11-19'))]);
    expect(s.registry.requests.at(-2)).toBe(
      '/api/v2/studies?format=json&pageSize=3&query.term=AREA[LastUpdatePostDate]RANGE[2026-11-19,MAX]&countTotal=true',
    );
    const second = await s.fetch({ mode: 'incremental' });
    expect(second).toMatchObject({
      base: full.run,
      window: { from: '2026-11-20', to: '2026-11-21' },
      expectedRecords: 0,
      state: 'complete',
    });
    expect(await rawSetsOf(s.dataDir, 'clinicaltrials_gov')).toEqual({ full, increments: [first, second] });
  });

  test('incremental on a dump goes from the newest update that stands in its records', async () => {
    await using s = await scene();
    const path = join(s.dataDir, 'dump.ndjson');
    await writeFile(
      path,
      [studyOf(1, '2026-03-01'), studyOf(2, '2026-03-04'), {}].map((study) => JSON.stringify(study)).join('\n'),
    );
    await importDump({ registry: 'clinicaltrials_gov', path, dataDir: s.dataDir }, s.effects);
    expect((await s.fetch({ mode: 'incremental' })).window).toEqual({ from: '2026-03-03', to: '2026-11-20' });
  });
});
