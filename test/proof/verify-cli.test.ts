import { execFile } from 'node:child_process';
import { writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { signerKey } from '../../proof/note.ts';
import { identityOf } from '../../snapshot-format/statement.ts';
import { Random } from '../../synthetic/random.ts';
import { temporaryDirectory } from '../builders/working-database.ts';
import { makeWorld, type Proof, proofIn } from './worlds.ts';

const VERIFIER = fileURLToPath(new URL('../../proof/verify.mjs', import.meta.url));
const stranger = signerKey('example.org/trials', Buffer.alloc(32, 9)).verifier.vkey;

let folder: Awaited<ReturnType<typeof temporaryDirectory>>;
let proof: Proof;

/** A proof under a signed checkpoint that goes on from an earlier one. */
beforeAll(async () => {
  folder = await temporaryDirectory();
  const random = new Random(5, 0, 0);
  for (let seed = 0; proof === undefined; seed += 1) {
    const made = proofIn(makeWorld(seed), random);
    const { log, consistency, tables } = made.bundle;
    const isWhole = consistency !== undefined && consistency.from < consistency.to && tables.links.rows.length > 0;
    if (log !== null && log.keys.length === 1 && isWhole) proof = made;
  }
  const { bundle } = proof;
  await save('proof.json', JSON.stringify(bundle));
  await save('answer.json', JSON.stringify({ data: bundle, _meta: {} }));
  await save('keys', `# the operator's\n\n${bundle.log!.keys[0]}\n`);
  await save('strangers', `${stranger}\n`);
  await save('empty', '# none\n');
  await save('kept', bundle.consistency!.checkpoint);
  await save('damaged.json', JSON.stringify({ ...bundle, log: { ...bundle.log, index: bundle.log!.size } }));
  await save('hostile.json', JSON.stringify({ ...bundle, log: { ...bundle.log, keys: ['\u202e\u009b'] } }));
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
  const identity = identityOf(bundle.statement);
  const trial = JSON.parse(bundle.tables.trials.rows[0]!.row);
  expect(code).toBe(0);
  const lines = out.trim().split('\n');
  expect(lines.slice(0, 2)).toEqual(['PROVEN', `snapshot ${identity}, as of 2026-10-01`]);
  expect(out).toContain(`held the trial ${trial.canonical_id}`);
  for (const { row } of bundle.tables.registrations.rows) {
    const { registry, id, payload_sha256 } = JSON.parse(row);
    expect(lines).toContain(`  registration ${id} (${registry}), payload SHA-256 ${payload_sha256}`);
  }
  const [, id] = bundle.log!.keys[0]!.split('+');
  expect(lines.slice(-3)).toEqual([
    `entry ${bundle.log!.index} of the log example.org/trials, whose checkpoint counts ${bundle.log!.size}`,
    `signed by example.org/trials+${id}; the key came with the bundle: compare it with one that you have another way (--keys)`,
    `the log of ${bundle.log!.size} goes on from its checkpoint over ${bundle.consistency!.from}, signed by example.org/trials+${id}`,
  ]);
});

test('it holds the proof against what the reader knows', async () => {
  const identity = identityOf(proof.bundle.statement).toUpperCase();
  const held = await run('proof.json', '--keys', 'keys', '--identity', identity, '--checkpoint', 'kept');
  expect(held).toMatchObject({ code: 0, err: '' });
  expect(held.out).toMatch(/^signed by example\.org\/trials\+[0-9a-f]{8}, which you trust$/m);
  expect(held.out).toContain('goes on from the checkpoint that you kept over');
});

test.each<[string[], string]>([
  [['damaged.json'], 'check "log" failed: the identity is not entry'],
  [
    ['proof.json', '--keys', 'strangers'],
    'check "signature" failed: of the checkpoint: none of the trusted keys has signed',
  ],
  [['proof.json', '--identity', '0'.repeat(64)], 'check "identity" failed: the snapshot is'],
  [['proof.json', '--checkpoint', 'strangers'], 'check "consistency" failed: a checkpoint is not three lines or more'],
  [['keys'], 'check "form" failed: the bundle is not JSON in UTF-8'],
  [['hostile.json'], 'check "signature" failed: "\\u{202e}\\u{9b}" is not a public key of Ed25519'],
])('it ends with 1 and names the check that fails: %j', async (words, message) => {
  const { code, out } = await run(...words);
  expect([code, out.startsWith('NOT PROVEN\n'), out]).toEqual([1, true, expect.stringContaining(message)]);
  // What a bundle holds must not act on a terminal.
  expect(out).not.toMatch(/[\u009b\u202e]/);
});

test.each<[string[], string]>([
  [[], 'name one bundle'],
  [['proof.json', 'answer.json'], 'name one bundle'],
  [['--help'], 'name one bundle'],
  [['nowhere.json'], 'ENOENT'],
  [['proof.json', '--keys'], '--keys needs one value'],
  [['proof.json', '--keys', 'nowhere'], 'ENOENT'],
  [['proof.json', '--keys', 'empty'], 'empty holds no key'],
  [['proof.json', '--identity', 'abc'], '--identity is not 64 hex digits'],
])('it ends with 2 where it is used wrongly: %j', async (words, message) => {
  const { code, out, err } = await run(...words);
  expect([code, out, err]).toEqual([2, '', expect.stringContaining(message)]);
  expect(err).toContain('usage: node verify.mjs bundle.json [--keys FILE] [--identity HEX] [--checkpoint FILE]');
});
