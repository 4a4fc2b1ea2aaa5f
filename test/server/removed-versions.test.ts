import { createHash } from 'node:crypto';
import { cp, readFile, rename, rm, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { gc } from '../../pipeline/publish/retention/gc.ts';
import { quietEffects } from '../builders/working-database.ts';
import { mainOf } from '../support/checks/main-of.ts';
import { openGateway, type TestGateway } from '../support/gateway.ts';
import { REMOVED_VERSION } from '../support/snapshots/removed-version.ts';
import { type TwoVersions, twoVersions } from '../support/two-versions.ts';

const REMOVED_AT = '2026-12-01T03:15:00.000Z';

let versions: TwoVersions;
let gateway: TestGateway;
/** The older version's answer while it was held. */
// biome-ignore lint/suspicious/noExplicitAny: a parsed answer
let before: any;
let manifest: Buffer;
beforeAll(async () => {
  versions = await twoVersions();
  gateway = await openGateway(versions.snapshotsDir);
  const { older, newer, snapshotsDir } = versions;
  manifest = await readFile(join(snapshotsDir, older, 'manifest.json'));
  before = (await gateway.get(`/api/v1/snapshots/${older}`)).body.data;
  // Compared while both are held, so that the kept comparison has to be refused too.
  expect((await gateway.get(`/api/v1/snapshots/${older}/diff/${newer}`)).status).toBe(200);
  const effects = quietEffects({ now: () => new Date(REMOVED_AT) });
  const { removed } = await gc(snapshotsDir, { keep: 1, daily: 0, weekly: 0, monthly: 0 }, effects);
  expect(removed).toEqual([older]);
});
afterAll(async () => {
  await gateway[Symbol.asyncDispose]();
  await versions[Symbol.asyncDispose]();
});

const page = async (path: string) => {
  const response = await gateway.app.fetch(new Request(`http://test.example${path}`));
  return { status: response.status, text: await response.text() };
};

it('a version that gc removed while the server runs keeps every figure, and has no table to download', async () => {
  const { status, body } = await gateway.get(`/api/v1/snapshots/${versions.older}`);
  expect(status).toBe(200);
  expect(before).toMatchObject({ state: 'held', removedAt: null });
  expect(body.data).toEqual({
    ...before,
    state: 'removed',
    removedAt: REMOVED_AT,
    tables: before.tables.map((table: object) => ({ ...table, files: [] })),
    serving: { ...before.serving, files: [] },
    files: before.files.filter(({ path }: { path: string }) =>
      ['manifest.json', 'manifest.json.sha256', 'statement.json'].includes(path),
    ),
  });
});

it('the kept manifest comes byte for byte from the address that the answer gives', async () => {
  const { body } = await gateway.get(`/api/v1/snapshots/${versions.older}`);
  const { url, sha256 } = body.data.manifest;
  expect(url).toBe(`http://test.example/snapshots/${versions.older}/files/manifest.json`);
  const response = await gateway.app.fetch(new Request(url));
  const bytes = Buffer.from(await response.arrayBuffer());
  expect(bytes.equals(manifest)).toBe(true);
  expect(createHash('sha256').update(bytes).digest('hex')).toBe(sha256);
});

it('a file of a removed version is a 404 that names those that are kept', async () => {
  const { older } = versions;
  const { status, body } = await gateway.get(`/snapshots/${older}/files/trials.parquet`);
  expect([status, body.error.code, body.error.message]).toEqual([
    404,
    'NOT_FOUND',
    `The version ${older} was removed on ${REMOVED_AT}. What is kept of it: GET /snapshots/${older}/files/manifest.json, GET /snapshots/${older}/files/statement.json, GET /snapshots/${older}/files/manifest.json.sha256.`,
  ]);
});

it('a comparison with a removed version is a 404 that says what is kept and what is held', async () => {
  const { older, newer } = versions;
  for (const path of [`${older}/diff/${newer}`, `${newer}/diff/${older}`, `${older}/diff/${older}`]) {
    const { status, body } = await gateway.get(`/api/v1/snapshots/${path}`);
    expect([status, body.error.code, body.error.message]).toEqual([
      404,
      'NOT_FOUND',
      `The version ${older} was removed on ${REMOVED_AT}, so it cannot be compared. GET /api/v1/snapshots/${older} tells its figures, and how it differed from its parent. Held are ${newer}.`,
    ]);
  }
});

it('a removed version is neither listed nor counted among the held ones', async () => {
  const { body } = await gateway.get('/api/v1/snapshots');
  expect(body.data.snapshots.map(({ version }: { version: string }) => version)).toEqual([versions.newer]);
  expect(body.data.unreadable).toEqual([]);
  expect(body._meta.pagination.totalItems).toBe(1);
});

it('the page of a removed version says so, and offers the manifest alone', async () => {
  const { older } = versions;
  const { status, text } = await page(`/snapshots/${older}`);
  expect(status).toBe(200);
  expect(text).toMatch(/This version was removed on <time datetime="2026-12-01T03:15:00.000Z">/);
  expect(text).toContain(`<a href="/snapshots/${older}/files/manifest.json" download>manifest.json</a>`);
  expect(text).not.toContain('trials.parquet');
  expect(text).not.toContain(`pipeline -- verify ${older}`);
  expect(text).toContain('<dd>766</dd>');
  // Its parent is no longer held either, so nothing could be compared.
  const child = await page(`/snapshots/${REMOVED_VERSION}`);
  expect(child.text).toContain('<dd>3 added, 2 changed, 1 removed</dd>');
  expect(mainOf(child.text)).not.toContain('href="/snapshots/diff');
});

it('the page of a comparison leads to what is kept of a removed version', async () => {
  const { older, newer } = versions;
  const { status, text } = await page(`/snapshots/diff?from=${older}&to=${newer}`);
  expect(status).toBe(404);
  expect(text).toContain(`was removed on ${REMOVED_AT}, so it cannot be compared`);
  expect(text).toContain(`<a href="/snapshots/${older}"><code>${older}</code></a>`);
  const unknown = await page(`/snapshots/diff?from=20200101T000000Z-00000000&to=${newer}`);
  expect(unknown.text).not.toContain('What is kept of a removed version');
});

it('a time of removal that was not recorded is null, in words too', async () => {
  const { older, newer, snapshotsDir } = versions;
  const path = join(snapshotsDir, 'removed', older, 'removal.json');
  await rename(path, `${path}.away`);
  const { body } = await gateway.get(`/api/v1/snapshots/${older}`);
  const compared = await gateway.get(`/api/v1/snapshots/${older}/diff/${newer}`);
  const shown = await page(`/snapshots/${older}`);
  await rename(`${path}.away`, path);
  expect([body.data.state, body.data.removedAt]).toEqual(['removed', null]);
  expect(compared.body.error.message).toContain(`The version ${older} was removed, so it cannot be compared.`);
  expect(shown.text).toContain('This version was removed, at a time that was not recorded.');
});

it('a version that is held answers as held, although a killed gc left its manifest among the removed ones', async () => {
  const { newer, snapshotsDir } = versions;
  const left = join(snapshotsDir, 'removed', newer);
  await cp(join(snapshotsDir, 'removed', versions.older), left, { recursive: true });
  const { body } = await gateway.get(`/api/v1/snapshots/${newer}`);
  await rm(left, { recursive: true });
  expect([body.data.state, body.data.version, body.data.removedAt]).toEqual(['held', newer, null]);
});

it('a kept manifest that is damaged is a failure, not a version that never was', async () => {
  const path = join(versions.snapshotsDir, 'removed', versions.older, 'manifest.json');
  await writeFile(path, '{}');
  const { status, body } = await gateway.get(`/api/v1/snapshots/${versions.older}`);
  await writeFile(path, manifest);
  expect([status, body.error.code]).toEqual([503, 'TRIALS_UNAVAILABLE']);
  expect(body.error.message).toContain('cannot be read: malformed');
});
