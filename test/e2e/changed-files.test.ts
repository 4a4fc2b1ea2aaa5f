import { readFile, rename, rm, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, inject, it } from 'vitest';
import { openIndexServices } from '../../index-server/services.ts';
import { manifestSum, sumsOf } from '../../pipeline/publish/commit.ts';
import { sumFile } from '../../pipeline/publish/durable.ts';
import { completeLog } from '../../pipeline/publish/identity/log.ts';
import { verify } from '../../pipeline/publish/verify/verify.ts';
import { readListing } from '../../pipeline/pull/listing.ts';
import { withScratchDatabase } from '../../pipeline/store/scratch-database.ts';
import { readCurrentManifest } from '../../snapshot/format/versions/current.ts';
import { MANIFEST_FILE, MANIFEST_SUM_FILE, type Manifest, SUMS_FILE } from '../../snapshot/format/versions/manifest.ts';
import { identityOf, STATEMENT_FILE, statementOf, statementText } from '../../snapshot/format/versions/statement.ts';
import { signerKey } from '../../snapshot/proof/note.ts';
import { quietEffects, temporaryDirectory } from '../builders/working-database.ts';
import { openBareOrigin } from '../support/bare-origin.ts';
import { keptLog } from '../support/log-lines.ts';
import { copyWithLinks } from '../support/snapshots/copy-with-links.ts';

/** Somebody changes a Parquet file of a signed version and puts every sum right that no key protects. */

const OPERATOR = signerKey('example.org/trials', Buffer.alloc(32, 1));
const FILE = 'links.parquet';
const CHANGES: [what: string, rows: string][] = [
  ['the order of its rows', 'SELECT * FROM file ORDER BY link_id DESC'],
  ['a value', "SELECT * REPLACE ('another-rule' AS rule) FROM file"],
];

let root: Awaited<ReturnType<typeof temporaryDirectory>>;
let trustedKeys: string;
let published: Manifest;
beforeAll(async () => {
  root = await temporaryDirectory();
  trustedKeys = join(root.path, 'trusted.keys');
  await writeFile(trustedKeys, `${OPERATOR.verifier.vkey}\n`);
});
afterAll(() => root[Symbol.asyncDispose]());

/** The sample in a signed log, with one file changed and its sums recomputed. */
async function changed(rows: string): Promise<{ snapshotsDir: string; dir: string; manifest: Manifest }> {
  const snapshotsDir = join(root.path, crypto.randomUUID());
  await copyWithLinks(inject('sampleSnapshots'), snapshotsDir);
  published = (await readCurrentManifest(snapshotsDir))!;
  await completeLog(snapshotsDir, null, [OPERATOR], quietEffects());
  const dir = join(snapshotsDir, published.version);
  await withScratchDatabase(async (db) => {
    await db.run(
      `CREATE TABLE file AS FROM '${join(dir, FILE)}'; COPY (${rows}) TO '${join(dir, 'other')}' (FORMAT parquet)`,
    );
  });
  await rm(join(dir, FILE));
  await rename(join(dir, 'other'), join(dir, FILE));
  const sum = await sumFile(dir, FILE);
  const { links } = published.tables;
  const tables = { ...published.tables, links: { ...links, bytes: sum.bytes, files: [sum] } };
  return { snapshotsDir, dir, manifest: await writeManifest(dir, { ...published, tables }) };
}

/** Writes a manifest and the sums over it. */
async function writeManifest(dir: string, manifest: Manifest): Promise<Manifest> {
  const text = `${JSON.stringify(manifest, null, 2)}\n`;
  const files = { [MANIFEST_FILE]: text, [MANIFEST_SUM_FILE]: manifestSum(text), [SUMS_FILE]: sumsOf(manifest, text) };
  for (const [name, content] of Object.entries(files)) {
    // The copy shares its files with the sample.
    await rm(join(dir, name), { force: true });
    await writeFile(join(dir, name), content);
  }
  return manifest;
}

/** Status of a search and of the changed file, from a server that trusts the operator's key. */
async function served(snapshotsDir: string, version: string): Promise<[search: number, file: number, refused: string]> {
  await using index = await openIndexServices(snapshotsDir, keptLog().log, null, trustedKeys);
  await using origin = await openBareOrigin({ index });
  const [search, file] = [
    await origin.ask('/api/v1/trials/search?pageSize=1'),
    await origin.ask(`/snapshots/${version}/files/${FILE}`),
  ];
  return [search.status, file.status, (await origin.ask('/readyz')).body.refused];
}

describe.each(CHANGES)('a file in which somebody changed %s', (_what, rows) => {
  it('is refused with its version by a server that trusts a key, by verify, and by pull', async () => {
    const { snapshotsDir, dir, manifest } = await changed(rows);
    const { version } = manifest;
    const [search, file, refused] = await served(snapshotsDir, version);
    expect([search, file]).toEqual([503, 503]);
    expect(refused).toBe(`CURRENT names ${version}, but its file manifest.json is not as published; the log says more`);

    const found = await verify(snapshotsDir, version, quietEffects(), { trusted: [OPERATOR.verifier] });
    const identity =
      /^found identity [0-9a-f]{64}, expected [0-9a-f]{64}, which follows from what the manifest states$/;
    expect(found.problems).toContainEqual({ file: MANIFEST_FILE, message: expect.stringMatching(identity) });

    // A service that hands out these files as they are.
    const small = (address: string) => readFile(join(dir, address.split('/files/')[1]!));
    await expect(readListing({ small }, version)).rejects.toThrow('which follows from what the manifest states');
  });

  it('is refused too where identity, statement and name were made anew: no signed checkpoint holds them', async () => {
    const { snapshotsDir, dir, manifest } = await changed(rows);
    const text = statementText(statementOf(manifest));
    const identity = identityOf(text);
    const version = manifest.version.replace(/[0-9a-f]{8}$/, identity.slice(0, 8));
    await rm(join(dir, STATEMENT_FILE));
    await writeFile(join(dir, STATEMENT_FILE), text);
    await writeManifest(dir, { ...manifest, identity, version });
    await rename(dir, join(snapshotsDir, version));
    await rm(join(snapshotsDir, 'CURRENT'));
    await writeFile(join(snapshotsDir, 'CURRENT'), `${version}\n`);
    const [search, file, refused] = await served(snapshotsDir, version);
    expect([search, file]).toEqual([503, 503]);
    expect(refused).toContain('its identity is not in the log of publications');
    const found = await verify(snapshotsDir, version, quietEffects(), { trusted: [OPERATOR.verifier] });
    expect(found.problems.map(({ message }) => message)).toContainEqual(
      expect.stringContaining(`does not hold ${identity}`),
    );
  });
});
