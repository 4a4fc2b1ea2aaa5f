import { BREAK, type FoldedQuery } from '../folding.ts';

/** Folded text as PostgreSQL's own types hold it, given lexeme by lexeme because its parsers would cut keys up again. */

/** The longest lexeme that a tsvector takes, in bytes. */
const LEXEME_BYTES_MAX = 2046;

/** The tsvector of a folded text: each key with its places; between two texts a place is left out, so that no phrase crosses. */
export function tsvectorOf(text: string): string {
  const places = new Map<string, number[]>();
  let place = 0;
  for (const key of text.split(' ')) {
    if (key === '') continue;
    place += 1;
    if (key === BREAK || Buffer.byteLength(key) > LEXEME_BYTES_MAX) continue;
    const known = places.get(key);
    if (known) known.push(place);
    else places.set(key, [place]);
  }
  return [...places].map(([key, at]) => `${quoted(key)}:${at.join(',')}`).join(' ');
}

export function tsqueryOf({ words, phrases }: FoldedQuery): string {
  const runs = phrases.map((keys) => `(${keys.map(quoted).join(' <-> ')})`);
  return [...words.map(quoted), ...runs].join(' & ');
}

function quoted(key: string): string {
  return `'${key.replaceAll('\\', '\\\\').replaceAll("'", "''")}'`;
}
