import { readFileSync } from 'node:fs';

/**
 * Folds a word to its singular, then to one spelling, by data/rules/words.json. A key need not be a word ("series" becomes "sery",
 * "exercise" "exercize"), but two words of different meaning must not share one; exceptions and stems are words that would.
 */

interface Rule {
  pattern: RegExp;
  replacement: string;
  /** Words that the rule changes. */
  why: string;
}

interface RuleAsWritten {
  pattern: string;
  /** Lists with blanks between, for STEMS in the pattern. */
  stems?: string[];
  replacement: string;
  why: string;
}

interface RulesAsWritten {
  plurals: { kept: string[]; irregular: string[]; endings: RuleAsWritten[] };
  spelling: { notIze: string; families: { family: string; needs: string; rules: RuleAsWritten[] }[] };
}

const FILE = new URL('../../../data/rules/words.json', import.meta.url);
const { plurals, spelling } = JSON.parse(readFileSync(FILE, 'utf8')) as RulesAsWritten;

/** Words whose final s is no plural and whose rest is another word (aid, len, new, ten, ...). */
const KEPT = new Set(wordsOf(plurals.kept));
/** Plurals outside the ending rules: Germanic, Latin and Greek, and lower-case acronyms whose s follows i or u. */
const IRREGULAR = new Map(wordsOf(plurals.irregular).map((pair) => pair.split('>') as [plural: string, string]));
const ENDINGS = plurals.endings.map(ruleOf);
const PLAIN_PLURAL = ENDINGS.slice(-1);

/** In order of application: a family gets the result of the families before it. */
export const SPELLING_FAMILIES: readonly { needs: RegExp; rules: Rule[] }[] = spelling.families.map(
  ({ needs, rules }) => ({ needs: new RegExp(needs), rules: rules.map(ruleOf) }),
);
/** Words whose -z- twin is another word: prize, apprize, maize, seize, assize, baize, bize. */
const NOT_IZE = new RegExp(spelling.notIze);
/** What no family needs is not in most words: they are their own key. */
const NEEDED = new RegExp(spelling.families.map(({ needs }) => needs).join('|'));

function ruleOf({ pattern, stems = [], replacement, why }: RuleAsWritten): Rule {
  return { pattern: new RegExp(pattern.replace('STEMS', wordsOf(stems).join('|'))), replacement, why };
}

function wordsOf(lists: readonly string[]): string[] {
  return lists.flatMap((list) => list.split(' '));
}

/** True for words like AIDS and lens, whose final s is not a plural. */
export function keepsFinalS(word: string): boolean {
  return KEPT.has(word);
}

/** Singular of a word in lower case without accents and possessive; the word itself where no rule applies. */
export function singularKey(word: string): string {
  const irregular = IRREGULAR.get(word);
  if (irregular !== undefined) return irregular;
  if (word.length <= 3 || KEPT.has(word)) return word;
  // Only words in -s, -ie and -ata can match an ending, and without -es only the plain plural.
  const mayEnd = word.endsWith('s') || word.endsWith('ie') || word.endsWith('ata');
  if (!mayEnd) return word;
  const endings = word.endsWith('s') && !word.endsWith('es') ? PLAIN_PLURAL : ENDINGS;
  const rule = endings.find(({ pattern }) => pattern.test(word));
  return rule === undefined ? word : word.replace(rule.pattern, rule.replacement);
}

/** Spelling key of a singular: equal for the British and the American spelling of one word. */
export function spellFold(singular: string): string {
  if (!NEEDED.test(singular) || NOT_IZE.test(singular)) return singular;
  let key = singular;
  for (const { needs, rules } of SPELLING_FAMILIES) {
    if (!needs.test(key)) continue;
    for (const { pattern, replacement } of rules) key = key.replace(pattern, replacement);
  }
  return key;
}
