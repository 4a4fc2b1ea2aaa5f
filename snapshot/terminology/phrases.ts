import { tokensOfName } from './fold.ts';
import type { SameWords, TermSource } from './sources.ts';

/** Finds which name each phrase means. A phrase is the tokens of a name with blanks between them. */

export interface Name {
  concept: number;
  term: string;
  source: TermSource;
  /** Counts in exactly this case. */
  caseSensitive: boolean;
}

/** Names of lower rank win; of two concepts with one phrase in a rank neither has it. */
export type RankedName = Name & { rank: number };

/** Longer names are descriptions, which no title repeats. */
const TOKENS_MAX = 12;
/** Nouns that stand before "of" as well as last: lung cancer, cancer of the lung. */
const HEAD_NOUNS = new Set(
  `cancer carcinoma neoplasm tumor adenocarcinoma sarcoma lymphoma metastasis disease disorder fracture infection
  inflammation injury stenosis obstruction perforation rupture transplantation cyst ulcer abscess edema hemorrhage thrombosis
  dysfunction failure insufficiency resection biopsy arthroplasty replacement malformation dislocation deficiency`.split(
    /\s+/,
  ),
);
/** What people call a neoplasm. */
const NEOPLASM_NAMES = ['cancer', 'tumor', 'malignancy'];
const JOINING = new Set(['of', 'in', 'with', 'and', 'or', 'to', 'for', 'by', 'due', 'from']);

/** Other word orders and other words of all names rank behind every name as written, inverted ones behind those of their own source. */
const INVERTED = 0.5;
const TURNED = 100;
const REPLACED = 200;

interface Claim {
  phrase: string;
  rank: number;
  name: RankedName;
}

/** The phrases of a name as it is written: compounds as parts, and compounds as one word. */
export function phrasesOf(name: string): string[] {
  return tokensOfName(name).map((tokens) => tokens.join(' '));
}

/** The phrase of each name that wins it. `barred` phrases belong to nobody. */
export function resolvePhrases(
  names: readonly RankedName[],
  barred: ReadonlySet<string>,
  sameWords: readonly SameWords[],
): Map<string, Name> {
  const won = new Map<string, Name>();
  const lost = new Set(barred);
  const written = claimsAsWritten(names);
  const known = new Set(written.map(({ phrase }) => phrase).filter((phrase) => !barred.has(phrase)));
  const others = {
    anywhere: otherWords(sameWords.filter(({ last }) => last !== true)),
    last: otherWords(sameWords.filter(({ last }) => last === true)),
  };
  const claims = [...written, ...written.flatMap((claim) => claimsOtherwise(claim, known, others))];
  const byRank = Map.groupBy(claims, ({ rank }) => rank);
  for (const [, ofRank] of [...byRank].sort(([a], [b]) => a - b)) {
    const claimed = new Map<string, Name | null>();
    for (const { phrase, name } of ofRank) {
      if (won.has(phrase) || lost.has(phrase)) continue;
      const other = claimed.get(phrase);
      if (other === undefined) claimed.set(phrase, name);
      else if (other?.concept !== name.concept) claimed.set(phrase, null);
    }
    for (const [phrase, name] of claimed) {
      if (name === null) lost.add(phrase);
      else won.set(phrase, name);
    }
  }
  return won;
}

/** Names as they are written, and inverted ones in both orders: "Diabetes Mellitus, Type 1" is also "Type 1 Diabetes Mellitus". */
function claimsAsWritten(names: readonly RankedName[]): Claim[] {
  return names.flatMap((name) => {
    const parts = name.term.split(', ');
    const inverted = parts.length === 1 || name.caseSensitive ? [] : tokensOfName(parts.reverse().join(' '));
    return [...claimsOf(tokensOfName(name.term), name, 0), ...claimsOf(inverted, name, INVERTED)];
  });
}

function claimsOf(all: readonly string[][], name: RankedName, behind: number): Claim[] {
  return all
    .filter(({ length }) => length > 0 && length <= TOKENS_MAX)
    .map((tokens) => ({ phrase: tokens.join(' '), rank: name.rank + behind, name }));
}

/** How else a phrase may be written. A name that counts in its own case is read as written alone. */
function claimsOtherwise({ phrase, name }: Claim, known: ReadonlySet<string>, others: OtherWords): Claim[] {
  if (name.caseSensitive) return [];
  const tokens = phrase.split(' ');
  const turned = [...turnsOf(tokens), ...headsFirst(tokens, known)];
  const replaced = replacementsOf(tokens, others).flatMap((one) => [one, ...turnsOf(one)]);
  return [...claimsOf(turned, name, TURNED), ...claimsOf(replaced, name, REPLACED)];
}

/** Other word orders of one phrase, and the lay words for a neoplasm. */
function turnsOf(tokens: readonly string[]): string[][] {
  const last = tokens.at(-1) ?? '';
  const before = tokens.slice(0, -1);
  const lasts = last === 'neoplasm' ? NEOPLASM_NAMES : [];
  const found = lasts.map((word) => [...before, word]);
  if (before.length > 0 && HEAD_NOUNS.has(last) && !tokens.includes('of')) {
    for (const word of [last, ...lasts]) found.push([word, 'of', ...before]);
  }
  if (HEAD_NOUNS.has(tokens[0] ?? '') && tokens[1] === 'of' && tokens.length > 2)
    found.push([...tokens.slice(2), tokens[0]!]);
  return found;
}

/** "Insulin dependent diabetes mellitus" as older lists write it: "diabetes mellitus, insulin dependent". */
function headsFirst(tokens: readonly string[], known: ReadonlySet<string>): string[][] {
  if (tokens.some((token) => JOINING.has(token))) return [];
  return tokens.slice(1).flatMap((_, place) => {
    const head = tokens.slice(place + 1);
    const isName = known.has(tokens.at(-1) as string) || known.has(head.join(' '));
    return isName ? [[...head, ...tokens.slice(0, place + 1)]] : [];
  });
}

/** By token, what people write for it; `last` where it ends a longer name. */
type OtherWords = Record<'anywhere' | 'last', ReadonlyMap<string, readonly string[]>>;

function otherWords(groups: readonly SameWords[]): ReadonlyMap<string, readonly string[]> {
  const pairs = groups.flatMap(({ of }) => {
    const tokens = of.flatMap((word) => tokensOfName(word)[0] ?? []);
    return tokens.map((token) => [token, tokens.filter((other) => other !== token)] as const);
  });
  return new Map(pairs);
}

/** The phrase with one word replaced, or with that and its last one. */
function replacementsOf(tokens: readonly string[], { anywhere, last }: OtherWords): string[][] {
  const end = tokens.length - 1;
  const endings = end === 0 ? [] : (last.get(tokens[end] as string) ?? []).map((word) => tokens.with(end, word));
  return [tokens, ...endings].flatMap((one, place) => {
    const within = one.flatMap((token, at) => (anywhere.get(token) ?? []).map((word) => one.with(at, word)));
    return place === 0 ? within : [[...one], ...within];
  });
}
