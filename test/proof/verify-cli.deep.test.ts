import { execFile } from 'node:child_process';
import { writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { afterAll, beforeAll, expect, test } from 'vitest';
import type { ProofBundle } from '../../contract/schemas/trials/proof.ts';
import { sha256 } from '../../server-kit/hashing.ts';
import { signerKey } from '../../snapshot/proof/note.ts';
import { Random } from '../../tools/generator/random.ts';
import { temporaryDirectory } from '../support/raw-sets.ts';
import { changesPart, makeWorld, type Proof, placesOf, proofIn, tablesFor } from './worlds.ts';

const VERIFIER = fileURLToPath(new URL('../../snapshot/proof/verify.mjs', import.meta.url));
const USAGE =
  'usage: node verify.mjs bundle.json [--keys FILE] [--identity HEX] [--checkpoint FILE] [--require-origin]';
const stranger = signerKey('example.org/trials', Buffer.alloc(32, 9)).verifier.vkey;

let folder: Awaited<ReturnType<typeof temporaryDirectory>>;
/** Under a signed checkpoint that goes on from an earlier one. */
let proof: Proof;
/** Of a trial of two registrations, with accepted and rejected links. */
let merged: Proof['bundle'];
let single: Proof['bundle'];

beforeAll(async () => {
  folder = await temporaryDirectory();
  const random = new Random(5, 0, 0);
  for (let seed = 0; proof === undefined || merged === undefined || single === undefined; seed += 1) {
    const made = proofIn(makeWorld(seed), random);
    const { log, consistency, tables } = made.bundle;
    const verdicts = new Set(tables.links.rows.map(({ row }) => JSON.parse(row).verdict));
    if (tables.registrations.rows.length > 1 && verdicts.size > 1) merged ??= made.bundle;
    if (tables.registrations.rows.length === 1) single ??= made.bundle;
    if (consistency === undefined || log?.keys.length !== 1) continue;
    const isLater = consistency.from < consistency.to && consistency.from <= log.index;
    const hasParent = JSON.parse(made.bundle.statement).storedChanges !== null && made.bundle.changes === undefined;
    const hasOthers = tables.links.size > tables.links.rows.length && tables.links.omitted === undefined;
    if (tables.links.rows.length > 0 && isLater && hasParent && hasOthers) proof ??= made;
  }
  const { bundle } = proof;
  const { log, consistency } = bundle;
  const [origin, size, root] = log!.checkpoint.split('\n');
  const another = Buffer.alloc(32, 7).toString('base64');
  const files = {
    'proof.json': JSON.stringify(bundle),
    'answer.json': JSON.stringify({ data: bundle, _meta: {} }),
    'no-keys.json': JSON.stringify({ ...bundle, log: { ...log, keys: [] } }),
    'refused.json': JSON.stringify({ error: { code: 'TRIAL_NOT_FOUND', message: 'NCT99999999 is no trial.' } }),
    'unread.json': '',
    'hostile.json': JSON.stringify({ ...bundle, log: { ...log, keys: ['\u202e\u009b'] } }),
    keys: `# the operator's\n\n${log!.keys[0]}\n`,
    strangers: `${stranger}\n`,
    empty: '# none\n',
    kept: consistency!.checkpoint,
    fork: `${origin}\n${size}\n${another}\n`,
    longer: `${origin}\n${Number(size) + 3}\n${another}\n`,
    'other-log': `example.org/another\n${size}\n${root}\n`,
    before: `${origin}\n${consistency!.from}\n${another}\n`,
  };
  for (const [name, text] of Object.entries(files)) await save(name, text);
});
afterAll(() => folder[Symbol.asyncDispose]());

const save = (name: string, text: string): Promise<void> => writeFile(join(folder.path, name), text);

/** Exit code and output of the verifier in the folder of the files. */
function run(...words: string[]): Promise<{ code: number; out: string; err: string }> {
  return new Promise((resolve) => {
    execFile(process.execPath, [VERIFIER, ...words], { cwd: folder.path }, (error, out, err) =>
      resolve({ code: error === null ? 0 : (error.code as number), out, err }),
    );
  });
}

test('it says what was proven: snapshot, trial, registrations, links, log', async () => {
  const { code, out } = await run('answer.json');
  const { bundle } = proof;
  const identity = sha256(bundle.statement);
  const trial = JSON.parse(bundle.tables.trials.rows[0]!.row);
  expect(code).toBe(0);
  const lines = out.trim().split('\n');
  expect(lines.slice(0, 3)).toEqual([
    'CONSISTENT IN ITSELF, origin not proven',
    'nothing here proves where it comes from; one of these would: a key that you trust (--keys), the identity (--identity), or a kept checkpoint that counts its entry (--checkpoint)',
    `snapshot ${identity}, as of 2026-10-01`,
  ]);
  expect(out).toContain(`held the trial "${trial.canonical_id}"`);
  for (const { row } of bundle.tables.registrations.rows) {
    const { registry, id, payload_sha256 } = JSON.parse(row);
    expect(lines).toContain(`  registration ${id} (${registry}), payload SHA-256 ${payload_sha256}`);
  }
  const [, id] = bundle.log!.keys[0]!.split('+');
  const { bound, storedChanges } = JSON.parse(bundle.statement);
  expect(lines.slice(-9)).toEqual([
    `the statement names the parent ${bound.parent}, and the root ${storedChanges.root} of the changes since; these are not in the bundle`,
    `entry ${bundle.log!.index} of the log "example.org/trials", whose checkpoint counts ${bundle.log!.size}`,
    `signed by "example.org/trials+${id}"; compare the key with one from elsewhere (--keys)`,
    `the log of ${bundle.log!.size} goes on from its checkpoint over ${bundle.consistency!.from}, signed by "example.org/trials+${id}"`,
    'the file is an answer of the service: its other members, such as _meta, were not looked at',
    'not proven: that this is the newest snapshot, or the one that is served',
    'not proven: that the trial has no further links',
    'not proven: that a registry sent these records, or when the snapshot was published',
    'not proven: prose and long lists themselves: a row has their SHA-256, against which a text can be held',
  ]);
});

/** The first trial of a world with so many changes, proven with them. */
function changedTrial(count: number): { bundle: ProofBundle; changes: Record<string, string | null>[] } {
  for (let seed = 2; ; seed += 5) {
    const world = makeWorld(seed);
    for (const trial of world.trials) {
      const { canonical_id: id } = JSON.parse(world.rows.trials[trial.index]!);
      const changes = world.changes!.map((text) => JSON.parse(text)).filter((change) => change.canonical_id === id);
      if (changes.length !== count) continue;
      const part = changesPart(world.changes!, ...placesOf(world.changes!, id));
      const tables = tablesFor(world, trial);
      const bundle = { statement: world.statement, tables, log: null, changes: part };
      return { bundle: { format: 'trial-board-proof/1', ...bundle }, changes };
    }
  }
}

test.each([0, 3])('it says by which changes a trial followed the parent: %i of them', async (count) => {
  const { bundle, changes } = changedTrial(count);
  await save('changed.json', JSON.stringify(bundle));
  const { code, out } = await run('changed.json');
  const lines = out.split('\n');
  const start = lines.findIndex((line) => line.startsWith('the statement names the parent '));
  const quoted = (value: string | null) => (value === null ? [] : [JSON.stringify(value)]);
  const expected = changes.map(({ kind, registration_id, item, field }) =>
    [`  ${kind}`, ...(registration_id === null ? [] : [registration_id]), ...quoted(item!), ...quoted(field!)].join(
      ' ',
    ),
  );
  const head = count === 0 ? 'none of them is of this trial' : 'of this trial are these and no other:';
  const order = 'not proven: that the table of changes is in its order, and has no more of this trial';
  expect([code, lines[start]]).toEqual([0, expect.stringContaining(`of the changes since; ${head}`)]);
  expect(lines.slice(start + 1, start + 2 + count)).toEqual([...expected, order]);
});

test('two registrations without an accepted link between them are named as a merge without evidence', async () => {
  const alone = "no accepted link of the bundle joins the registrations: only the trial's row makes them one";
  const rejected = merged.tables.links.rows.filter(({ row }) => JSON.parse(row).verdict === 'rejected');
  for (const [name, { tables, ...rest }, rows, isNamed] of [
    ['merged.json', merged, merged.tables.links.rows, false],
    ['unlinked.json', merged, [], true],
    ['rejected.json', merged, rejected, true],
    // A trial of one registration needs no link.
    ['one.json', single, [], false],
  ] as const) {
    await save(name, JSON.stringify({ ...rest, tables: { ...tables, links: { ...tables.links, rows } } }));
    const { code, out } = await run(name);
    expect([code, out.includes(alone)], name).toEqual([0, isNamed]);
    const strict = await run(name, '--require-links');
    expect([strict.code, strict.out.includes('check "links" failed')], name).toEqual(isNamed ? [1, true] : [0, false]);
  }
});

test('it compares the proof with what the reader knows', async () => {
  const identity = sha256(proof.bundle.statement).toUpperCase();
  const held = await run('proof.json', '--keys', 'keys', '--identity', identity, '--checkpoint', 'kept');
  expect(held).toMatchObject({ code: 0, err: '' });
  expect(held.out).toMatch(/^PROVEN\n/);
  expect(held.out).toMatch(/^signed by "example\.org\/trials\+[0-9a-f]{8}", which you trust$/m);
  expect(held.out).toContain('goes on from the checkpoint that you kept over');
});

test('from a signature by a key that is not given nothing follows', async () => {
  const { code, out } = await run('no-keys.json');
  expect([code, out.split('\n')[0]]).toEqual([0, 'CONSISTENT IN ITSELF, origin not proven']);
  expect(out).toMatch(
    /^has a signature by "example\.org\/trials\+[0-9a-f]{8}".*, whose key is not given: nothing follows from it$/m,
  );
  expect(out).not.toContain('unsigned');
});

test.each<[string[], string]>([
  [['proof.json', '--require-origin'], 'check "origin" failed: the bundle agrees with itself, but nothing here proves'],
  [['refused.json'], 'the file is a refusal of the service and no proof: "NCT99999999 is no trial."'],
  [['unread.json'], 'the bundle is not JSON in UTF-8: it is empty'],
  [['keys'], 'check "form" failed: the bundle is not JSON in UTF-8: it was cut, or it is another file'],
  [
    ['proof.json', '--checkpoint', 'fork'],
    "two histories: the kept checkpoint over SIZE has another root than the bundle's log of the same size",
  ],
  [
    ['proof.json', '--checkpoint', 'before'],
    "two histories: the kept checkpoint over FROM has another root than the bundle's earlier checkpoint",
  ],
  [['proof.json', '--checkpoint', 'longer'], 'the log is shorter than the one that was kept (SIZE < LONGER)'],
  [
    ['proof.json', '--checkpoint', 'other-log'],
    'of another log: of "example.org/another", not of "example.org/trials"',
  ],
  [['hostile.json'], 'check "signature" failed: "\\u{202e}\\u{9b}" is not a public key of Ed25519'],
])('it ends with 1 and names the check that fails: %j', async (words, message) => {
  const { code, out } = await run(...words);
  const { log, consistency } = proof.bundle;
  const expected = message
    .replace('SIZE', String(log!.size))
    .replace('LONGER', String(log!.size + 3))
    .replace('FROM', String(consistency!.from));
  expect([code, out.startsWith('NOT PROVEN\n'), out]).toEqual([1, true, expect.stringContaining(expected)]);
  // What a bundle holds must not act on a terminal.
  expect(out).not.toMatch(/[\u009b\u202e]/);
});

test.each<[string[], string]>([
  [[], 'the bundle: name one file'],
  [['proof.json', '--hepl'], "Unknown option '--hepl'"],
  [['proof.json', '--keys', 'nowhere'], 'ENOENT'],
  [['proof.json', '--keys', 'empty'], '--keys: empty holds no key'],
  [['proof.json', '--keys', 'kept'], '--keys: "example.org/trials" is not a public key of Ed25519'],
  [['proof.json', '--identity', 'abc'], '--identity: it is not 64 hex digits'],
  [['proof.json', '--checkpoint', 'strangers'], '--checkpoint: a checkpoint is not three lines or more'],
])('it ends with 2 where it is used wrongly: %j', async (words, message) => {
  const { code, out, err } = await run(...words);
  expect([code, out, err]).toEqual([2, '', expect.stringContaining(message)]);
  expect(err).toContain(USAGE);
});
