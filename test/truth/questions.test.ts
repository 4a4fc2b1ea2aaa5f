import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, expect, test } from 'vitest';
import { measuredQuestions, readQuestions } from './questions.ts';
import type { Served } from './served.ts';

const folder = mkdtempSync(join(tmpdir(), 'questions-'));
afterAll(() => rmSync(folder, { recursive: true }));
const read = (text: string) => {
  const path = join(folder, 'questions.json');
  writeFileSync(path, text);
  return readQuestions(path);
};

/** By words nothing is found, by concepts two trials whatever is asked. */
const served = {
  get: async (path: string) => ({
    trials: path.includes('match=words')
      ? []
      : ['NCT00000001', 'NCT00000002'].map((id) => ({ registrations: [{ id }] })),
  }),
} as unknown as Served;

test('a file of questions is measured in both modes, by kind, and what is low is listed with its trials', async () => {
  const asked = read(
    '{"queries": [{"q": "athsma", "kind": "typo", "relevant": ["NCT00000001"]}, {"q": "gout", "relevant": ["NCT00000001", "NCT00000002"]}]}',
  );
  if ('fault' in asked) throw new Error(asked.fault);
  expect((await measuredQuestions(served, asked.questions)).split('\n')).toEqual([
    'all, by words: 2 questions, precision 1.000 (0/0), recall 0.000 (0/3)',
    'typo, by words: 1 questions, precision 1.000 (0/0), recall 0.000 (0/1)',
    'without a kind, by words: 1 questions, precision 1.000 (0/0), recall 0.000 (0/2)',
    'all, by concepts: 2 questions, precision 0.750 (3/4), recall 1.000 (3/3)',
    'typo, by concepts: 1 questions, precision 0.500 (1/2), recall 1.000 (1/1)',
    'without a kind, by concepts: 1 questions, precision 1.000 (2/2), recall 1.000 (2/2)',
    '',
    'athsma: precision 0.500 (1/2), recall 1.000 (1/1)',
    '  wrong: NCT00000002',
    '  missed: ',
    '',
  ]);
});

test.each([
  ['{"queries": []}', 'queries'],
  ['{"queries": [{"q": "gout"}]}', 'queries[0].relevant'],
  ['{', 'JSON'],
])('%s is refused with the place that is wrong', (text, place) => {
  const asked = read(text);
  expect('fault' in asked && asked.fault).toContain('questions.json holds no questions: ');
  expect('fault' in asked && asked.fault).toContain(place);
});
