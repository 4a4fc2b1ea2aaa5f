import type { AcceptanceReference, AcceptanceType } from '../../../contract/declared/research.ts';
import {
  ACCEPTANCE_MAX_REFERENCES,
  ACCEPTANCE_MAX_VISITS,
  ACCEPTANCE_PATTERN_MAX_WORK,
  ACCEPTANCE_PATTERN_TEXT_MAX_CHARACTERS,
} from '../../../contract/limits/acceptance.ts';
import type { AcceptanceRule, Verdict } from '../../../contract/schemas/board/acceptance.ts';
import { characters } from '../../../contract/schemas/board/board-fields.ts';
import { compilePattern } from './patterns.ts';
import { type Place, pathTo, type Selection, select } from './select.ts';
import { demandOf, inWords, quoted } from './words.ts';

/** Whether an id leads to a live object; null where that cannot be told at present. */
export type Resolver = (to: AcceptanceReference, id: string) => boolean | null;

/** What an evaluation cost, in counted work: the same on every machine. */
export interface Work {
  /** Values looked at. */
  visits: number;
  /** Instructions times characters, over all patterns. */
  matching: number;
}

export interface Evaluation {
  verdicts: Verdict[];
  /** True when every rule passed, null when none failed but some could not be decided. */
  accepted: boolean | null;
  work: Work;
}

/** No registry or board id is longer. */
const ID_MAX_CHARACTERS = 80;
/** What a match costs beside its text. */
const MATCH_MIN_CHARACTERS = 8;

/** Why a value does not pass, or null where it does; `undecided` where the index did not answer. */
type Check = (place: Place) => string | null | typeof UNDECIDED;
const UNDECIDED = Symbol('undecided');

/**
 * Holds an output against the rules, each on its own, and never throws for any output. The work is bounded by its own
 * counters, not by the clock: a rule that would go beyond them fails and says so.
 */
export function evaluate(
  rules: readonly AcceptanceRule[],
  output: Readonly<Record<string, unknown>>,
  resolver: Resolver,
): Evaluation {
  const work: Work = { visits: 0, matching: 0 };
  const selections = new Map<string, Selection | null>();
  const at = (path: string): Selection | null => {
    const known = selections.get(path);
    if (known !== undefined) return known;
    const made = work.visits > ACCEPTANCE_MAX_VISITS ? null : select(output, path);
    work.visits += made?.visits ?? 0;
    selections.set(path, made);
    return made;
  };
  const asked = new Map<string, boolean | null>();
  const resolve: Resolver = (to, id) => {
    const key = `${to} ${id}`;
    if (!asked.has(key)) asked.set(key, asked.size < ACCEPTANCE_MAX_REFERENCES ? resolver(to, id) : false);
    return asked.get(key)!;
  };
  const verdicts = rules.map((rule, place): Verdict => {
    const selection = at(rule.path);
    const outcome = selection === null ? TOO_LARGE : verdictOf(rule, selection, work, resolve);
    return { rule: place, says: inWords(rule), ...outcome, message: rule.message ?? null };
  });
  const failed = verdicts.some(({ passed }) => passed === false);
  const undecided = verdicts.some(({ passed }) => passed === null);
  return { verdicts, accepted: failed ? false : undecided ? null : true, work };
}

/**
 * The ids that rules ask about in an output, at most as many as are looked up, so that a caller can look them up
 * together.
 */
export function referencesIn(
  rules: readonly AcceptanceRule[],
  output: Readonly<Record<string, unknown>>,
): { to: AcceptanceReference; id: string }[] {
  const all: { to: AcceptanceReference; id: string }[] = [];
  evaluate(
    rules.filter(({ rule }) => rule === 'resolvesTo'),
    output,
    (to, id) => {
      all.push({ to, id });
      return null;
    },
  );
  return all;
}

type Outcome = Pick<Verdict, 'passed' | 'found' | 'change'>;

const TOO_LARGE: Outcome = {
  passed: false,
  found: 'more values than one evaluation looks at',
  change: 'Hand back a smaller output.',
};

function verdictOf(rule: AcceptanceRule, selection: Selection, work: Work, resolve: Resolver): Outcome {
  if (rule.rule === 'countAtLeast') return countOf(rule, selection);
  const { found, missing } = selection;
  if (missing !== null) {
    return { passed: false, found: 'nothing', change: `Give a value at ${missing}; it must ${demandOf(rule)}.` };
  }
  const check = checkOf(rule, work, resolve);
  let undecided = false;
  for (const place of found) {
    const fault = check(place);
    if (fault === UNDECIDED) undecided = true;
    else if (fault !== null) {
      return { passed: false, found: `${quoted(place.value)} at ${pathTo(place)}`, change: fault };
    }
  }
  const shown = found.length === 1 ? quoted(found[0]?.value) : `${found.length} values`;
  if (!undecided) return { passed: true, found: shown, change: null };
  return { passed: null, found: shown, change: 'The index did not answer: send the same submission again later.' };
}

function countOf(rule: Extract<AcceptanceRule, { rule: 'countAtLeast' }>, { found }: Selection): Outcome {
  const [only] = found;
  const values =
    !rule.path.includes('[]') && only && Array.isArray(only.value) ? only.value : found.map(({ value }) => value);
  const counted = values.filter((value) => value !== null).length;
  const passed = counted >= rule.count;
  const change = passed ? null : `Give ${rule.count - counted} more at ${rule.path}: at least ${rule.count}.`;
  return { passed, found: `${counted} values`, change };
}

/** Words a rule's demand as a change to make at a place. */
function must(rule: AcceptanceRule, place: Place): string {
  return `Change ${pathTo(place)}: it must ${demandOf(rule)}.`;
}

function checkOf(rule: Exclude<AcceptanceRule, { rule: 'countAtLeast' }>, work: Work, resolve: Resolver): Check {
  const unless =
    (passes: (value: unknown) => boolean): Check =>
    (place) =>
      passes(place.value) ? null : must(rule, place);
  switch (rule.rule) {
    case 'required':
      return unless((value) => value !== null);
    case 'type':
      return unless((value) => TYPES[rule.type](value));
    case 'min':
      return unless((value) => typeof value === 'number' && value >= rule.value);
    case 'max':
      return unless((value) => typeof value === 'number' && value <= rule.value);
    case 'length':
      return unless((value) => {
        const length = lengthOf(value);
        return length !== null && length >= (rule.min ?? 0) && length <= (rule.max ?? Number.POSITIVE_INFINITY);
      });
    case 'pattern':
      return patternCheck(rule, work);
    case 'oneOf': {
      const values = new Set<unknown>(rule.values);
      return unless((value) => values.has(value));
    }
    case 'equals':
      return unless((value) => isSame(value, rule.value));
    case 'resolvesTo':
      return ({ value }) => referenceFault(rule.to, value, resolve);
  }
}

const TYPES: Record<AcceptanceType, (value: unknown) => boolean> = {
  text: (value) => typeof value === 'string',
  number: (value) => typeof value === 'number',
  integer: Number.isInteger,
  boolean: (value) => typeof value === 'boolean',
  list: Array.isArray,
  object: (value) => value !== null && typeof value === 'object' && !Array.isArray(value),
  null: (value) => value === null,
};

/** Code points of a text, items of a list; null for what has no length. */
function lengthOf(value: unknown): number | null {
  if (Array.isArray(value)) return value.length;
  return typeof value === 'string' ? characters(value) : null;
}

function patternCheck(rule: Extract<AcceptanceRule, { rule: 'pattern' }>, work: Work): Check {
  const pattern = compilePattern(rule.pattern);
  return (place) => {
    const { value } = place;
    if (typeof pattern === 'string') return `Nothing passes this rule: ${pattern}.`;
    if (typeof value !== 'string') return must(rule, place);
    if (value.length > ACCEPTANCE_PATTERN_TEXT_MAX_CHARACTERS) {
      return `Shorten ${pathTo(place)}: a pattern is matched against at most ${ACCEPTANCE_PATTERN_TEXT_MAX_CHARACTERS} characters.`;
    }
    const cost = pattern.instructions * Math.max(value.length, MATCH_MIN_CHARACTERS);
    if (work.matching + cost > ACCEPTANCE_PATTERN_MAX_WORK) {
      return 'Hand back fewer or shorter texts: the patterns of this rung would take more work than one evaluation does.';
    }
    work.matching += cost;
    return pattern.matches(value) ? null : must(rule, place);
  };
}

function referenceFault(to: AcceptanceReference, value: unknown, resolve: Resolver): string | null | typeof UNDECIDED {
  if (typeof value === 'string' && value !== '' && value.length <= ID_MAX_CHARACTERS) {
    const known = resolve(to, value);
    if (known === null) return UNDECIDED;
    if (known) return null;
  }
  const few = `At most ${ACCEPTANCE_MAX_REFERENCES} different ids are looked up.`;
  return to === 'finding'
    ? `Give the id of a finding that is not withdrawn, as GET /api/v1/findings lists them. ${few}`
    : `Give an id that GET /api/v1/trials/registrations resolves. ${few}`;
}

/** Whether two JSON values are the same; the order of keys does not count. */
function isSame(one: unknown, other: unknown): boolean {
  if (one === null || other === null || typeof one !== 'object' || typeof other !== 'object') return one === other;
  if (Array.isArray(one) !== Array.isArray(other)) return false;
  const keys = Object.keys(one);
  return (
    keys.length === Object.keys(other).length &&
    keys.every(
      (key) =>
        Object.hasOwn(other, key) &&
        isSame((one as Record<string, unknown>)[key], (other as Record<string, unknown>)[key]),
    )
  );
}
