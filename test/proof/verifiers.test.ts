import { expect, test } from 'vitest';
import { Random } from '../../tools/generator/random.ts';
import { amountOf } from '../support/runner/amount.ts';
import { copyOf, damaged } from './damages.ts';
import { judgement } from './reference-check.ts';
import { makeWorld, type Proof, proofIn } from './worlds.ts';

/** verify.mjs and a check that was written from its documentation judge the same proofs. */

const PROOFS = amountOf({ quick: 300, deep: 10_000 });
const WORLDS = amountOf({ quick: 24, deep: 120 });
/** Checks that the second one leaves out. */
const LEFT_OUT = ['links', 'differences'];
// The compiler reads no JavaScript, so the path is no literal.
const verifier = new URL('../../snapshot/proof/verify.mjs', import.meta.url).href;
const { Misuse, verifyBundle } = await import(verifier);

/** What verify.mjs finds, in the words of the second check. */
async function verdict(bundle: Buffer, wanted: Proof['wanted']): Promise<string> {
  try {
    const { ok, check, proven } = await verifyBundle(bundle, wanted);
    return ok ? (proven.isOriginProven ? 'ok' : 'consistent') : check;
  } catch (error) {
    if (error instanceof Misuse) return 'misuse';
    throw error;
  }
}

const worlds = Array.from({ length: WORLDS }, (_, seed) => makeWorld(seed));
const random = new Random(7, 0, 0);
const proofs = Array.from({ length: PROOFS }, (_, place) => proofIn(worlds[place % WORLDS]!, random));

/** Whether something from elsewhere says where a good proof comes from; a kept checkpoint only of the entries that it counts. */
function isFromElsewhere({ bundle, wanted }: Proof): boolean {
  const counted = wanted.checkpoint === undefined ? 0 : Number(wanted.checkpoint.split('\n')[1]);
  return wanted.identity !== undefined || wanted.keys !== undefined || bundle.log!.index < counted;
}

test('both find that good proofs hold', async () => {
  for (const [place, proof] of proofs.entries()) {
    const text = JSON.stringify(proof.bundle);
    // Every tenth as the service answers it.
    const bundle = Buffer.from(place % 10 === 0 ? `{"data":${text},"_meta":{}}` : text);
    const expected = isFromElsewhere(proof) ? 'ok' : 'consistent';
    expect([await verdict(bundle, proof.wanted), judgement(bundle, proof.wanted)]).toEqual([expected, expected]);
  }
});

test('both refuse damaged ones, by the same check', async () => {
  const seen = new Set<string>();
  for (const proof of proofs) {
    const { check, bundle, wanted } = damaged(() => copyOf(proof), random);
    const found = await verdict(bundle, wanted);
    const text = bundle.toString().slice(0, 3000);
    expect(found, text).toBe(check ?? (['ok', 'consistent'].includes(found) ? 'a refusal' : found));
    if (!LEFT_OUT.includes(found)) expect(judgement(bundle, wanted), text).toBe(found);
    seen.add(found);
  }
  expect([...seen].sort()).toEqual(
    'changes consistency differences form identity links log misuse origin parent rows signature statement tables trial'.split(
      ' ',
    ),
  );
});
