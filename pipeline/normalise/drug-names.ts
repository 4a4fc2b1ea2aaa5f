import { isFiller } from './not-stated.ts';
import { distinct } from './values.ts';

const OPENING = '([{';
const CLOSING = ')]}';

/**
 * Names in an ISRCTN `drugNames` text, separated by commas, semicolons and line breaks outside brackets. A comma between
 * digits belongs to a name (`1,000 IU`). Brackets that do not match are plain characters.
 */
export function splitDrugNames(text: string | null): string[] {
  if (text === null) return [];
  const heedBrackets = areBalanced(text);
  const names: string[] = [];
  let depth = 0;
  let start = 0;
  for (let index = 0; index < text.length; index++) {
    const character = text[index] ?? '';
    if (heedBrackets && OPENING.includes(character)) depth++;
    else if (heedBrackets && CLOSING.includes(character)) depth--;
    else if (depth === 0 && isSeparator(text, index)) {
      names.push(text.slice(start, index));
      start = index + 1;
    }
  }
  names.push(text.slice(start));
  return distinct(names.map((name) => name.trim()).filter((name) => name !== '' && !isFiller(name)));
}

function isSeparator(text: string, index: number): boolean {
  const character = text[index];
  if (character === ';' || character === '\n' || character === '\r') return true;
  return character === ',' && !(/\d/.test(text[index - 1] ?? '') && /\d/.test(text[index + 1] ?? ''));
}

function areBalanced(text: string): boolean {
  let depth = 0;
  for (const character of text) {
    if (OPENING.includes(character)) depth++;
    else if (CLOSING.includes(character) && --depth < 0) return false;
  }
  return depth === 0;
}
