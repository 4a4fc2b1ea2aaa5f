import { createHash } from 'node:crypto';
import { cp, readFile, rename, rm, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { beforeAll, expect, it } from 'vitest';
import { gc } from '../../pipeline/publish/retention/gc.ts';
import { quietEffects } from '../builders/working-database.ts';
import { openGateway } from '../support/gateway.ts';
import { ofFile } from '../support/of-file.ts';
import { twoVersions } from '../support/two-versions.ts';

const REMOVED_AT = '2026-12-01T03:15:00.000Z';

const versions = ofFile(() => twoVersions());
const gateway = ofFile(() => openGateway(versions.snapshotsDir));
/** The older version's answer while it was held. */
// biome-ignore lint/suspicious/noExplicitAny: a parsed answer
let before: any;
let manifest: Buffer;
beforeAll(async () => {
  const { older, newer, snapshotsDir } = versions;
  manifest = await readFile(join(snapshotsDir, older, 'manifest.json'));
  before = (await gateway.get(`/api/v1/snapshots/${older}`)).body.data;
  // Compared while both are held, so that the kept comparison has to be refused too.
  expect((await gateway.get(`/api/v1/snapshots/${older}/diff/${newer}`)).status).toBe(200);
  const effects = quietEffects({ now: () => new Date(REMOVED_AT) });
  const { removed } = await gc(snapshotsDir, { keep: 1, daily: 0, weekly: 0, monthly: 0 }, effects);
  expect(removed).toEqual([older]);
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
      ['manifest.json', 'files.json', 'run.json'].includes(path),
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
