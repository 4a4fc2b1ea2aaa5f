import { tokensOfName } from './fold.ts';
import type { TermSource } from './source-file.ts';

/** Finds which name each phrase of tokens means. */

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
const NEOPLASM_NAMES = ['cancer', 'tumor'];

/** The phrase of each name that wins it. `barred` phrases belong to nobody. */
export function resolvePhrases(names: readonly RankedName[], barred: ReadonlySet<string>): Map<string, Name> {
  const won = new Map<string, Name>();
  const lost = new Set(barred);
  const claims = names.flatMap((name) => claimsOf(name));
  for (const rank of [...new Set(claims.map((claim) => claim.rank))].sort((a, b) => a - b)) {
    const claimed = new Map<string, Name | null>();
    for (const { phrase, name, rank: own } of claims) {
      if (own !== rank || won.has(phrase) || lost.has(phrase)) continue;
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

interface Claim {
  phrase: string;
  rank: number;
  name: Name;
}

/** Turned forms of all names rank behind every name as written, inverted ones behind those of their own source. */
const TURNED = 100;
const INVERTED = 0.5;

function claimsOf(name: RankedName): Claim[] {
  return phrasesOfName(name).map(({ tokens, behind }) => ({
    ...{ phrase: tokens.join(' '), rank: name.rank + behind },
    name,
  }));
}

/**
 * The token sequences by which a text can have a name: as written, inverted, and in other word orders. `behind` is by how
 * much they rank behind names as written. A name that counts in its own case is read as written alone.
 */
export function phrasesOfName({
  term,
  caseSensitive,
}: Pick<Name, 'term' | 'caseSensitive'>): { tokens: string[]; behind: number }[] {
  const usable = (tokens: readonly string[]): boolean => tokens.length > 0 && tokens.length <= TOKENS_MAX;
  const written = tokensOfName(term);
  const ranked = (all: readonly string[][], behind: number) => all.filter(usable).map((tokens) => ({ tokens, behind }));
  if (caseSensitive) return ranked(written, 0);
  const inverted = invertedOf(term).filter(usable);
  return [
    ...ranked(written, 0),
    ...ranked(inverted, INVERTED),
    ...ranked([...written, ...inverted].flatMap(turnsOf), TURNED),
  ];
}

/** "Diabetes Mellitus, Type 1" read as "Type 1 Diabetes Mellitus". */
function invertedOf(term: string): string[][] {
  const parts = term.split(', ');
  return parts.length === 1 ? [] : tokensOfName(parts.reverse().join(' '));
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
