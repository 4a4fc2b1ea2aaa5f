import { mkdtemp, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { DEDUP_RULES_PATH, loadDedupRules } from './rules.ts';

let directory: string;
beforeAll(async () => {
  directory = await mkdtemp(join(tmpdir(), 'dedup-rules-'));
});
afterAll(() => rm(directory, { recursive: true }));

async function changedRules(change: (rules: Record<string, string>[]) => Record<string, string>[]): Promise<string> {
  const file = JSON.parse(await readFile(DEDUP_RULES_PATH, 'utf8'));
  const path = join(directory, 'rules.json');
  await writeFile(path, JSON.stringify({ ...file, rules: change(file.rules) }));
  return path;
}

test('the reviewed rule file is usable and names its version', async () => {
  const rules = await loadDedupRules();
  expect(rules.id).toBe('dedup-rules-3');
  expect(rules.sha256).toMatch(/^[0-9a-f]{64}$/);
  expect(rules.rules).toHaveLength(18);
});

test('a rule that the code applies but the file lacks is refused by name', async () => {
  const path = await changedRules((rules) => rules.filter((rule) => rule.id !== 'shared-utn'));
  await expect(loadDedupRules(path)).rejects.toThrow('rule shared-utn is missing');
});

test('a rule that the code does not apply is refused', async () => {
  const path = await changedRules((rules) => [...rules, { ...rules[0], id: 'same-title' }]);
  await expect(loadDedupRules(path)).rejects.toThrow('rules[18].id');
});

test('a rule that stands twice is refused by name', async () => {
  const path = await changedRules((rules) => [...rules, rules[0]!]);
  await expect(loadDedupRules(path)).rejects.toThrow('rule declared-by-clinicaltrials-gov stands twice');
});

test('a rule without a later review date is refused by name', async () => {
  const path = await changedRules((rules) =>
    rules.map((rule) => (rule.id === 'ambiguous' ? { ...rule, nextReview: rule.reviewed! } : rule)),
  );
  await expect(loadDedupRules(path)).rejects.toThrow('rule ambiguous must have authored <= reviewed < nextReview');
});
