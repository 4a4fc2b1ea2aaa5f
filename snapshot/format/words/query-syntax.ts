import { textUnits } from './tokens.ts';

/** What `q` says under match=concepts, before any of its words is looked up. */
export type QueryNode =
  | { kind: 'all' | 'any'; of: QueryNode[] }
  | { kind: 'not'; of: QueryNode }
  /** Words side by side: phrases of concepts are looked for among them. */
  | { kind: 'words'; text: string }
  /** A phrase in quotation marks: taken as it stands. */
  | { kind: 'phrase'; text: string };

const QUOTE = /["\u201c-\u201f\u00ab\u00bb\uff02\u301d-\u301f]/;
/** A hyphen, or the dash or minus that an editor made of one. */
export const MINUS = '[-\\u2010-\\u2013\\u2212]';
/** A quoted phrase, a bracket, or a run of other characters; a quotation mark without a partner is a blank. */
const TOKENS = new RegExp(
  `(${MINUS}?)(?:${QUOTE.source}([^${QUOTE.source.slice(1, -1)}]*)${QUOTE.source}|(\\()|(\\))|([^\\s()${QUOTE.source.slice(1, -1)}]+))`,
  'gu',
);

type Token = { kind: 'open' | 'close' | 'or' | 'and' | 'not' } | { kind: 'words' | 'phrase'; text: string };

/**
 * Reads OR, -word, NOT, "phrases" and parentheses. Words side by side must all hold, and bind more closely than OR. A bracket
 * without a partner is left out, and so is an operator without a word; a query of nothing else is read as words. Null where
 * there is no word at all.
 */
export function parseConceptQuery(q: string): QueryNode | null {
  const tokens = tokensOf(q);
  const parts: QueryNode[] = [];
  // A closing bracket without a partner ends a part early; the rest is read as if it stood beside.
  while (tokens.length > 0) {
    const part = readAny(tokens);
    if (part !== null) parts.push(part);
    tokens.shift();
  }
  return joined('all', parts) ?? wordsNode('words', q);
}

function tokensOf(q: string): Token[] {
  return writtenIn(q).flatMap(({ excludes, token }): Token[] => (excludes ? [{ kind: 'not' }, token] : [token]));
}

/** A token as it is written, without a hyphen that excludes nothing. */
interface Written {
  written: string;
  /** By a hyphen of its own. */
  excludes: boolean;
  token: Token;
}

function writtenIn(q: string): Written[] {
  const all: Written[] = [];
  let end = -1;
  for (const found of q.matchAll(TOKENS)) {
    const [whole, minus = '', phrase, open, close, word = ''] = found;
    const isApart = end !== found.index || all.at(-1)?.token.kind === 'open';
    end = found.index + whole.length;
    // A hyphen inside a word belongs to it; one before a word, after a blank, excludes the word.
    const excludes = minus !== '' && isApart;
    const written = excludes ? whole : whole.slice(minus.length);
    if (phrase !== undefined) all.push({ written, excludes, token: { kind: 'phrase', text: phrase } });
    else if (open !== undefined) all.push({ written, excludes, token: { kind: 'open' } });
    else if (close !== undefined) all.push({ written, excludes, token: { kind: 'close' } });
    else all.push({ written, excludes, token: wordToken(word) });
  }
  return all;
}

/** A word or "phrase" of a query, and the query without it. */
export interface QueryPiece {
  piece: string;
  rest: string;
}

/** The words and "phrases" of a query. One that is excluded is left out with what excludes it; operators are no words. */
export function wordsIn(q: string): QueryPiece[] {
  const all = writtenIn(q);
  return all.flatMap(({ written, token }, place): QueryPiece[] => {
    if (!('text' in token) || textUnits(token.text).length === 0) return [];
    let from = place;
    while (all[from - 1]?.token.kind === 'not') from -= 1;
    const rest = all.filter((_, other) => other < from || other > place).map((other) => other.written);
    return [{ piece: written, rest: rest.join(' ') }];
  });
}

/** What `q` excludes, as it is written: under match=words these words must occur instead. */
export function excludedIn(q: string): string[] {
  const all = writtenIn(q);
  return all.flatMap(({ written, excludes, token }, place): string[] => {
    if (!('text' in token) && token.kind !== 'open') return [];
    if (!excludes && all[place - 1]?.token.kind !== 'not') return [];
    return [excludes ? written.slice(1) : written];
  });
}

/** Each word that is excluded alone although another follows it, with that word. */
export function excludedAlone(q: string): { excluded: string; next: string }[] {
  const tokens = tokensOf(q);
  return tokens.flatMap((token, place) => {
    const next = tokens[place + 1];
    if (tokens[place - 1]?.kind !== 'not' || token.kind !== 'words' || next?.kind !== 'words') return [];
    return [{ excluded: token.text, next: next.text }];
  });
}

/** What stands in `q` outside of quotation marks and inside of them, without operators. */
export function textsIn(q: string): { words: string[]; phrases: string[] } {
  const tokens = tokensOf(q);
  const textsOf = (kind: 'words' | 'phrase'): string[] =>
    tokens.flatMap((token) => (token.kind === kind ? [token.text] : []));
  return { words: textsOf('words'), phrases: textsOf('phrase') };
}

/** What opens or closes in `q` without a partner: it was left out. */
export function unpairedIn(q: string): ('quotation mark' | 'parenthesis')[] {
  const marks = [...q].filter((character) => QUOTE.test(character)).length;
  let [open, unpaired] = [0, false];
  for (const { kind } of tokensOf(q)) {
    if (kind === 'open') open += 1;
    if (kind === 'close' && open === 0) unpaired = true;
    else if (kind === 'close') open -= 1;
  }
  return [
    ...(marks % 2 === 1 ? (['quotation mark'] as const) : []),
    ...(unpaired || open > 0 ? (['parenthesis'] as const) : []),
  ];
}

const PHRASES = new RegExp(`${QUOTE.source}[^${QUOTE.source.slice(1, -1)}]*${QUOTE.source}`, 'gu');

/** `q` with a blank for each phrase in quotation marks. */
export function withoutPhrases(q: string): string {
  return q.replaceAll(PHRASES, ' ');
}

function wordToken(word: string): Token {
  if (word === 'OR') return { kind: 'or' };
  if (word === 'AND') return { kind: 'and' };
  return word === 'NOT' ? { kind: 'not' } : { kind: 'words', text: word };
}

/** Reads up to a closing bracket, which it leaves. */
function readAny(tokens: Token[]): QueryNode | null {
  const alternatives: (QueryNode | null)[] = [readAll(tokens)];
  while (tokens[0]?.kind === 'or') {
    tokens.shift();
    alternatives.push(readAll(tokens));
  }
  return joined('any', alternatives);
}

function readAll(tokens: Token[]): QueryNode | null {
  const parts: QueryNode[] = [];
  let run: string[] = [];
  const endRun = (): void => {
    const words = wordsNode('words', run.join(' '));
    if (words !== null) parts.push(words);
    run = [];
  };
  for (let token = tokens[0]; token !== undefined && token.kind !== 'or' && token.kind !== 'close'; token = tokens[0]) {
    if (token.kind === 'words') {
      run.push(token.text);
      tokens.shift();
      continue;
    }
    endRun();
    const part = readOne(tokens);
    if (part !== null) parts.push(part);
  }
  endRun();
  return joined('all', parts);
}

/** Reads a phrase, a group, or what an operator excludes. */
function readOne(tokens: Token[]): QueryNode | null {
  const token = tokens.shift();
  if (token?.kind === 'words' || token?.kind === 'phrase') return wordsNode(token.kind, token.text);
  if (token?.kind === 'open') {
    const group = readAny(tokens);
    if (tokens[0]?.kind === 'close') tokens.shift();
    return group;
  }
  if (token?.kind !== 'not' || tokens[0] === undefined || !EXCLUDED.has(tokens[0].kind)) return null;
  const excluded = readOne(tokens);
  return excluded && { kind: 'not', of: excluded };
}

const EXCLUDED: ReadonlySet<Token['kind']> = new Set(['words', 'phrase', 'open']);

function wordsNode(kind: 'words' | 'phrase', text: string): QueryNode | null {
  return textUnits(text).length === 0 ? null : { kind, text };
}

function joined(kind: 'all' | 'any', parts: readonly (QueryNode | null)[]): QueryNode | null {
  const held = parts.filter((part) => part !== null);
  return held.length > 1 ? { kind, of: held } : (held[0] ?? null);
}

/** What a search by words reads as a word or leaves out, though the caller may have meant an operator by it. */
export function operatorsIn(q: string): string[] {
  const found = tokensOf(q).flatMap((token): string[] => {
    if (token.kind === 'or') return ['OR'];
    if (token.kind === 'and') return ['AND'];
    if (token.kind === 'not') return ['- or NOT'];
    return token.kind === 'open' || token.kind === 'close' ? ['parentheses'] : [];
  });
  return [...new Set([...found, ...(q.includes('*') ? ['*'] : [])])];
}
