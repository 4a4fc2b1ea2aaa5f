import { parseQuery } from '../../../snapshot/format/words/query.ts';
import { type TextUnit, textUnits } from '../../../snapshot/format/words/tokens.ts';

/**
 * Text and queries in the form in which other engines read them: keys of snapshot/format/words/tokens.ts between blanks, so
 * that an engine that knows blanks alone folds as our search does.
 */

/** Separates two texts, so that no phrase crosses from one into the other. A private-use character, so no key equals it. */
export const BREAK = '\ue000';

export interface FoldedQuery {
  /** Keys that a trial must hold anywhere. */
  words: string[];
  /** Keys that must follow each other within one text. */
  phrases: string[][];
}

/**
 * All texts of a trial as keys. A compound is written as its parts; each reading that takes it whole follows as a text of
 * its own, with its neighbours. Exact for words and for phrases of two words: a longer phrase might go through two
 * compounds, one read whole and one in parts.
 */
export function foldTexts(texts: readonly string[]): string {
  const pieces = [...new Set(texts)].map(textUnits).flatMap((units) => [inParts(units), ...readWhole(units)]);
  return pieces.map((keys) => keys.join(' ')).join(` ${BREAK} `);
}

function partsOf(unit: TextUnit): string[] {
  return unit.kind === 'word' ? [unit.key] : unit.parts;
}

function inParts(units: readonly TextUnit[]): string[] {
  return units.flatMap(partsOf);
}

function readWhole(units: readonly TextUnit[]): string[][] {
  return units.flatMap((unit, place) => {
    if (unit.kind === 'word') return [];
    const before = units[place - 1];
    const after = units[place + 1];
    const around = [before && partsOf(before).at(-1), unit.joined, after && partsOf(after)[0]];
    const readings = [around.filter((key) => key !== undefined)];
    if (after?.kind === 'compound') readings.push([unit.joined, after.joined]);
    return readings;
  });
}

/**
 * A query of words and phrases of words.
 * @throws RangeError for compounds, which can be read in several ways
 */
export function foldQuery(q: string): FoldedQuery {
  const folded: FoldedQuery = { words: [], phrases: [] };
  const keyOf = (unit: TextUnit): string => {
    if (unit.kind === 'compound') throw new RangeError(`the queries compared are of plain words, not ${q}`);
    return unit.key;
  };
  for (const clause of parseQuery(q)) {
    if (clause.kind === 'phrase') folded.phrases.push(clause.units.map(keyOf));
    else folded.words.push(keyOf(clause));
  }
  return folded;
}
