// The verifier of proofs, asked line by line as test/proof/verify.py --stream is.

import { createInterface } from 'node:readline';
import { verifyBundle } from '../../proof/verify.mjs';

for await (const line of createInterface({ input: process.stdin })) {
  const { bundle, ...wanted } = JSON.parse(line);
  const result = await verifyBundle(Buffer.from(bundle, 'base64'), wanted);
  process.stdout.write(`${result.ok ? 'ok' : result.check}\n`);
}
