import { readFileSync } from 'node:fs';
import { z } from 'zod';

/** A reviewed rule that a link names, because it found or rejected the link. */
export interface DedupRule {
  id: string;
  statement: string;
  why: string;
}

export interface DedupRules {
  /** Id of the rule set; a snapshot names the set that made it. */
  id: string;
  rules: ReadonlyMap<string, DedupRule>;
}

const rulesSchema = z.object({
  id: z.string(),
  rules: z.array(z.object({ id: z.string(), statement: z.string(), why: z.string() })),
});

export function loadDedupRules(file: URL = new URL('../../../data/rules/dedup.json', import.meta.url)): DedupRules {
  const { id, rules } = rulesSchema.parse(JSON.parse(readFileSync(file, 'utf8')));
  return { id, rules: new Map(rules.map((rule) => [rule.id, rule])) };
}
