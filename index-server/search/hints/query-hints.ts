import { phaseIn } from '../../../snapshot/format/words/named-filters.ts';
import type { SnapshotImage } from '../../snapshot/snapshot-image.ts';
import { resolveId } from './held-trial.ts';
import { isIdentifier } from './unheld-id.ts';

/** Notices on words of `q` that a filter or a look-up reads better. They change no count. */

const NUMBER = /\b(?:nct|isrctn)\d{8}\b/giu;
/** Numbers that are looked up for one query. */
const NUMBERS_TOLD = 3;

export function queryHints(image: SnapshotImage, { q, phase }: { q?: string | undefined; phase?: unknown }): string[] {
  if (q === undefined) return [];
  return [...(phase === undefined ? phaseHint(q) : []), ...(isIdentifier(q) ? [] : numberHints(image, q))];
}

function phaseHint(q: string): string[] {
  const named = phaseIn(q);
  if (named === null) return [];
  return [
    `“${named.words}” in q is matched as words, which few texts have; phase=${named.value} asks for the phase that registries state.`,
  ];
}

function numberHints(image: SnapshotImage, q: string): string[] {
  const numbers = [...new Set((q.match(NUMBER) ?? []).map((number) => number.toUpperCase()))];
  return numbers.slice(0, NUMBERS_TOLD).map((number) => {
    const trials = resolveId(image, number)?.rows.length ?? 0;
    const leads =
      trials === 0
        ? 'no trial of this index has it'
        : `/api/v1/trials/registrations?id=${number} leads to ${trials === 1 ? 'its trial' : `${trials} trials`}`;
    return `${number} in q is the number of a registration and was matched as a word: ${leads}.`;
  });
}
