import { createHash } from 'node:crypto';
import { readFile } from 'node:fs/promises';
import { z } from 'zod';

/** The rule by which a record counts no more because another took its place. */
export const SUPERSEDED_NUMBER = 'superseded-number';

/** Rules that find evidence: the values of `links.rule`. */
export const EVIDENCE_RULES = [
  'declared-by-clinicaltrials-gov',
  'declared-by-isrctn',
  'read-by-repair',
  'shared-eudract',
  'shared-euct',
  'shared-utn',
  SUPERSEDED_NUMBER,
] as const;
export type EvidenceRule = (typeof EVIDENCE_RULES)[number];

/** Rules that reject a link: the values of `links.reason` and `relations.reason`. */
export const REJECTION_RULES = [
  'same-registry',
  'stated-relation',
  'ambiguous',
  'stronger-partner',
  'shared-by-many',
] as const;
export type RejectionRule = (typeof REJECTION_RULES)[number];

/** Rules that leave no row of their own. */
const OTHER_RULES = [
  'nct-alias',
  'resolution-order',
  'named-by-isrctn',
  'conflict',
  'target-not-held',
  'self-reference',
] as const;

const RULE_IDS = [...EVIDENCE_RULES, ...REJECTION_RULES, ...OTHER_RULES] as const;

const sentence = z.string().trim().min(1);
const ruleSchema = z.strictObject({
  id: z.enum(RULE_IDS),
  statement: sentence,
  why: sentence,
  evidence: sentence,
  authored: z.iso.date(),
  reviewed: z.iso.date(),
  nextReview: z.iso.date(),
});
export type DedupRule = z.infer<typeof ruleSchema>;

const fileSchema = z.strictObject({ id: sentence, note: sentence, rules: z.array(ruleSchema) }).check((context) => {
  const ids = context.value.rules.map((rule) => rule.id);
  const problems = [
    ...RULE_IDS.filter((id) => !ids.includes(id)).map((id) => `rule ${id} is missing`),
    ...ids.filter((id, index) => ids.indexOf(id) !== index).map((id) => `rule ${id} stands twice`),
    ...context.value.rules
      .filter((rule) => rule.nextReview <= rule.reviewed || rule.reviewed < rule.authored)
      .map((rule) => `rule ${rule.id} must have authored <= reviewed < nextReview`),
  ];
  for (const message of problems) context.issues.push({ code: 'custom', message, input: context.value });
});

export interface DedupRules {
  /** Version of the rule set, as the file names it. */
  id: string;
  /** SHA-256, lower-case hex, of the file's bytes. */
  sha256: string;
  rules: DedupRule[];
}

/** The reviewed rule file of this repository. */
export const DEDUP_RULES_PATH = new URL('../../data/rules/dedup.json', import.meta.url);

/**
 * Reads the reviewed rules. Throws unless the file has exactly the rules that this code applies. Otherwise a link could
 * name a rule that is not in the file, or the file could list a rule that nothing applies.
 */
export async function loadDedupRules(path: string | URL = DEDUP_RULES_PATH): Promise<DedupRules> {
  const bytes = await readFile(path);
  const parsed = fileSchema.safeParse(JSON.parse(bytes.toString('utf8')));
  if (!parsed.success) throw new Error(`dedup rules in ${path} are not usable: ${z.prettifyError(parsed.error)}`);
  return {
    id: parsed.data.id,
    sha256: createHash('sha256').update(bytes).digest('hex'),
    rules: parsed.data.rules,
  };
}
