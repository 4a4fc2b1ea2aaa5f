// The verifier of proofs, asked line by line as snapshot/proof/verify.py --stream is.

import { createInterface } from 'node:readline';
import { Misuse, verifyBundle } from '../../snapshot/proof/verify.mjs';

for await (const line of createInterface({ input: process.stdin })) {
  const { bundle, ...wanted } = JSON.parse(line);
  process.stdout.write(`${await answer(Buffer.from(bundle, 'base64'), wanted)}\n`);
}

async function answer(content, wanted) {
  try {
    const result = await verifyBundle(content, wanted);
    if (!result.ok) return result.check;
    return result.proven.isOriginProven ? 'ok' : 'consistent';
  } catch (error) {
    if (error instanceof Misuse) return 'misuse';
    throw error;
  }
}
