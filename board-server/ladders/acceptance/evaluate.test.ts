import { describe, expect, it } from 'vitest';
import {
  ACCEPTANCE_MAX_REFERENCES,
  ACCEPTANCE_MAX_VISITS,
  ACCEPTANCE_PATTERN_MAX_WORK,
} from '../../../contract/limits/acceptance.ts';
import { FINDING_BODY_MAX_BYTES } from '../../../contract/limits/limits.ts';
import {
  type AcceptanceRule,
  acceptanceRulesSchema,
  acceptanceSubjectSchema,
  isShallow,
  pathSteps,
} from '../../../contract/schemas/board/acceptance.ts';
import { measureWorstCase, worstCases } from '../../../test/support/worst-rules.ts';
import { evaluate, type Resolver, referencesIn } from './evaluate.ts';
import { GRAMMAR } from './grammar.ts';
import { compilePattern } from './patterns.ts';
import { workedOutput } from './worked.ts';

const KNOWN: Resolver = (to, id) => id === `a-${to}`;
const passed = (rule: object, output: Record<string, unknown>, resolver: Resolver = KNOWN): boolean | null =>
  evaluate(acceptanceRulesSchema.parse([rule]), output, resolver).accepted;

describe('a rule', () => {
  it('is about every value at its path, and names the first that does not pass', () => {
    const rules: AcceptanceRule[] = [{ path: 'a[].b[0].c', rule: 'min', value: 1, message: 'Count them.' }];
    const { verdicts } = evaluate(rules, { a: [{ b: [{ c: 1 }] }, { b: [{ c: 0 }, { c: 9 }] }] }, KNOWN);
    expect(verdicts).toEqual([
      {
        rule: 0,
        says: 'every value at a[].b[0].c must be a number of 1 or more',
        passed: false,
        found: '0 at a[1].b[0].c',
        change: 'Change a[1].b[0].c: it must be a number of 1 or more.',
        message: 'Count them.',
      },
    ]);
    const { verdicts: missing } = evaluate(rules, { a: [{ b: [{ c: 1 }] }, {}] }, KNOWN);
    expect(missing[0]).toMatchObject({
      passed: false,
      found: 'nothing',
      change: 'Give a value at a[1].b; it must be a number of 1 or more.',
    });
    expect(evaluate(rules, { a: [] }, KNOWN).verdicts[0]?.change).toMatch(/Give a value at a\[\]/);
  });

  it('quotes what it found short, whatever its size', () => {
    const rules: AcceptanceRule[] = [{ path: 'v', rule: 'equals', value: 1 }];
    const found = (v: unknown) => evaluate(rules, { v }, KNOWN).verdicts[0]?.found;
    expect(found('x'.repeat(500))).toBe(`"${'x'.repeat(80)}…" at v`);
    expect(found(Array(900).fill(1))).toBe('a list of 900 at v');
    expect(found({ a: 1, b: 2 })).toBe('an object of 2 keys at v');
    expect(found('\ud800')?.isWellFormed()).toBe(true);
  });

  it('reads no inherited property', () => {
    for (const path of ['constructor', 'toString', 'valueOf.name', 'a.length', 'a[0].length', 't[0]']) {
      expect(passed({ path, rule: 'required' }, { a: [[]], t: 'text' }), path).toBe(false);
    }
    expect(passed({ path: 'constructor', rule: 'required' }, { constructor: 1 })).toBe(true);
    expect(pathSteps('__proto__')).toBeNull();
    expect(pathSteps('a.__proto__.b')).toBeNull();
  });

  it('that asks an index which does not answer is undecided, unless another fails', () => {
    const rules = acceptanceRulesSchema.parse([
      { path: 'id', rule: 'resolvesTo', to: 'trial' },
      { path: 'n', rule: 'min', value: 1 },
    ]);
    const unanswered = () => null;
    expect(evaluate(rules, { id: 'x', n: 1 }, unanswered).accepted).toBeNull();
    expect(evaluate(rules, { id: 'x', n: 0 }, unanswered)).toMatchObject({
      accepted: false,
      verdicts: [{ passed: null }, { passed: false }],
    });
  });

  it('looks up each id once, and no more than a hundred', () => {
    const rules = acceptanceRulesSchema.parse([
      { path: 'a[]', rule: 'resolvesTo', to: 'trial' },
      { path: 'a[]', rule: 'resolvesTo', to: 'trial' },
    ]);
    const many = Array.from({ length: 300 }, (_, place) => `id ${place}`);
    const asked = referencesIn(rules, { a: [...many, ...many] });
    expect(asked).toHaveLength(ACCEPTANCE_MAX_REFERENCES);
    expect(evaluate(rules, { a: many.slice(0, 100) }, () => true).accepted).toBe(true);
    expect(evaluate(rules, { a: many.slice(0, 101) }, () => true).accepted).toBe(false);
  });
});

describe('the form of rules', () => {
  it.each<[string, unknown, string]>([
    ['an unknown key', { path: 'a', rule: 'required', x: 1 }, '0'],
    ['an unknown kind', { path: 'a', rule: 'regex' }, '0.rule'],
    ['a path with blanks', { path: 'a b', rule: 'required' }, '0.path'],
    ['a path that begins with a list', { path: '[].a', rule: 'required' }, '0.path'],
    ['a path of nine steps', { path: 'a.b.c.d.e.f.g.h.i', rule: 'required' }, '0.path'],
    ['a bound that is no number', { path: 'a', rule: 'min', value: '1' }, '0.value'],
    ['a length without bounds', { path: 'a', rule: 'length' }, '0.min'],
    ['a length out of order', { path: 'a', rule: 'length', min: 2, max: 1 }, '0.min'],
    ['no choice', { path: 'a', rule: 'oneOf', values: [] }, '0.values'],
    ['33 choices', { path: 'a', rule: 'oneOf', values: Array(33).fill(1) }, '0.values'],
    ['a choice that is a list', { path: 'a', rule: 'oneOf', values: [[]] }, '0.values.0'],
    ['nothing to equal', { path: 'a', rule: 'equals' }, '0.value'],
    ['a deep value to equal', { path: 'a', rule: 'equals', value: [[[[[[[[[]]]]]]]]] }, '0.value'],
    ['a count of none', { path: 'a', rule: 'countAtLeast', count: 0 }, '0.count'],
    ['a reference to anything', { path: 'a', rule: 'resolvesTo', to: 'agent' }, '0.to'],
    ['an empty pattern', { path: 'a', rule: 'pattern', pattern: '' }, '0.pattern'],
    ['a pattern of 201 characters', { path: 'a', rule: 'pattern', pattern: 'a'.repeat(201) }, '0.pattern'],
    ['a counted group', { path: 'a', rule: 'pattern', pattern: '(ab){2}' }, '0.pattern'],
    ['counted repeats that add up', { path: 'a', rule: 'pattern', pattern: 'a{40}b{21}' }, '0.pattern'],
  ])('refuses %s', (_what, rule, path) => {
    const { error } = acceptanceRulesSchema.safeParse([rule]);
    expect(error?.issues.map((issue) => issue.path.join('.'))).toEqual([path]);
  });

  it('has room for 24 rules and 6 patterns, and for no more', () => {
    const rule = { path: 'a', rule: 'required' };
    const pattern = { path: 'a', rule: 'pattern', pattern: 'a' };
    expect(acceptanceRulesSchema.safeParse(Array(24).fill(rule)).success).toBe(true);
    expect(acceptanceRulesSchema.safeParse(Array(25).fill(rule)).success).toBe(false);
    expect(acceptanceRulesSchema.safeParse(Array(6).fill(pattern)).success).toBe(true);
    expect(acceptanceRulesSchema.safeParse(Array(7).fill(pattern)).success).toBe(false);
    expect(acceptanceRulesSchema.safeParse([]).success).toBe(false);
  });

  it('compiles only what RE2 has and what stays small', () => {
    for (const pattern of ['(?=a)b', '(a)\\1', '(', '[z-a]', '*', 'a{2}{3}', '\\pL{60}?{2}']) {
      expect(compilePattern(pattern), pattern).toEqual(expect.any(String));
    }
    expect(compilePattern('a?'.repeat(100))).toEqual(expect.stringMatching(/takes \d+ instructions/));
    expect(compilePattern('^\\d{4}-\\d{2}-\\d{2}$')).toMatchObject({ instructions: expect.any(Number) });
  });

  it('is shown in the guide with an example of each kind that is valid as printed', () => {
    const examples = GRAMMAR.kinds.map(({ example }) => example);
    expect(new Set(acceptanceRulesSchema.parse(examples).map(({ rule }) => rule)).size).toBe(10);
  });
});

describe('an output', () => {
  it('is any object of at most 32 levels', () => {
    const nested = (levels: number): unknown => (levels === 0 ? 1 : { a: nested(levels - 1) });
    expect(acceptanceSubjectSchema.safeParse(nested(32)).success).toBe(true);
    expect(acceptanceSubjectSchema.safeParse(nested(33)).success).toBe(false);
    expect(acceptanceSubjectSchema.safeParse([]).success).toBe(false);
    const abyss = JSON.parse(`{"a":${'['.repeat(9000)}${']'.repeat(9000)}}`);
    expect(isShallow(abyss, 32)).toBe(false);
    expect(acceptanceSubjectSchema.safeParse(abyss).success).toBe(false);
  });
});

describe('a hostile rule or output', () => {
  it.each(worstCases().map((one) => [one.name, one] as const))('costs bounded work: %s', (_name, one) => {
    const { work } = measureWorstCase(one, () => 0);
    expect(work.matching).toBeLessThanOrEqual(ACCEPTANCE_PATTERN_MAX_WORK);
    // The path that crosses the limit is still read to its end.
    expect(work.visits).toBeLessThanOrEqual(ACCEPTANCE_MAX_VISITS + FINDING_BODY_MAX_BYTES);
  });

  it('that would cost more fails with the reason', () => {
    const patterns = Array.from({ length: 6 }, () => ({ path: 'a[]', rule: 'pattern', pattern: '^[a-z]{50}|a$' }));
    const { verdicts } = evaluate(acceptanceRulesSchema.parse(patterns), { a: Array(5000).fill('a') }, KNOWN);
    expect(verdicts.at(-1)).toMatchObject({ passed: false, change: expect.stringMatching(/more work than one/) });
    expect(passed({ path: 'a', rule: 'pattern', pattern: 'a' }, { a: 'a'.repeat(500) })).toBe(true);
    expect(passed({ path: 'a', rule: 'pattern', pattern: 'a' }, { a: 'a'.repeat(501) })).toBe(false);
  });
});

describe('a worked output', () => {
  it('passes every rule but those that only an author has a value for', () => {
    const examples = acceptanceRulesSchema.parse(GRAMMAR.kinds.map(({ example }) => example));
    const { output, yours } = workedOutput(examples);
    expect(yours).toEqual([
      'day must be a text that matches "^\\\\d{4}-\\\\d{2}-\\\\d{2}$"',
      'every value at trials[].nctId must be the id of a trial in the index: a canonical id, an NCT or ISRCTN number',
    ]);
    const { verdicts } = evaluate(examples, output, () => false);
    expect(verdicts.filter(({ passed }) => !passed)).toHaveLength(2);
  });

  it('has the lists, numbers and choices that the rules ask for together', () => {
    const rules = acceptanceRulesSchema.parse([
      { path: 'a', rule: 'length', min: 3 },
      { path: 'a[].b', rule: 'type', type: 'integer' },
      { path: 'a[].b', rule: 'min', value: 1.5 },
      { path: 'a[1].c', rule: 'oneOf', values: [1, 'long enough'] },
      { path: 'a[1].c', rule: 'length', min: 5 },
    ]);
    expect(workedOutput(rules)).toEqual({
      output: { a: [{ b: 2 }, { b: 2, c: 'long enough' }, { b: 2 }] },
      yours: [],
    });
  });
});
