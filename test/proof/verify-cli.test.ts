import { execFile } from 'node:child_process';
import { writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { afterAll, beforeAll, expect, test } from 'vitest';
import type { ProofBundle } from '../../contract/schemas/trials/proof.ts';
import { identityOf } from '../../snapshot/format/versions/statement.ts';
import { signerKey } from '../../snapshot/proof/note.ts';
import { Random } from '../../tools/generator/random.ts';
import { temporaryDirectory } from '../builders/working-database.ts';
import { changesPart, makeWorld, type Proof, placesOf, proofIn, tablesFor } from './worlds.ts';

const VERIFIER = fileURLToPath(new URL('../../snapshot/proof/verify.mjs', import.meta.url));
const USAGE =
  'usage: node verify.mjs bundle.json [--keys FILE] [--identity HEX] [--checkpoint FILE] [--require-origin]';
const stranger = signerKey('example.org/trials', Buffer.alloc(32, 9)).verifier.vkey;

let folder: Awaited<ReturnType<typeof temporaryDirectory>>;
let proof: Proof;
/** Of a trial of two registrations, with accepted and rejected links. */
let merged: Proof['bundle'];
let single: Proof['bundle'];

/** A proof under a signed checkpoint that goes on from an earlier one. */
beforeAll(async () => {
  folder = await temporaryDirectory();
  const random = new Random(5, 0, 0);
  for (let seed = 0; proof === undefined || merged === undefined || single === undefined; seed += 1) {
    const made = proofIn(makeWorld(seed), random);
    const { log, consistency, tables } = made.bundle;
    const verdicts = new Set(tables.links.rows.map(({ row }) => JSON.parse(row).verdict));
    if (tables.registrations.rows.length > 1 && verdicts.size > 1) merged ??= made.bundle;
    if (tables.registrations.rows.length === 1) single ??= made.bundle;
    // Its entry came after the earlier checkpoint.
    const isWhole = consistency !== undefined && consistency.from < consistency.to && tables.links.rows.length > 0;
    if (consistency !== undefined && log !== null && consistency.from > log.index) continue;
    const isAlone = made.bundle.changes === undefined && made.bundle.parent === undefined;
    const hasParent = JSON.parse(made.bundle.statement).changes !== null && isAlone;
    const hasOthers = tables.links.size > tables.links.rows.length && tables.links.omitted === undefined;
    if (log !== null && log.keys.length === 1 && isWhole && hasParent && hasOthers) proof ??= made;
  }
  const { bundle } = proof;
  await save('proof.json', JSON.stringify(bundle));
  await save('answer.json', JSON.stringify({ data: bundle, _meta: {} }));
  await save('keys', `# the operator's\n\n${bundle.log!.keys[0]}\n`);
  await save('strangers', `${stranger}\n`);
  await save('empty', '# none\n');
  await save('kept', bundle.consistency!.checkpoint);
  const { origin, size, root } = head(bundle.log!.checkpoint);
  const another = Buffer.alloc(32, 7).toString('base64');
  await save('fork', `${origin}\n${size}\n${another}\n`);
  await save('longer', `${origin}\n${size + 3}\n${another}\n`);
  await save('other-log', `example.org/another\n${size}\n${root}\n`);
  await save('newest', bundle.log!.checkpoint);
  await save('before', `${origin}\n${bundle.consistency!.from}\n${another}\n`);
  await save('no-keys.json', JSON.stringify({ ...bundle, log: { ...bundle.log, keys: [] } }));
  await save(
    'refused.json',
    JSON.stringify({ error: { code: 'TRIAL_NOT_FOUND', message: 'NCT99999999 is no trial.' } }),
  );
  await save('unread.json', '');
  await save('doubled.json', JSON.stringify(bundle).replace('"row":', '"row":"","row":'));
  await save('damaged.json', JSON.stringify({ ...bundle, log: { ...bundle.log, index: bundle.log!.size } }));
  await save(
    'damaged-row.json',
    JSON.stringify(bundle).replace('"row":"{\\"aliases\\"', '"row":"{\\"A\\":1,\\"aliases\\"'),
  );
  await save('large.json', JSON.stringify(bundle).padEnd(262_145));
  await save('hostile.json', JSON.stringify({ ...bundle, log: { ...bundle.log, keys: ['\u202e\u009b'] } }));
});
afterAll(() => folder[Symbol.asyncDispose]());

const head = (checkpoint: string) => {
  const [origin, size, root] = checkpoint.split('\n');
  return { origin: origin!, size: Number(size), root: root! };
};
const save = (name: string, text: string): Promise<void> => writeFile(join(folder.path, name), text);

/** Exit code and output of the verifier in the folder of the files. */
const run = (...words: string[]): Promise<Ended> => ended(process.execPath, VERIFIER, ...words);

interface Ended {
  code: number;
  out: string;
  err: string;
}

function ended(command: string, ...words: string[]): Promise<Ended> {
  return new Promise((resolve) => {
    execFile(command, words, { cwd: folder.path }, (error, out, err) =>
      resolve({ code: error === null ? 0 : (error.code as number), out, err }),
    );
  });
}

test('it says what was proven: snapshot, trial, registrations, links, log', async () => {
  const { code, out } = await run('answer.json');
  const { bundle } = proof;
  const identity = identityOf(bundle.statement);
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
  const { parent, changes } = JSON.parse(bundle.statement);
  expect(lines.slice(-9)).toEqual([
    `the statement names the parent ${parent}, and the root ${changes} of the changes since; these are not in the bundle`,
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

/** A trial of a world with its changes, and with the parent where that is asked for. */
function changedIn(seed: number, place: number, withParent: boolean): ProofBundle {
  const world = makeWorld(seed);
  const parent = world.parent!;
  const trial = world.trials[place]!;
  const id = `"canonical_id":"${JSON.parse(world.rows.trials[trial.index]!).canonical_id}"`;
  const earlier = parent.trials.find(({ index }) => parent.rows.trials[index]!.includes(id))!;
  const { statement, changes } = world;
  return {
    ...{ format: 'trial-board-proof/1', statement, tables: tablesFor(world, trial), log: null },
    changes: changesPart(changes!, ...placesOf(changes!, id.slice(16, -1))),
    ...(withParent ? { parent: { statement: parent.statement, tables: tablesFor(parent, earlier) } } : {}),
  };
}

const NOT_COMPARED = '  not compared: registrations that the trial had in one of both snapshots only';
const ORDER = 'not proven: that the table of changes is in its order, and has no more of this trial';

test.each<[string, ProofBundle, string[]]>([
  [
    'with the parent',
    changedIn(32, 3, true),
    [
      'NAMES; of this trial are these and no other:',
      '  registration-changed ISRCTN20000003 "brief_summary"',
      '  registration-changed ISRCTN20000003 "payload_sha256"',
      '  registration-changed ISRCTN20000003 "sites"',
      '  link-gained "ln_6f92529e5ed6"',
      'the parent, as of 2026-10-01, held the trial too',
      '  these changes name each value in which its rows differ, and no other',
      NOT_COMPARED,
      ORDER,
    ],
  ],
  [
    'of a trial that got a registration',
    changedIn(38, 1, true),
    [
      'NAMES; of this trial are these and no other:',
      '  trial-changed "isrctn_id"',
      '  identifier-gained "orgStudyIdInfo.id"',
      '  link-gained "ln_9164be3cf6eb"',
      '  registration-added ISRCTN20000001',
      'the parent, as of 2026-10-01, held the trial too',
      '  these changes name each value in which its rows differ, and no other',
      NOT_COMPARED,
      ORDER,
    ],
  ],
  [
    'without the parent',
    changedIn(38, 1, false),
    [
      'NAMES; of this trial are these and no other:',
      '  trial-changed "isrctn_id"',
      '  identifier-gained "orgStudyIdInfo.id"',
      '  link-gained "ln_9164be3cf6eb"',
      '  registration-added ISRCTN20000001',
      ORDER,
    ],
  ],
  [
    'of a trial that did not change',
    changedIn(32, 0, true),
    [
      'NAMES; none of them is of this trial',
      'the parent, as of 2026-10-01, held the trial too',
      '  with equal rows',
      NOT_COMPARED,
      ORDER,
    ],
  ],
])('it says by which changes a trial followed the parent: %s', async (name, bundle, expected) => {
  const file = `${name}.json`;
  await save(file, JSON.stringify(bundle));
  const names = /^the statement names the parent [0-9a-f]{64}, and the root [0-9a-f]{64} of the changes since/;
  const { code, out } = await run(file);
  const lines = out.split('\n');
  const printed = lines.slice(
    lines.findIndex((line) => names.test(line)),
    lines.indexOf(ORDER) + 1,
  );
  expect([code, printed.map((line) => line.replace(names, 'NAMES'))]).toEqual([0, expected]);
});

test('two registrations without an accepted link between them are told as a merge without evidence', async () => {
  const alone = "no accepted link of the bundle joins the registrations: only the trial's row makes them one";
  const { tables } = merged;
  for (const [name, rows, isTold] of [
    ['merged.json', tables.links.rows, false],
    ['unlinked.json', [], true],
    ['rejected.json', tables.links.rows.filter(({ row }) => JSON.parse(row).verdict === 'rejected'), true],
  ] as const) {
    await save(name, JSON.stringify({ ...merged, tables: { ...tables, links: { ...tables.links, rows } } }));
    const { code, out } = await run(name);
    expect([code, out.includes(alone)], name).toEqual([0, isTold]);
    const strict = await run(name, '--require-links');
    expect([strict.code, strict.out.includes('check "links" failed')], name).toEqual(isTold ? [1, true] : [0, false]);
  }
});

test('a script that asks for links is content with a trial of one registration, which needs none', async () => {
  const { tables } = single;
  await save('one.json', JSON.stringify({ ...single, tables: { ...tables, links: { ...tables.links, rows: [] } } }));
  expect((await run('one.json', '--require-links')).code).toBe(0);
});

test('links that were left out are the word of the bundle, and no more than the table has room for', async () => {
  const { tables } = proof.bundle;
  const left = (omitted: number) =>
    JSON.stringify({ ...proof.bundle, tables: { ...tables, links: { ...tables.links, omitted } } });
  const others = tables.links.size - tables.links.rows.length;
  expect(others).toBeGreaterThan(0);
  await save('left-out.json', left(others));
  await save('too-many.json', left(others + 1));
  const [most, more] = await Promise.all([run('left-out.json'), run('too-many.json')]);
  expect(most.out).toContain(`the bundle says, and does not prove, that it leaves out ${others} more links`);
  expect([more.code, more.out]).toEqual([1, expect.stringContaining(`and says that it leaves out ${others + 1}`)]);
});

test('it holds the proof against what the reader knows', async () => {
  const identity = identityOf(proof.bundle.statement).toUpperCase();
  const held = await run('proof.json', '--keys', 'keys', '--identity', identity, '--checkpoint', 'kept');
  expect(held).toMatchObject({ code: 0, err: '' });
  expect(held.out).toMatch(/^PROVEN\n/);
  expect(held.out).toMatch(/^signed by "example\.org\/trials\+[0-9a-f]{8}", which you trust$/m);
  expect(held.out).toContain('goes on from the checkpoint that you kept over');
});

test.each([[['--keys', 'keys']], [['--identity', 'IDENTITY']]])(
  'each of these alone proves the origin: %j',
  async (words) => {
    const identity = identityOf(proof.bundle.statement);
    const found = await run(
      'proof.json',
      '--require-origin',
      ...words.map((word) => (word === 'IDENTITY' ? identity : word)),
    );
    expect([found.code, found.out.split('\n')[0]]).toEqual([0, 'PROVEN']);
  },
);

test('a kept checkpoint proves the origin of the entries that it counts: others can be added by anybody', async () => {
  const { bundle } = proof;
  expect(bundle.consistency!.from).toBeLessThanOrEqual(bundle.log!.index);
  const before = await run('proof.json', '--checkpoint', 'kept');
  expect([before.code, before.out.split('\n')[0]]).toEqual([0, 'CONSISTENT IN ITSELF, origin not proven']);
  const { consistency: _, ...alone } = bundle;
  await save('alone.json', JSON.stringify(alone));
  const counted = await run('alone.json', '--checkpoint', 'newest', '--require-origin');
  expect([counted.code, counted.out.split('\n')[0]]).toEqual([0, 'PROVEN']);
});

test('a signature by a key that is not given is told as one from which nothing follows', async () => {
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
  [['large.json'], 'check "form" failed: a file of a bundle has at most 262144 bytes: this has more'],
  [['doubled.json'], 'check "form" failed: an object of the bundle has a member twice'],
  [
    ['proof.json', '--checkpoint', 'fork'],
    "two histories: the kept checkpoint over SIZE has another root than the bundle's log of the same size",
  ],
  [
    ['proof.json', '--checkpoint', 'before'],
    "two histories: the kept checkpoint over FROM has another root than the bundle's earlier checkpoint",
  ],
  [
    ['proof.json', '--checkpoint', 'longer'],
    'the log is shorter than the one that was kept (SIZE < LONGER): it was rolled back, or the bundle is older; ask for a new one',
  ],
  [
    ['proof.json', '--checkpoint', 'other-log'],
    'of another log: of "example.org/another", not of "example.org/trials"',
  ],
  [['damaged.json'], 'check "log" failed: the identity is not entry'],
  [
    ['proof.json', '--keys', 'strangers'],
    'check "signature" failed: of the checkpoint: none of the trusted keys has signed',
  ],
  [['proof.json', '--identity', '0'.repeat(64)], 'check "identity" failed: the snapshot is'],
  [['keys'], 'check "form" failed: the bundle is not JSON in UTF-8: it was cut, or it is another file'],
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
  [['proof.json', 'answer.json'], 'the bundle: name one file'],
  [['proof.json', '--hepl'], "Unknown option '--hepl'"],
  [['nowhere.json'], 'ENOENT'],
  [['proof.json', '--keys'], "Option '--keys <value>' argument missing"],
  [['proof.json', '--keys', '--require-origin'], "Option '--keys' argument is ambiguous"],
  [['proof.json', '--keys', ''], 'ENOENT'],
  [['proof.json', '--keys', 'nowhere'], 'ENOENT'],
  [['proof.json', '--keys', 'empty'], '--keys: empty holds no key'],
  [['proof.json', '--keys', 'kept'], '--keys: "example.org/trials" is not a public key of Ed25519'],
  [['proof.json', '--identity', 'abc'], '--identity: it is not 64 hex digits'],
  [['proof.json', '--checkpoint', 'nowhere'], 'ENOENT'],
  [['proof.json', '--checkpoint', 'strangers'], '--checkpoint: a checkpoint is not three lines or more'],
])('it ends with 2 where it is used wrongly: %j', async (words, message) => {
  const { code, out, err } = await run(...words);
  expect([code, out, err]).toEqual([2, '', expect.stringContaining(message)]);
  expect(err).toContain(USAGE);
});

test('--help prints the usage', async () => {
  expect(await run('--help')).toMatchObject({ code: 0, out: expect.stringContaining(USAGE), err: '' });
});
