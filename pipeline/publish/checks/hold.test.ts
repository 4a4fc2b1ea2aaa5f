import { randomUUID } from 'node:crypto';
import { writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { afterAll, afterEach, beforeAll, beforeEach, expect, it } from 'vitest';
import { readCurrent } from '../../../snapshot/format/versions/current.ts';
import {
  buildTestImage,
  makeWorkingDatabase,
  publishInputs,
  quietEffects,
  temporaryDirectory,
  tinyCorpus,
} from '../../../test/builders/working-database.ts';
import { deep } from '../../../test/support/runner/amount.ts';
import { copyWithLinks } from '../../../test/support/snapshots/copy-with-links.ts';
import { serve } from '../../cli/snapshot-commands.ts';
import { type Database, openWorkingDatabase } from '../../store/database.ts';
import { type Published, publish } from '../publish.ts';
import { reindex } from '../reindex.ts';
import { list, renderList, renderManifest, show } from '../retention/version-list.ts';
import { PublicationRefused } from './gate.ts';
import { readHold } from './hold.ts';

/** An operator goes back to an older version: no run undoes it unless it is told to. */

const SINCE = '2026-11-21T03:15:00.500Z';
let folder: Awaited<ReturnType<typeof temporaryDirectory>>;
let root: string;
let db: Database;
let older: string;
let newer: string;

// Both versions are published once; each test works on a copy.
beforeAll(async () => {
  folder = await temporaryDirectory();
  root = join(folder.path, 'published');
  db = await makeWorkingDatabase(join(root, 'data'), tinyCorpus);
  older = (await run()).version;
  await db.run("UPDATE registrations SET eligibility_text = 'Adults' WHERE registry = 'isrctn'");
  newer = (await run()).version;
  await db.close();
});
afterAll(() => folder[Symbol.asyncDispose]());

beforeEach(async () => {
  root = join(folder.path, randomUUID());
  await copyWithLinks(join(folder.path, 'published'), root);
  db = await openWorkingDatabase(join(root, 'data'));
});
afterEach(() => db.close());

const snapshots = () => join(root, 'snapshots');

function run(accept: string[] = []): Promise<Published> {
  const inputs = publishInputs(root, tinyCorpus, { onlyIfNew: true, accept, reason: 'Ada: it was looked at' });
  return publish(inputs, db, buildTestImage, quietEffects());
}

it('an older version that was chosen is held against equal and new content, and told', async () => {
  expect(await serve(snapshots(), older, quietEffects())).toBe(newer);
  const refusal = await run().catch((error: unknown) => error);
  expect(refusal).toBeInstanceOf(PublicationRefused);
  const detail = `${older} is held since ${SINCE} by \`pipeline current\`; \`pipeline current ${newer}\` ends the hold with the newest version`;
  expect((refusal as PublicationRefused).breaches).toEqual([{ name: 'held', detail, examples: [] }]);
  expect(await readCurrent(snapshots())).toBe(older);
  expect(renderManifest(await show(snapshots(), older))).toContain(
    `\nheld      since ${SINCE} by \`pipeline current\`: runs are refused until \`pipeline current VERSION\` names the newest one of \`pipeline list\`, or \`--accept held\`\n`,
  );
  const found = await list(snapshots());
  expect(found.snapshots.map(({ version, heldSince }) => [version, heldSince])).toEqual([
    [newer, null],
    [older, SINCE],
  ]);
  expect(renderList(found)).toMatch(new RegExp(`\n\\* ${older} .* MB  held since ${SINCE}  identity [0-9a-f]{64}\n`));
  expect(await show(snapshots(), newer)).not.toHaveProperty('heldSince');
});

deep.it('a hold ends with its acceptance, and with the choice of the newest version', async () => {
  await serve(snapshots(), older, quietEffects());
  const { version, manifest } = await run(['held']);
  expect(manifest).toMatchObject({ parent: older, accepted: ['held'] });
  expect(await readHold(snapshots(), version)).toBeNull();
  expect((await run()).version).toBe(version);

  expect(await serve(snapshots(), older, quietEffects())).toBe(version);
  expect(await serve(snapshots(), version, quietEffects())).toBeNull();
  expect((await run()).version).toBe(version);
});

it('a hold goes with the version whose image is made anew', async () => {
  await serve(snapshots(), older, quietEffects());
  const { version } = await reindex(snapshots(), older, buildTestImage, quietEffects());
  expect(await readCurrent(snapshots())).toBe(version);
  expect(await readHold(snapshots(), version)).toEqual({ version, since: SINCE });
});

it('no hold is set where the newer version is damaged, and an unreadable one stops a run', async () => {
  await writeFile(join(snapshots(), newer, 'trials.parquet'), 'cut');
  expect(await serve(snapshots(), older, quietEffects())).toBeNull();
  await writeFile(join(snapshots(), 'HELD.json'), 'x');
  await expect(run()).rejects.toThrow(
    `${join(snapshots(), 'HELD.json')} cannot be read: \`pipeline current ${older}\` writes it again`,
  );
  expect((await list(snapshots())).problem).toBe(
    `${join(snapshots(), 'HELD.json')} cannot be read: \`pipeline current ${older}\` writes it again`,
  );
});
