import { evaluate, type Work } from '../../board-server/ladders/acceptance/evaluate.ts';
import { compilePattern } from '../../board-server/ladders/acceptance/patterns.ts';
import { workedOutput } from '../../board-server/ladders/acceptance/worked.ts';
import { FINDING_BODY_MAX_BYTES } from '../../contract/limits/limits.ts';
import {
  type AcceptanceRule,
  acceptanceRulesSchema,
  acceptanceSubjectSchema,
} from '../../contract/schemas/board/acceptance.ts';

/** Rules and outputs that a hostile caller would send, each within every bound of form. */
interface WorstCase {
  name: string;
  rules: AcceptanceRule[];
  output: Record<string, unknown>;
}

/** Room for the output beside the finding of the same body. */
const OUTPUT_BYTES = FINDING_BODY_MAX_BYTES - 500;

const patterns = (path: string, ...texts: string[]): AcceptanceRule[] =>
  texts.map((pattern) => ({ path, rule: 'pattern', pattern }));
const times = <Value>(count: number, of: (place: number) => Value): Value[] =>
  Array.from({ length: count }, (_, place) => of(place));
const nested = (levels: number, inner: unknown): unknown => (levels === 0 ? inner : [nested(levels - 1, inner)]);
const deepPath = (key: string, levels: number): string => key + '[]'.repeat(levels);

const LETTERS = 'abcdefghij'.repeat(50);
const MIXED = String.fromCodePoint(...times(500, (place) => 0x100 + ((place * 7919) % 0x5000)));

export function worstCases(): WorstCase[] {
  return [...worstPatterns(), ...worstOutputs()];
}

function worstPatterns(): WorstCase[] {
  return [
    {
      name: 'counted classes of all letters, on letters',
      rules: patterns('a', ...times(6, (place) => `\\pL{${60 - place}}$`)),
      output: { a: LETTERS },
    },
    {
      name: 'optional counted classes that ignore case, on text of many scripts',
      rules: patterns('a', ...times(6, (place) => `(?i)[\\pL\\pN]{0,${60 - place}}x$`)),
      output: { a: MIXED },
    },
    {
      name: 'nested stars and alternatives of one letter',
      rules: patterns('a', ...times(6, () => '((((a*)*)*|a|aa|aaa)*(a|a?)*)*b$')),
      output: { a: 'a'.repeat(500) },
    },
    {
      name: 'as many optional letters as a pattern holds',
      rules: patterns('a', ...times(6, () => `^${'a?'.repeat(70)}b`)),
      output: { a: 'a'.repeat(500) },
    },
    {
      name: 'a pattern on thousands of small texts',
      rules: patterns('a[]', ...times(6, () => '^[a-z]{50}x?$')),
      output: { a: times(Math.floor(OUTPUT_BYTES / 4), () => 'a') },
    },
  ];
}

function worstOutputs(): WorstCase[] {
  const ones = times(Math.floor(OUTPUT_BYTES / 2), () => 1);
  return [
    {
      name: 'every rule on every item of one long list',
      rules: times(24, (place) => ({ path: 'a[]', rule: 'max', value: 1 + place })),
      output: { a: ones },
    },
    {
      name: 'different paths through one long list',
      rules: times(24, (place) => ({ path: `a[]${'[]'.repeat(place % 6)}.k${place}`, rule: 'countAtLeast', count: 1 })),
      output: { a: times(Math.floor(OUTPUT_BYTES / 4), () => []) },
    },
    {
      name: 'the deepest path through the deepest output',
      rules: times(24, () => ({ path: deepPath('a', 7), rule: 'required' })),
      output: { a: nested(31, 1) },
    },
    {
      name: 'one large value equalled with all others',
      rules: times(24, () => ({ path: 'a[]', rule: 'equals', value: times(20, (place) => ({ k: place })) })),
      output: { a: times(80, () => times(20, (place) => ({ k: place }))) },
    },
    {
      name: 'ids by the thousand',
      rules: [
        { path: 'a[]', rule: 'resolvesTo', to: 'trial' },
        { path: 'a[]', rule: 'resolvesTo', to: 'finding' },
      ],
      output: { a: times(1500, (place) => `NCT${place}`) },
    },
    {
      name: 'names of what objects inherit',
      rules: ['constructor', 'toString', 'hasOwnProperty.call', 'valueOf.name', 'a.prototype', 'a[0].length'].map(
        (path): AcceptanceRule => ({ path, rule: 'required' }),
      ),
      output: JSON.parse('{"__proto__":{"a":1},"a":[[]]}'),
    },
    {
      name: 'the longest example that rules can ask for',
      rules: [
        ...times(
          12,
          (place): AcceptanceRule => ({ path: deepPath(`k${place}`, 7), rule: 'countAtLeast', count: 20_000 }),
        ),
        ...times(12, (place): AcceptanceRule => ({ path: `k${place}`, rule: 'length', min: 20_000 })),
      ],
      output: {},
    },
  ];
}

export interface Measured {
  name: string;
  /** Time of the slowest of publication, evaluation and worked submission; each is a request of its own. */
  milliseconds: number;
  work: Work;
}

/** Carries out all the work that one case can cause, timed by the given clock, which counts milliseconds. */
export function measureWorstCase({ name, rules, output }: WorstCase, clock: () => number): Measured {
  const begun = clock();
  const accepted = acceptanceRulesSchema.parse(rules);
  for (const rule of accepted) if (rule.rule === 'pattern') compilePattern(rule.pattern);
  const published = clock();
  const { work } = evaluate(accepted, acceptanceSubjectSchema.parse(output), () => true);
  const evaluated = clock();
  workedOutput(accepted);
  const milliseconds = Math.max(published - begun, evaluated - published, clock() - evaluated);
  return { name, milliseconds, work };
}
