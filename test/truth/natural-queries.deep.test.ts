import { existsSync } from 'node:fs';
import { expect, test } from 'vitest';
import { REGISTRY_DATA } from '../support/tree.ts';
import { type Answered, answers, type Mode } from './measures/natural-queries.ts';
import { serveRecords } from './served.ts';

const isHeld = existsSync(REGISTRY_DATA);
if (!isHeld) process.stderr.write(`Natural queries are not asked: ${REGISTRY_DATA} is absent.\n`);

/** The share of all queries together, as they were measured and rounded down to a thousandth. */
const FLOORS = {
  concepts: { precision: 0.96, recall: 0.961 },
  words: { precision: 0.918, recall: 0.22 },
} as const;

function share(answered: readonly Answered[], mode: Mode, of: 'precision' | 'recall'): number {
  const shares = answered.filter((one) => one.mode === mode).map((one) => one[of]);
  return shares.reduce((sum, { hits }) => sum + hits, 0) / shares.reduce((sum, one) => sum + one.of, 0);
}

test.skipIf(!isHeld)('120 natural queries over the real records keep their precision and recall', async () => {
  await using served = await serveRecords(REGISTRY_DATA, { isrctn: false });
  const answered = await answers(served);
  expect(answered).toHaveLength(240);
  for (const mode of ['words', 'concepts'] as const) {
    for (const kind of ['precision', 'recall'] as const) {
      expect(share(answered, mode, kind), `${kind} by ${mode}`).toBeGreaterThanOrEqual(FLOORS[mode][kind]);
    }
  }
  // What nothing is right for finds nothing: a mended or expanded query must not invent trials.
  expect(answered.filter(({ kind, precision }) => kind === 'empty' && precision.of > 0)).toEqual([]);
});
