import { execFileSync, spawn } from 'node:child_process';
import { once } from 'node:events';
import { createInterface } from 'node:readline';
import { fileURLToPath } from 'node:url';
import { expect, test } from 'vitest';
import { Random } from '../../tools/generator/random.ts';
import { amountOf } from '../support/runner/amount.ts';
import { copyOf, damaged } from './damages.ts';
import { makeWorld, type Proof, proofIn } from './worlds.ts';

/** The verifier that is served, and one in another language that was written from its documentation, judge the same proofs. */

const PROOFS = amountOf({ quick: 200, deep: 10_000 });
const WORLDS = amountOf({ quick: 24, deep: 120 });

const python = ((): string | null => {
  try {
    return execFileSync('python3', ['--version'], { encoding: 'utf8' });
  } catch {
    return null;
  }
})();
const here = (name: string): string => fileURLToPath(new URL(name, import.meta.url));

/** A verifier as a process that is asked line by line. */
async function answersOf(command: string, words: string[], lines: readonly string[]): Promise<string[]> {
  const child = spawn(command, words, { stdio: ['pipe', 'pipe', 'inherit'] });
  const answers: string[] = [];
  const reading = (async () => {
    for await (const line of createInterface({ input: child.stdout })) answers.push(line);
  })();
  for (const line of lines) if (!child.stdin.write(`${line}\n`)) await once(child.stdin, 'drain');
  child.stdin.end();
  await reading;
  return answers;
}

const line = (bundle: Buffer, wanted: Proof['wanted']): string =>
  JSON.stringify({ bundle: bundle.toString('base64'), ...wanted });

const worlds = Array.from({ length: WORLDS }, (_, seed) => makeWorld(seed));
const random = new Random(7, 0, 0);
const proofs = Array.from({ length: PROOFS }, (_, place) => proofIn(worlds[place % WORLDS]!, random));

async function judged(lines: readonly string[]): Promise<{ node: string[]; python: string[] | null }> {
  const [node, other] = await Promise.all([
    answersOf(process.execPath, [here('verify-stream.mjs')], lines),
    python === null ? null : answersOf('python3', [here('../../snapshot/proof/verify.py'), '--stream'], lines),
  ]);
  return { node, python: other };
}

/** That something from elsewhere says where a good proof comes from; a kept checkpoint only of the entries that it counts. */
function isFromElsewhere({ bundle, wanted }: Proof): boolean {
  const counted = wanted.checkpoint === undefined ? 0 : Number(wanted.checkpoint.split('\n')[1]);
  return wanted.identity !== undefined || wanted.keys !== undefined || bundle.log!.index < counted;
}

test('both find that good proofs hold', async () => {
  const good = proofs.map(({ bundle, wanted }, place) => {
    const text = JSON.stringify(bundle);
    // Every tenth as the service answers it.
    return line(Buffer.from(place % 10 === 0 ? `{"data":${text},"_meta":{}}` : text), wanted);
  });
  const found = await judged(good);
  expect(found.node).toEqual(proofs.map((proof) => (isFromElsewhere(proof) ? 'ok' : 'consistent')));
  expect(new Set(found.node).size).toBe(2);
  if (python !== null) expect(found.python).toEqual(found.node);
});

test('both refuse damaged ones, by the same check', async () => {
  const bad = proofs.map((proof) => damaged(() => copyOf(proof), random));
  const lines = bad.map(({ bundle, wanted }) => line(bundle, wanted));
  const found = await judged(lines);
  const wrong = found.node.flatMap((answer, place) => {
    const { check, bundle, wanted } = bad[place]!;
    const expected = check ?? (['ok', 'consistent'].includes(answer) ? 'a refusal' : answer);
    return answer === expected ? [] : [{ place, answer, expected, wanted, bundle: bundle.toString().slice(0, 3000) }];
  });
  expect(wrong.slice(0, 3)).toEqual([]);
  if (python !== null) expect(found.python).toEqual(found.node);
  expect([...new Set(found.node)].sort()).toEqual(
    'changes consistency differences form identity links log misuse origin parent rows signature statement tables trial'.split(
      ' ',
    ),
  );
});

test.skipIf(python !== null)('there is no python3, so the second verifier was not asked', () => undefined);
