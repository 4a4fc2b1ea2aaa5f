import { isFiller } from './not-stated.ts';
import { distinct } from './values.ts';

/** Between names; a comma between digits belongs to a name (`1,000 IU`). */
const SEPARATOR = /([;\n\r]|,(?!(?<=\d,)\d))/;

/**
 * Names in an ISRCTN `drugNames` text, separated by commas, semicolons and line breaks outside brackets. Brackets that do
 * not match are plain characters.
 */
export function splitDrugNames(text: string | null): string[] {
  const names = [''];
  const heedsBrackets = text !== null && levelAfter(text, 0) === 0;
  let level = 0;
  for (const piece of text?.split(SEPARATOR) ?? []) {
    if (level === 0 && SEPARATOR.test(piece)) names.push('');
    else names.push(names.pop() + piece);
    if (heedsBrackets) level = levelAfter(piece, level);
  }
  return distinct(names.map((name) => name.trim()).filter((name) => name !== '' && !isFiller(name)));
}

/** Brackets that are open behind the text; NaN where one is closed that was not opened. */
function levelAfter(text: string, before: number): number {
  let level = before;
  for (const [bracket] of text.matchAll(/[([{}\])]/g)) {
    level += '([{'.includes(bracket) ? 1 : -1;
    if (level < 0) return Number.NaN;
  }
  return level;
}
