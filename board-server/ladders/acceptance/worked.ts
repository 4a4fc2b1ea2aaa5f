import type { AcceptanceType } from '../../../contract/declared/research.ts';
import { type AcceptanceRule, type PathStep, pathSteps } from '../../../contract/schemas/board/acceptance.ts';
import { evaluate } from './evaluate.ts';
import { inWords } from './words.ts';

/** An output made from the rules alone, and the rules whose value only the author of a submission can give. */
interface WorkedOutput {
  output: Record<string, unknown>;
  /** Rules that it does not pass, in words. */
  yours: string[];
}

/** Larger examples say no more. */
const LIST_MAX_ITEMS = 20;
const TEXT_MAX_CHARACTERS = 200;
/** Characters of the whole example, about. */
const SIZE_MAX = 10_000;
const NODE_SIZE = 10;

/**
 * An output of the shape that the rules ask for. It is held against the rules themselves, so it passes every rule that
 * it claims to pass. Rules about ids and patterns, and rules that contradict each other, are left to the author of the
 * submission.
 */
export function workedOutput(rules: readonly AcceptanceRule[]): WorkedOutput {
  const byPath = Map.groupBy(rules, ({ path }) => path);
  // Longer paths first, so that the lists and objects they make are there when shorter paths are filled in.
  const paths = [...byPath.keys()].sort((one, other) => pathSteps(other)!.length - pathSteps(one)!.length);
  const output: Record<string, unknown> = {};
  const grown = { size: 0 };
  for (const path of paths) {
    grow(
      output,
      pathSteps(path)!,
      (depth) => itemsAt(rules, path, depth),
      () => valueFor(byPath.get(path)!),
      grown,
    );
  }
  const { verdicts } = evaluate(rules, output, () => false);
  return { output, yours: verdicts.flatMap(({ passed, rule }) => (passed ? [] : [inWords(rules[rule]!)])) };
}

/** Puts a value at every place of a path, making lists and objects on the way; never replaces what is there. */
function grow(
  into: Record<string | number, unknown> | unknown[],
  [step, ...rest]: readonly PathStep[],
  itemsOf: (depth: number) => number,
  value: () => unknown,
  grown: { size: number },
  depth = 0,
): void {
  const isList = Array.isArray(into);
  if (step === undefined || isList !== (step === 'each' || 'index' in step)) return;
  const names =
    step === 'each'
      ? Array.from({ length: Math.max(itemsOf(depth), (into as unknown[]).length) }, (_, index) => index)
      : ['key' in step ? step.key : step.index];
  const target = into as Record<string | number, unknown>;
  for (const name of names) {
    grown.size += NODE_SIZE;
    if (grown.size > SIZE_MAX || (typeof name === 'number' && name >= LIST_MAX_ITEMS)) return;
    const next = rest[0];
    if (isList) while (into.length < (name as number)) into.push(null);
    if (next === undefined) {
      if (Object.hasOwn(target, name) && target[name] !== null) continue;
      target[name] = value();
      grown.size += JSON.stringify(target[name]).length;
      continue;
    }
    if (!Object.hasOwn(target, name) || target[name] === null) {
      target[name] = next === 'each' || 'index' in next ? [] : {};
    }
    const child = target[name];
    if (child !== null && typeof child === 'object') {
      grow(child as Record<string, unknown>, rest, itemsOf, value, grown, depth + 1);
    }
  }
}

/** Number of items in the list at the bracket at `depth` of a path: as many as the rules about that list ask for. */
function itemsAt(rules: readonly AcceptanceRule[], path: string, depth: number): number {
  const prefix = JSON.stringify(pathSteps(path)!.slice(0, depth));
  const asked = rules.map((rule) => {
    const steps = pathSteps(rule.path)!;
    const isList = JSON.stringify(steps) === prefix;
    const isThrough = JSON.stringify(steps.slice(0, depth)) === prefix && steps[depth] === 'each';
    if (rule.rule === 'length' && isList) return rule.min ?? 1;
    return rule.rule === 'countAtLeast' && (isList || isThrough) ? rule.count : 1;
  });
  return Math.min(LIST_MAX_ITEMS, Math.max(1, ...asked));
}

function valueFor(rules: readonly AcceptanceRule[]): unknown {
  const of = <Kind extends AcceptanceRule['rule']>(kind: Kind) =>
    rules.filter((rule): rule is Extract<AcceptanceRule, { rule: Kind }> => rule.rule === kind);
  const [equal] = of('equals');
  if (equal) return equal.value;
  const [choice] = of('oneOf');
  if (choice) return choice.values.find((value) => passes(rules, value)) ?? choice.values[0];
  const type = of('type')[0]?.type;
  const [least, most] = [of('min').map(({ value }) => value), of('max').map(({ value }) => value)];
  if (type === 'number' || type === 'integer' || least.length + most.length > 0) {
    return numberIn(Math.max(...least), Math.min(...most), type === 'integer');
  }
  const [reference] = of('resolvesTo');
  if (reference) return `<the id of a ${reference.to}>`;
  const [pattern] = of('pattern');
  if (pattern) return `<text that matches ${JSON.stringify(pattern.pattern)}>`;
  const length = Math.max(0, ...of('length').map(({ min }) => min ?? 0));
  const count = Math.max(0, ...of('countAtLeast').map((rule) => rule.count));
  if (type === 'list' || count > 1) return Array(Math.min(LIST_MAX_ITEMS, Math.max(length, count, 1))).fill('text');
  if (type !== undefined && type !== 'text') return OF_TYPE[type];
  const longest = Math.min(TEXT_MAX_CHARACTERS, ...of('length').map(({ max }) => max ?? TEXT_MAX_CHARACTERS));
  return 'your text'.padEnd(Math.min(length, TEXT_MAX_CHARACTERS), '.').slice(0, longest);
}

const OF_TYPE: Record<Exclude<AcceptanceType, 'text' | 'number' | 'integer' | 'list'>, unknown> = {
  boolean: true,
  object: {},
  null: null,
};

/** A number within bounds, either of which may be infinite. */
function numberIn(least: number, most: number, isWhole: boolean): number {
  const near = Number.isFinite(least) ? least : Math.min(most, 1);
  return isWhole ? Math.ceil(near) : near;
}

/** Whether a value at a path of its own passes rules that are all about one path. */
function passes(rules: readonly AcceptanceRule[], value: unknown): boolean {
  const alone = rules.map((rule) => ({ ...rule, path: 'value' }));
  return evaluate(alone, { value }, () => true).accepted === true;
}
