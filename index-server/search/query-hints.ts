import type { SnapshotImage } from '../snapshot/snapshot-image.ts';
import { phaseIn } from './better-question.ts';
import { resolveId } from './held-trial.ts';
import { isIdentifier } from './unheld-id.ts';

/** Notices on words of `q` that a filter or a look-up reads better. They change no count. */

/** Numbers of both registries have so many digits. */
const NUMBER_DIGITS = 8;
const NUMBER = /\b(?:nct|isrctn)\d{8}\b/giu;
/** Numbers that are looked up for one query. */
const NUMBERS_TOLD = 3;

export function queryHints(image: SnapshotImage, { q, phase }: { q?: string | undefined; phase?: unknown }): string[] {
  if (q === undefined) return [];
  const slip = slipIn(q);
  return [
    ...(slip === null ? [] : [slip]),
    ...(phase === undefined ? phaseHint(q) : []),
    ...(isIdentifier(q) ? [] : numberHints(image, q)),
  ];
}

/** What q says of itself where it is the number of a registration with a digit too few or too many. */
function slipIn(q: string): string | null {
  const [, registry, digits] = /^\s*(nct|isrctn)[\s:]*(\d+)\s*$/i.exec(q) ?? [];
  if (registry === undefined || digits === undefined || digits.length === NUMBER_DIGITS) return null;
  return `${registry.toUpperCase()}${digits} has ${digits.length} digits and was read as a word; ${registry.toUpperCase()} numbers have ${NUMBER_DIGITS}.`;
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
