import { type CompoundUnit, type TextUnit, textUnits, unitKeys, type WordUnit } from './tokens.ts';

/**
 * Free-text queries and their meaning. Postings are tested against the plain reference `matchesQuery`, sequences against
 * `textHasPhrase`.
 */

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
 * True when a trial's fields match every clause. Words and compounds may be anywhere in the fields; a compound matches by
 * its joined key or by all of its parts; a phrase matches within one field.
 */
export function matchesQuery(clauses: readonly QueryClause[], fields: readonly string[]): boolean {
  const units = fields.map(textUnits);
  return unitsMeet(clauses, units, new Set(units.flatMap(unitKeys)));
}

/** `matchesQuery` for fields whose words are read already; `keys` holds every key of the units. */
export function unitsMeet(
  clauses: readonly QueryClause[],
  units: readonly TextUnit[][],
  keys: ReadonlySet<string>,
): boolean {
  return clauses.every((clause) => {
    if (clause.kind === 'word') return keys.has(clause.key);
    if (clause.kind === 'phrase') return textHasPhrase(units, clause.units);
    return keys.has(clause.joined) || clause.parts.every((part) => keys.has(part));
  });
}

/** A position between two keys: before part `part` of unit `unit`. */
interface Place {
  unit: number;
  part: number;
}

/**
 * True when one field contains the keys of the phrase in a row. Each compound, in the field and in the phrase, may be
 * read as its joined key or as its parts in order.
 */
export function textHasPhrase(fields: readonly TextUnit[][], phrase: readonly TextUnit[]): boolean {
  return fields.some((field) => allPlaces(field).some((place) => readsOn(field, place, phrase, { unit: 0, part: 0 })));
}

function readsOn(field: readonly TextUnit[], at: Place, phrase: readonly TextUnit[], wanted: Place): boolean {
  if (wanted.unit === phrase.length) return true;
  return steps(phrase, wanted).some(([wantedKey, wantedNext]) =>
    steps(field, at).some(([key, next]) => key === wantedKey && readsOn(field, next, phrase, wantedNext)),
  );
}

/** Keys that can be read at a place, each with the place after it. */
function steps(units: readonly TextUnit[], { unit, part }: Place): [key: string, next: Place][] {
  const here = units[unit];
  if (here === undefined) return [];
  const behind = { unit: unit + 1, part: 0 };
  if (here.kind === 'word') return [[here.key, behind]];
  const found: [string, Place][] = [];
  if (part === 0) found.push([here.joined, behind]);
  const key = here.parts[part];
  if (key !== undefined) found.push([key, part + 1 < here.parts.length ? { unit, part: part + 1 } : behind]);
  return found;
}

function allPlaces(units: readonly TextUnit[]): Place[] {
  return units.flatMap((unit, index) => {
    const parts = unit.kind === 'word' ? 1 : unit.parts.length;
    return Array.from({ length: parts }, (_, part) => ({ unit: index, part }));
  });
}
