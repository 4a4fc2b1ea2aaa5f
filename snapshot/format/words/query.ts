import { textHasPhrase } from './sequence.ts';
import { type CompoundUnit, type TextUnit, textUnits, type WordUnit } from './tokens.ts';

/** Free-text queries and their meaning. */

/** A query is the AND of its clauses. */
export type QueryClause = WordUnit | CompoundUnit | PhraseClause;
export interface PhraseClause {
  kind: 'phrase';
  /** At least two. */
  units: TextUnit[];
}

const QUOTES = /["\u201c-\u201f\u00ab\u00bb\uff02\u301d-\u301f]/;

/**
 * The distinct clauses of a query: words, compounds, and "phrases" in straight or typographic quotes. A quote without a
 * partner is a plain character.
 * @returns empty when the query holds no letter and no digit
 */
export function parseQuery(q: string): QueryClause[] {
  const segments = q.split(QUOTES);
  // With an even count the last quote has no partner, and the text after it is not quoted.
  const lastQuoted = segments.length % 2 === 0 ? segments.length - 3 : segments.length - 2;
  const clauses = new Map<string, QueryClause>();
  segments.forEach((segment, index) => {
    const units = textUnits(segment);
    const isPhrase = index % 2 === 1 && index <= lastQuoted && units.length > 1;
    const found: QueryClause[] = isPhrase ? [{ kind: 'phrase', units }] : units;
    for (const clause of found) clauses.set(JSON.stringify(clause), clause);
  });
  return [...clauses.values()];
}

/**
 * True when fields match every clause; `keys` holds every key of their units. Words and compounds may be anywhere in the fields;
 * a compound matches by its joined key or by all of its parts; a phrase matches within one field.
 */
export function unitsMeet(
  clauses: readonly QueryClause[],
  units: readonly TextUnit[][],
  keys: ReadonlySet<string>,
): boolean {
  const has = (unit: TextUnit): boolean => {
    if (unit.kind === 'word') return keys.has(unit.key);
    return keys.has(unit.joined) || unit.parts.every((part) => keys.has(part));
  };
  return clauses.every((clause) =>
    clause.kind === 'phrase' ? clause.units.every(has) && textHasPhrase(units, clause.units) : has(clause),
  );
}
