import { readdir, stat } from 'node:fs/promises';
import { join } from 'node:path';
import { afterEach, beforeEach, expect, inject, it } from 'vitest';
import { readCurrentManifest } from '../../snapshot/format/versions/current.ts';
import { type Manifest, snapshotFiles } from '../../snapshot/format/versions/manifest.ts';
import { type FakeSnapshotService, startSnapshotService } from '../fakes/snapshot-service.ts';
import { faultLibrary, withFault } from '../support/faults/fs-faults.ts';
import { folderOfTest } from '../support/folders.ts';
import { startPipeline } from '../support/pipeline-process.ts';
import { deep } from '../support/runner/amount.ts';
import { startServer } from '../support/server-process.ts';
import { until } from '../support/until.ts';

/** A version pulled by processes of their own: killed, gone on with, verified and served. */

const folder = folderOfTest();
let manifest: Manifest;
let into: string;
let service: FakeSnapshotService;
beforeEach(async () => {
  into = join(folder.path, 'copy');
  manifest = (await readCurrentManifest(inject('sampleSnapshots')))!;
  service = await startSnapshotService(inject('sampleSnapshots'), manifest.version);
});
afterEach(() => service[Symbol.asyncDispose]());

const LARGE = 'registrations.parquet';
const address = (path: string): string => `/snapshots/${manifest.version}/files/${path}`;
const listedBytes = (): number => snapshotFiles(manifest).reduce((sum, { bytes }) => sum + bytes, 0);
const folders = (snapshots: string) => ({ DATA_DIR: join(folder.path, 'data'), SNAPSHOTS_DIR: snapshots });
const pulling = (words: string[] = ['--json'], environment: Record<string, string> = {}) =>
  startPipeline(['pull', service.url, '--into', into, ...words], { ...folders(into), ...environment });

/** Bytes of files of the version that were fetched so far. */
async function staged(): Promise<number> {
  const dir = join(into, `.pull-${manifest.version}`, manifest.version);
  const sizeOf = async (path: string): Promise<number> => {
    const whole = await stat(join(dir, path)).catch(() => null);
    return (whole ?? (await stat(join(dir, `${path}.partial`)).catch(() => null)))?.size ?? 0;
  };
  const sizes = await Promise.all(snapshotFiles(manifest).map(({ path }) => sizeOf(path)));
  return sizes.reduce((sum, size) => sum + size, 0);
}

it('a version that the service removes meanwhile ends the pull, which says so and keeps what came', async () => {
  service.odd.set(address(LARGE), (_, response) => void response.writeHead(404).end('{}'));
  const { code, out } = await pulling().ended;
  expect(code).toBe(1);
  const message = expect.stringMatching(/: the service has no such file any more$/);
  expect(JSON.parse(out)).toMatchObject({ code: 'PULL_FAILED', message });
  expect(await readdir(into)).toContain(`.pull-${manifest.version}`);
});

deep.it('a pull that was killed goes on, verifies, and serves what the service serves', async () => {
  const half = Math.floor(service.files.get(address(LARGE))!.length / 2);
  service.odd.set(address(LARGE), (_, response, file) => {
    response.writeHead(200, { 'content-length': file.length }).write(file.subarray(0, half));
  });
  const { child, ended } = pulling();
  const partial = join(into, `.pull-${manifest.version}`, manifest.version, `${LARGE}.partial`);
  await until(async () => (await stat(partial).catch(() => null))?.size === half);
  child.kill('SIGKILL');
  expect((await ended).signal).toBe('SIGKILL');
  expect((await readdir(into)).sort()).toEqual(['.pipeline.lock', `.pull-${manifest.version}`, 'runs.jsonl']);
  const kept = await staged();

  service.odd.clear();
  service.asked = [];
  const { code, out, errors } = await pulling().ended;
  expect(code, errors).toBe(0);
  const { version } = manifest;
  const pulled = { bytes: listedBytes(), fetchedBytes: listedBytes() - kept, notServed: null };
  expect(JSON.parse(out)).toMatchObject({ code: 'DONE', version, ...pulled });
  expect(service.asked).toContainEqual({ path: address(LARGE), range: `bytes=${half}-` });

  const verified = await startPipeline(['verify'], folders(into)).ended;
  expect([verified.code, verified.out]).toEqual([0, expect.stringContaining(`${version} is intact: `)]);
  await using original = await startServer('gateway/main.ts', folders(inject('sampleSnapshots')));
  await using copy = await startServer('gateway/main.ts', folders(into));
  for (const path of ['search?q=diabetes&pageSize=20', 'stats'].map((read) => `/api/v1/trials/${read}`)) {
    const [ours, theirs] = await Promise.all(
      [copy, original].map(async ({ url }) => JSON.parse((await (await fetch(url + path)).text()).replaceAll(url, ''))),
    );
    expect(ours.data).toEqual(theirs.data);
    expect(ours._meta.identity).toBe(theirs._meta.identity);
  }
});

deep.it('a full disk ends the pull, which says where, and the next one goes on', async ({ skip }) => {
  const library = faultLibrary(folder.path);
  if (library === null) return skip();
  const under = join(into, `.pull-${manifest.version}`);
  const fault = withFault(library, { under, at: 60, kind: 'short' }, join(folder.path, 'count'));
  const full = await pulling(['--json'], fault).ended;
  expect(full.code, full.errors).toBe(1);
  const message = expect.stringMatching(
    /^a disk is full: .*\/copy has \d+ [kM]B free; free space and run again: what was stored before is kept/,
  );
  expect(JSON.parse(full.out)).toMatchObject({ code: 'NO_SPACE', message });
  const kept = await staged();
  expect(kept).toBeGreaterThan(0);
  const again = await pulling().ended;
  expect(again.code, again.errors).toBe(0);
  expect(JSON.parse(again.out)).toMatchObject({ fetchedBytes: listedBytes() - kept });
});
