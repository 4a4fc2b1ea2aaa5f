import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { type AcceptanceRule, acceptanceRulesSchema } from '../../../contract/schemas/board/acceptance.ts';
import { evaluate } from './evaluate.ts';
import { workedOutput } from './worked.ts';

type Json = null | boolean | number | string | Json[] | { [key: string]: Json };

/** The acceptance grammar as its guide describes it, evaluated recursively and without a bound on work. */
function naive(rule: AcceptanceRule, output: Json): boolean {
  const tokens = rule.path.match(/\[\d*\]|[^.[\]]+/g)!;
  const reached: (Json | undefined)[] = walk(output, tokens);
  if (rule.rule === 'countAtLeast') {
    const values =
      !rule.path.includes('[]') && Array.isArray(reached[0])
        ? reached[0]
        : reached.filter((value) => value !== undefined);
    return values.filter((value) => value !== null).length >= rule.count;
  }
  return reached.length > 0 && reached.every((value) => value !== undefined && holds(rule, value));
}

function walk(value: Json, [token, ...rest]: string[]): (Json | undefined)[] {
  if (token === undefined) return [value];
  if (token === '[]') {
    return Array.isArray(value) && value.length > 0 ? value.flatMap((item) => walk(item, rest)) : [undefined];
  }
  const index = /^\[(\d+)\]$/.exec(token)?.[1];
  if (index !== undefined) {
    const item = Array.isArray(value) ? value[Number(index)] : undefined;
    return item === undefined ? [undefined] : walk(item, rest);
  }
  if (value === null || typeof value !== 'object' || Array.isArray(value)) return [undefined];
  const entry = Object.entries(value).find(([key]) => key === token);
  return entry ? walk(entry[1], rest) : [undefined];
}

function holds(rule: AcceptanceRule, value: Json): boolean {
  switch (rule.rule) {
    case 'required':
      return value !== null;
    case 'type': {
      const type = value === null ? 'null' : Array.isArray(value) ? 'list' : typeof value;
      if (rule.type === 'integer') return type === 'number' && Number.isInteger(value);
      return (type === 'string' ? 'text' : type) === rule.type;
    }
    case 'min':
      return typeof value === 'number' && !(value < rule.value);
    case 'max':
      return typeof value === 'number' && !(value > rule.value);
    case 'length': {
      const length = typeof value === 'string' ? [...value].length : Array.isArray(value) ? value.length : -1;
      return length >= (rule.min ?? 0) && length <= (rule.max ?? 1e9);
    }
    case 'pattern':
      return typeof value === 'string' && new RegExp(rule.pattern, 'u').test(value);
    case 'oneOf':
      return rule.values.some((one) => one === value);
    case 'equals':
      return sorted(rule.value as Json) === sorted(value);
    case 'resolvesTo':
      return value === 'a' || value === 'b';
    default:
      return false;
  }
}

function sorted(value: Json): string {
  if (Array.isArray(value)) return `[${value.map(sorted).join()}]`;
  if (value === null || typeof value !== 'object') return JSON.stringify(value);
  return `{${Object.keys(value)
    .sort()
    .map((key) => `${JSON.stringify(key)}:${sorted(value[key]!)}`)
    .join()}}`;
}

const key = fc.constantFrom('a', 'b', 'c');
const scalar = fc.constantFrom<Json>(null, true, false, 0, 1, 2.5, '', 'a', 'b', 'abc', '🙂');
const { json } = fc.letrec<{ json: Json }>((tie) => ({
  json: fc.oneof(
    { maxDepth: 4 },
    scalar,
    fc.array(tie('json'), { maxLength: 3 }),
    fc.dictionary(key, tie('json'), { maxKeys: 3, noNullPrototype: true }),
  ),
}));
const output = fc.dictionary(key, json, { maxKeys: 3, noNullPrototype: true });
const path = fc
  .tuple(key, fc.array(fc.constantFrom('[]', '[0]', '[1]', '.a', '.b', '.c'), { maxLength: 4 }))
  .map(([first, rest]) => first + rest.join(''));
const small = fc.nat({ max: 3 });
const rule = fc
  .tuple(
    path,
    fc.oneof(
      fc.record({ rule: fc.constant('required') }),
      fc.record({
        rule: fc.constant('type'),
        type: fc.constantFrom('text', 'number', 'integer', 'boolean', 'list', 'object', 'null'),
      }),
      fc.record({ rule: fc.constantFrom('min', 'max'), value: fc.constantFrom(0, 1, 2) }),
      fc.record({ rule: fc.constant('length'), min: small }),
      fc.record({ rule: fc.constant('length'), max: small }),
      fc.record({ rule: fc.constant('pattern'), pattern: fc.constantFrom('^a', 'b$', '^.$', '[ab]+', '^$', '\\p{L}') }),
      fc.record({ rule: fc.constant('oneOf'), values: fc.array(scalar, { minLength: 1, maxLength: 3 }) }),
      fc.record({ rule: fc.constant('equals'), value: json }),
      fc.record({ rule: fc.constant('countAtLeast'), count: fc.integer({ min: 1, max: 3 }) }),
      fc.record({ rule: fc.constant('resolvesTo'), to: fc.constantFrom('finding', 'trial') }),
    ),
  )
  .map(([at, rest]) => ({ path: at, ...rest }));
const rules = fc.array(rule, { minLength: 1, maxLength: 5 }).map((all) => acceptanceRulesSchema.parse(all));

describe('the evaluator', () => {
  it('gives every rule the verdict of the plain reference', () => {
    fc.assert(
      fc.property(rules, output, (all, given) => {
        const { verdicts, accepted } = evaluate(all, given, (_to, id) => id === 'a' || id === 'b');
        const wanted = all.map((one) => naive(one, given));
        expect(verdicts.map(({ passed }) => passed)).toEqual(wanted);
        expect(accepted).toBe(wanted.every(Boolean));
        expect(verdicts.every(({ passed, change }) => (change === null) === passed)).toBe(true);
      }),
      { numRuns: 3000, seed: 6 },
    );
  });

  it('is never contradicted by a worked output: what it names as passing passes', () => {
    fc.assert(
      fc.property(rules, (all) => {
        const { output: worked, yours } = workedOutput(all);
        const failing = all.filter((one) => one.rule === 'resolvesTo' || !naive(one, worked as Json));
        expect(yours).toHaveLength(failing.length);
        expect(Object.getPrototypeOf(worked)).toBe(Object.prototype);
      }),
      { numRuns: 1000, seed: 6 },
    );
  });
});
