import { readFile, rm, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { afterEach, beforeAll, expect, it, test } from 'vitest';
import { readCurrent, SnapshotFault } from '../../../snapshot/format/versions/current.ts';
import { quietEffects, tinyCorpus } from '../../../test/builders/working-database.ts';
import { TestPublisher } from '../../../test/support/snapshots/publisher.ts';
import { publishedFacts, renderVerification } from '../../cli/reports.ts';
import { textOf } from '../../cli/text.ts';
import { endOfPublish } from '../../run/run.ts';
import type { Published } from '../publish.ts';
import { comparedFiles, newestOtherSound } from './damage.ts';
import { verify } from './verify.ts';

/** A disk changed what was published: a run says so and mends it, or names what does. */

/** What published the first version, and what published both; the second one is served. Each test works on a copy. */
let one: TestPublisher;
let both: TestPublisher;
let publisher: TestPublisher;
let first: Published;
let second: Published;

beforeAll(async () => {
  one = await TestPublisher.of();
  first = await one.publish();
  both = await one.copy();
  await both.db.run("UPDATE registrations SET eligibility_text = 'Adults' WHERE registry = 'isrctn'");
  second = await both.publish();
  return () => Promise.all([one, both].map((made) => made[Symbol.asyncDispose]()));
});
afterEach(() => publisher[Symbol.asyncDispose]());

async function copyOf(published: TestPublisher): Promise<void> {
  publisher = await published.copy();
}

const run = (accept: string[] = []) => publisher.publish({ onlyIfNew: true, accept, reason: 'Ada: a new disk' });

/** The last line about a version, which names what mends it. */
async function mendOf(version: string): Promise<string | undefined> {
  const text = renderVerification(await verify(publisher.snapshots, version, quietEffects()));
  return text.split('\nmend      ').at(-1);
}

/** Changes one byte and leaves the length. */
async function flip(path: string, position?: number): Promise<void> {
  const bytes = await readFile(path);
  bytes[position ?? bytes.length >> 1]! ^= 1;
  await writeFile(path, bytes);
}

it('equal content is published anew where a file of the served image is damaged, and report and record say so', async () => {
  await copyOf(one);
  expect((await run()).unchangedAt).not.toBeNull();
  await flip(join(publisher.snapshots, first.version, 'serving', 'rows.arrow'));
  const mended = await run();
  expect(mended).toMatchObject({
    unchangedAt: null,
    replaced: { version: first.version, damaged: ['serving/rows.arrow'], differing: [] },
    manifest: { parent: first.version, contentHash: first.manifest.contentHash },
  });
  expect(await readCurrent(publisher.snapshots)).toBe(mended.version);
  expect((await verify(publisher.snapshots, mended.version, quietEffects())).problems).toEqual([]);
  const words = `nothing new, but serving/rows.arrow of ${first.version} is damaged, so it was published anew`;
  expect(textOf(publishedFacts(mended))).toContain(`\n          ${words}\n`);
  expect(endOfPublish({ command: 'run', words: [] }, { published: mended })).toMatchObject({
    code: 'PUBLISHED',
    message: words,
  });
  expect((await run()).version).toBe(mended.version);
});

it.each(['equal', 'new'])(
  '%s content with a damaged payload is not published from the same file, and the mend is named',
  async (content) => {
    await copyOf(one);
    const part = join(publisher.snapshots, first.version, 'raw', 'part-0000.parquet');
    // The last byte of the payloads, which no stage reads again.
    const column =
      await publisher.db.one(`SELECT (coalesce(dictionary_page_offset, data_page_offset) + total_compressed_size)::DOUBLE AS "end"
    FROM parquet_metadata('${part}') WHERE path_in_schema = 'payload'`);
    await flip(part, Number(column?.end) - 1);
    if (content === 'new')
      await publisher.db.run("UPDATE registrations SET eligibility_text = 'Adults' WHERE registry = 'isrctn'");
    const fault = await run().catch((error: unknown) => error);
    expect(fault).toBeInstanceOf(SnapshotFault);
    expect((fault as SnapshotFault).message).toBe(
      `raw/part-0000.parquet of the served version is damaged, and ${join(publisher.dataDir, 'work', 'raw-parts')} shares it; remove that folder and run again: it is written again from the raw sets`,
    );
    expect(await readCurrent(publisher.snapshots)).toBe(first.version);
    await rm(join(publisher.dataDir, 'work', 'raw-parts'), { recursive: true });
    await publisher.fill({ trials: [] });
    await publisher.fill(tinyCorpus);
    if (content === 'equal')
      expect((await run()).replaced).toMatchObject({ version: first.version, damaged: ['raw/part-0000.parquet'] });
  },
);

const COMPARED = ['registrations.parquet', 'canonical_ids.parquet', 'signals.parquet'];

test.each(COMPARED)('a damaged %s of the served version is named with what mends it', async (table) => {
  await copyOf(both);
  expect(second.version).not.toBe(first.version);
  await flip(join(publisher.snapshots, second.version, table));
  const fault = await run().catch((error: unknown) => error);
  expect(fault).toBeInstanceOf(SnapshotFault);
  const accept = 'publish with `--accept no-parent --reason "who accepts it and why"`';
  const what = `${table} of ${second.version}, which is served, is damaged`;
  expect((fault as SnapshotFault).message).toBe(
    `${what}, so that nothing can be compared with it; \`pipeline current ${first.version}\` serves the newest sound version, or ${accept}`,
  );
  await flip(join(publisher.snapshots, first.version, 'trials.parquet'));
  await expect(run()).rejects.toThrow(`no other version there is sound: restore one, or ${accept}`);
  const { manifest } = await run(['no-parent']);
  expect(manifest).toMatchObject({ parent: null, accepted: ['no-parent'] });
});

it('verify names what mends a damaged image, and a damaged table', async () => {
  await copyOf(both);
  const { version } = second;
  await flip(join(publisher.snapshots, version, 'serving', 'ids.arrow'));
  expect(await mendOf(version)).toBe(
    '`pipeline publish` makes the image again from the working tables, as a new version; of a version that was pulled without it, `--tables-only` checks the rest',
  );
  await flip(join(publisher.snapshots, version, 'links.parquet'));
  expect(await mendOf(version)).toBe(
    `this version is served: \`pipeline current ${first.version}\` serves the newest sound version instead`,
  );
  // Sizes and compared tables do not tell: `current` reads every file before it serves a version.
  await flip(join(publisher.snapshots, first.version, 'serving', 'rows.arrow'));
  expect(await mendOf(version)).toBe('this version is served, and no other there is sound: restore it from a copy');
  await flip(join(publisher.snapshots, first.version, 'trials.parquet'));
  expect(await mendOf(first.version)).toBe('this version is not served: restore it from a copy where it is needed');
});

it('a version that shares a damaged payload is not offered, and the mend is a new one', async () => {
  await copyOf(both);
  const { version } = second;
  await flip(join(publisher.snapshots, version, 'raw', 'part-0000.parquet'));
  expect(await mendOf(version)).toBe(
    'this version is served: remove DATA_DIR/work/raw-parts, which may share the file, and run again: the payloads are written again from the raw sets, as a new version',
  );
  expect(await newestOtherSound(publisher.snapshots, version)).toBeNull();
  expect(await newestOtherSound(publisher.snapshots, version, comparedFiles)).toMatchObject({ version: first.version });
});
