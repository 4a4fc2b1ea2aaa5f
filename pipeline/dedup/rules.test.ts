import { readFile, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { temporaryDirectory } from '../../test/support/raw-sets.ts';
import { DEDUP_RULES_PATH, loadDedupRules } from './rules.ts';

test('the reviewed rule file is usable and names its version', async () => {
  const rules = await loadDedupRules();
  expect(rules.id).toBe('dedup-rules-3');
  expect(rules.sha256).toMatch(/^[0-9a-f]{64}$/);
  expect(rules.rules).toHaveLength(18);
});

type Rules = Record<string, string>[];
test.each<[string, (rules: Rules) => Rules, string]>([
  ['one that the code applies is missing', (rules) => rules.slice(1), 'rule declared-by-clinicaltrials-gov is missing'],
  ['the code does not apply one', (rules) => [...rules, { ...rules[0], id: 'same-title' }], 'rules[18].id'],
  ['one stands twice', (rules) => [...rules, rules[0]!], 'rule declared-by-clinicaltrials-gov stands twice'],
  [
    'one has no later review date',
    ([first, ...rules]) => [{ ...first, nextReview: first!.reviewed! }, ...rules],
    'must have authored <= reviewed < nextReview',
  ],
])('rules are refused where %s', async (_fault, change, message) => {
  await using directory = await temporaryDirectory();
  const file = JSON.parse(await readFile(DEDUP_RULES_PATH, 'utf8'));
  const path = join(directory.path, 'rules.json');
  await writeFile(path, JSON.stringify({ ...file, rules: change(file.rules) }));
  await expect(loadDedupRules(path)).rejects.toThrow(message);
});
