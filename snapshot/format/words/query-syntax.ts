import { textUnits } from './tokens.ts';

/** `q` under match=concepts, before any of its words is looked up. */
export type QueryNode =
  | { kind: 'all' | 'any'; of: QueryNode[] }
  | { kind: 'not'; of: QueryNode }
  /** Words side by side: phrases of concepts are looked for among them. */
  | { kind: 'words'; text: string }
  /** A phrase in quotation marks: taken as it stands. */
  | { kind: 'phrase'; text: string };

const QUOTES = '"\\u201c-\\u201f\\u00ab\\u00bb\\uff02\\u301d-\\u301f';
/** A hyphen, or the dash or minus that an editor made of one. */
export const MINUS = '[-\\u2010-\\u2013\\u2212]';
const PHRASE = `[${QUOTES}]([^${QUOTES}]*)[${QUOTES}]`;
/** A quoted phrase, a bracket, or a run of other characters; a quotation mark without a partner is a blank. */
const TOKENS = new RegExp(`(${MINUS}?)(?:${PHRASE}|([()]|[^\\s()${QUOTES}]+))`, 'gu');
const PHRASES = new RegExp(PHRASE, 'gu');
const QUOTE = new RegExp(`[${QUOTES}]`, 'gu');

type Kind = 'open' | 'close' | 'or' | 'and' | 'not' | 'words' | 'phrase';
const OPERATORS: Readonly<Record<string, Kind>> = { '(': 'open', ')': 'close', OR: 'or', AND: 'and', NOT: 'not' };
/** Operators as answers name them. */
const NAMES: { [K in Kind]?: string } = {
  or: 'OR',
  and: 'AND',
  not: '- or NOT',
  open: 'parentheses',
  close: 'parentheses',
};

interface Token {
  kind: Kind;
  text: string;
  /** As it stands in the query, without a hyphen that excludes nothing. */
  written: string;
  /** By a hyphen of its own. */
  excludes: boolean;
}

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

/** The tokens, with an operator in place of each hyphen that excludes. */
function tokensOf(q: string): Token[] {
  const operator: Token = { kind: 'not', text: '', written: '', excludes: false };
  return writtenIn(q).flatMap((token) => (token.excludes ? [operator, token] : [token]));
}

function writtenIn(q: string): Token[] {
  const all: Token[] = [];
  let end = -1;
  for (const found of q.matchAll(TOKENS)) {
    const [whole, minus = '', phrase, word = ''] = found;
    const isApart = end !== found.index || all.at(-1)?.kind === 'open';
    end = found.index + whole.length;
    // A hyphen inside a word belongs to it; one before a word, after a blank, excludes the word.
    const excludes = minus !== '' && isApart;
    const written = excludes ? whole : whole.slice(minus.length);
    const isOperator = phrase === undefined && Object.hasOwn(OPERATORS, word);
    const kind = isOperator ? (OPERATORS[word] as Kind) : phrase === undefined ? 'words' : 'phrase';
    all.push({ kind, text: phrase ?? word, written, excludes });
  }
  return all;
}

const isText = ({ kind }: Token): boolean => kind === 'words' || kind === 'phrase';

/** A word or "phrase" of a query, and the query without it. */
export interface QueryPiece {
  piece: string;
  rest: string;
}

/** The words and "phrases" of a query. One that is excluded is left out with what excludes it; operators are no words. */
export function wordsIn(q: string): QueryPiece[] {
  const all = writtenIn(q);
  return all.flatMap((token, place): QueryPiece[] => {
    if (!isText(token) || textUnits(token.text).length === 0) return [];
    let from = place;
    while (all[from - 1]?.kind === 'not') from -= 1;
    const rest = all.filter((_, other) => other < from || other > place).map((other) => other.written);
    return [{ piece: token.written, rest: rest.join(' ') }];
  });
}

/** What `q` excludes, as it is written: under match=words these words must occur instead. */
export function excludedIn(q: string): string[] {
  const all = writtenIn(q);
  return all.flatMap((token, place): string[] => {
    if (!isText(token) && token.kind !== 'open') return [];
    if (!token.excludes && all[place - 1]?.kind !== 'not') return [];
    return [token.excludes ? token.written.slice(1) : token.written];
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
    tokens.filter((token) => token.kind === kind).map(({ text }) => text);
  return { words: textsOf('words'), phrases: textsOf('phrase') };
}

/** What opens or closes in `q` without a partner: it was left out. */
export function unpairedIn(q: string): ('quotation mark' | 'parenthesis')[] {
  const marks = q.match(QUOTE)?.length ?? 0;
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

/** `q` with a blank for each phrase in quotation marks. */
export function withoutPhrases(q: string): string {
  return q.replaceAll(PHRASES, ' ');
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
  const [next] = tokens;
  if (token?.kind !== 'not' || next === undefined || !(isText(next) || next.kind === 'open')) return null;
  const excluded = readOne(tokens);
  return excluded && { kind: 'not', of: excluded };
}

function wordsNode(kind: 'words' | 'phrase', text: string): QueryNode | null {
  return textUnits(text).length === 0 ? null : { kind, text };
}

function joined(kind: 'all' | 'any', parts: readonly (QueryNode | null)[]): QueryNode | null {
  const held = parts.filter((part) => part !== null);
  return held.length > 1 ? { kind, of: held } : (held[0] ?? null);
}

/** What a search by words reads as a word or leaves out, though the caller may have meant an operator by it. */
export function operatorsIn(q: string): string[] {
  const found = tokensOf(q).flatMap(({ kind }) => NAMES[kind] ?? []);
  return [...new Set([...found, ...(q.includes('*') ? ['*'] : [])])];
}
