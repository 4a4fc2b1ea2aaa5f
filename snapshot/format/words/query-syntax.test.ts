import { describe, expect, test } from 'vitest';
import { pairsOf } from '../../../test/builders/pairs.ts';
import { operatorsIn, parseConceptQuery, type QueryNode } from './query-syntax.ts';

/** The tree in one line: words in single quotes, phrases in double ones. */
function shown(node: QueryNode | null): string {
  if (node === null) return 'nothing';
  if (node.kind === 'words') return `'${node.text}'`;
  if (node.kind === 'phrase') return `"${node.text}"`;
  if (node.kind === 'not') return `not(${shown(node.of)})`;
  return `${node.kind}(${node.of.map(shown).join(', ')})`;
}

describe('a query by concepts is read as a tree', () => {
  test.each(
    pairsOf(`
    type 1 diabetes = 'type 1 diabetes' | diabetes OR asthma = any('diabetes', 'asthma')
    diabetes or asthma = 'diabetes or asthma'
    melanoma OR renal cell carcinoma = any('melanoma', 'renal cell carcinoma')
    diabetes AND asthma = all('diabetes', 'asthma')
    "cluster headache" -migraine = all("cluster headache", not('migraine')) | NOT migraine = not('migraine')
    “heart failure” x = all("heart failure", 'x') | (a OR b) c = all(any('a', 'b'), 'c')
    a -(b OR "c d") e = all('a', not(any('b', "c d")), 'e') | (-a b) = all(not('a'), 'b')
    CAR-T beta-blocker = 'CAR-T beta-blocker' | a - b = 'a - b' | HER2(+) x = all('HER2', 'x')
    a ) b OR c = all('a', any('b', 'c')) | ((a = 'a' | "a b = 'a b' | a OR = 'a' | OR = 'OR' | ?! () = nothing
  `),
  )('%s', (q, expected) => expect(shown(parseConceptQuery(q))).toBe(expected));
});

test('a search by words can name every operator that it does not know', () => {
  expect(operatorsIn('(diabetes OR asthma) AND -child* NOT x-ray')).toEqual([
    'parentheses',
    'OR',
    'AND',
    '- or NOT',
    '*',
  ]);
  expect(operatorsIn('type-2 diabetes and "heart failure" or beta-blocker')).toEqual([]);
});
