import type { TextUnit } from '../format/words/tokens.ts';

/** Tells where a text names a concept only to say that it is not meant: "non diabetic", "patients without diabetes". */

const NEGATING = new Set(['non', 'un', 'anti', 'not', 'without']);
/** Words that may stand between: "without a history of diabetes". */
const BETWEEN = new Set(
  'a an any of known prior previous history evidence sign symptom established diagnosed existing preexisting overt clinical significant concomitant concurrent underlying current active'.split(
    ' ',
  ),
);
const BETWEEN_MAX = 4;

interface Span {
  from: number;
  to: number;
}

/** The names that count: none behind a word that negates it, nor joined by "or" to such a name. */
export function withoutNegated<Found extends Span>(units: readonly TextUnit[], found: readonly Found[]): Found[] {
  let last: Span | null = null;
  return found.filter((span) => {
    const isJoined = last !== null && last.to === span.from - 1 && wordAt(units, last.to) === 'or';
    if (!isJoined && !isBehindNegation(units, span.from)) return true;
    last = span;
    return false;
  });
}

function isBehindNegation(units: readonly TextUnit[], from: number): boolean {
  let at = from - 1;
  while (at >= 0 && at >= from - BETWEEN_MAX && BETWEEN.has(wordAt(units, at))) at -= 1;
  const word = wordAt(units, at);
  if (!NEGATING.has(word)) return false;
  // "With or without", "with and without" and "with/without" take both.
  const before = at - (['or', 'and'].includes(wordAt(units, at - 1)) ? 2 : 1);
  return word !== 'without' || wordAt(units, before) !== 'with';
}

function wordAt(units: readonly TextUnit[], place: number): string {
  const unit = units[place];
  return unit?.kind === 'word' ? unit.key : '';
}
