import type { QueryClause } from '../../../snapshot/format/words/query.ts';
import { type TextUnit, textUnits, unitKeys } from '../../../snapshot/format/words/tokens.ts';

/** The plain reference of a query by words: each position of the text is tried, without numbers or indexes. */
export function matchesQuery(clauses: readonly QueryClause[], fields: readonly string[]): boolean {
  return matchesUnits(clauses, fields.map(textUnits));
}

export function matchesUnits(clauses: readonly QueryClause[], fields: readonly TextUnit[][]): boolean {
  const keys = new Set(fields.flatMap(unitKeys));
  return clauses.every((clause) => {
    if (clause.kind === 'word') return keys.has(clause.key);
    if (clause.kind === 'phrase') return textHasPhrase(fields, clause.units);
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
