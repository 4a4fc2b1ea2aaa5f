import { expect, test } from 'vitest';
import { Random } from '../../tools/generator/random.ts';
import { amountOf } from '../support/runner/amount.ts';
import { damaged } from './damages.ts';
import { failedCheck, REFERENCE_CHECKS } from './reference-check.ts';
import { copyOf, makeWorld, type Proof, proofIn } from './worlds.ts';

const PROOFS = amountOf({ quick: 300, deep: 10_000 });
const WORLDS = amountOf({ quick: 24, deep: 120 });
// The compiler reads no JavaScript, so the path is no literal.
const verifier = new URL('../../snapshot/proof/verify.mjs', import.meta.url).href;
const { Misuse, verifyBundle } = await import(verifier);

/** The check that fails; else `ok` where the origin is proven, and `consistent` where it is not. */
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

test('verify.mjs finds that good proofs hold, and so does a check that was written from its documentation', async () => {
  for (const [place, proof] of proofs.entries()) {
    const text = JSON.stringify(proof.bundle);
    // Every tenth as the service answers it.
    const file = Buffer.from(place % 10 === 0 ? `{"data":${text},"_meta":{}}` : text);
    const expected = isFromElsewhere(proof) ? 'ok' : 'consistent';
    expect([await verdict(file, proof.wanted), failedCheck(file, proof.wanted.identity)]).toEqual([expected, null]);
  }
});

test('both refuse damaged ones, by the check that the damage is of', async () => {
  const seen = new Set<string>();
  for (const proof of proofs) {
    const { check, file, wanted } = damaged(() => copyOf(proof), random);
    const text = file.toString().slice(0, 3000);
    expect(await verdict(file, wanted), text).toBe(check);
    if (REFERENCE_CHECKS.includes(check)) expect(failedCheck(file, wanted.identity), text).toBe(check);
    seen.add(check);
  }
  expect(seen.size).toBe(13);
});
