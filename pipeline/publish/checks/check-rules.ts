import { createHash } from 'node:crypto';
import { readFile } from 'node:fs/promises';
import { z } from 'zod';
import { columnName, FIELD_LIST, type NamedField } from '../../../contract/fields/field-shapes.ts';
import { REGISTRY_IDS, type RegistryId } from '../../../contract/ids.ts';
import { TRIAL_STATUSES } from '../../../contract/vocabularies.ts';

/** Checks that this code carries out, by what each is made of. */
const CHECKS = {
  snapshot: ['no-parent', 'held', 'sample', 'as-of', 'merge-jump'],
  registry: ['lost', 'shrink', 'quarantine', 'changed', 'newest', 'older'],
  column: ['nulls', 'unknown', 'vocabulary'],
} as const;
const CHECK_NAMES = [...CHECKS.snapshot, ...CHECKS.registry, ...CHECKS.column] as const;
export type CheckName = (typeof CHECK_NAMES)[number];

const sentence = z.string().trim().min(1);
const checkSchema = z.strictObject({
  name: z.enum(CHECK_NAMES),
  of: z.enum(['snapshot', 'registry', 'column']),
  statement: sentence,
  limit: z.number().min(0),
  unit: z.enum(['share', 'days', 'registries', 'snapshots']),
  /** So many affected records are never too many. */
  moreThan: z.int().min(0),
  /** The limit is this times the days since the last snapshot where that is more. */
  perDay: z.number().optional(),
  why: sentence,
  evidence: sentence,
  authored: z.iso.date(),
  reviewed: z.iso.date(),
  nextReview: z.iso.date(),
});
export type CheckRule = z.infer<typeof checkSchema>;

const columnNote = z.strictObject({ column: z.enum(FIELD_LIST.map(({ name }) => columnName(name))), why: sentence });
const fileSchema = z
  .strictObject({
    id: sentence,
    note: sentence,
    checks: z.array(checkSchema),
    /** Columns that no check reads. */
    notCompared: z.array(columnNote),
    /** Columns that fill with the age of a record, so that new records are not judged by old ones. */
    filledLater: z.array(columnNote),
    /** Columns that a record states in some statuses only: in another one, a value that it had before is not missing. */
    statedInStatus: z.array(columnNote.extend({ status: z.array(z.enum(TRIAL_STATUSES)).min(1) })),
    /** The registries' own words for unknown, in capitals. */
    wordsForUnknown: z.array(z.strictObject({ word: z.string().toUpperCase(), why: sentence })),
  })
  .check(({ value, issues }) => {
    const names = value.checks.map(({ name }) => name);
    const fits = names.length === CHECK_NAMES.length && CHECK_NAMES.every((name) => names.includes(name));
    const misplaced = value.checks.filter(({ name, of }) => !(CHECKS[of] as readonly string[]).includes(name));
    const undated = value.checks.filter(
      ({ authored, reviewed, nextReview }) => nextReview <= reviewed || reviewed < authored,
    );
    const problems = [
      ...(fits ? [] : [`the checks must be ${CHECK_NAMES.join(', ')}, each once`]),
      ...misplaced.map(({ name, of }) => `check ${name} is not made of each ${of}`),
      ...undated.map(({ name }) => `check ${name} must have authored <= reviewed < nextReview`),
    ];
    for (const message of problems) issues.push({ code: 'custom', message, input: value });
  });

export interface CheckRules extends Omit<z.infer<typeof fileSchema>, 'note' | 'checks'> {
  /** SHA-256, lower-case hex, of the file's bytes. */
  sha256: string;
  checks: Record<CheckName, CheckRule>;
}

/** Reads the reviewed checks of publication. Throws unless the file has exactly the checks that this code carries out. */
export async function loadCheckRules(
  path: string | URL = new URL('../../../data/rules/publication-checks.json', import.meta.url),
): Promise<CheckRules> {
  const bytes = await readFile(path);
  const parsed = fileSchema.safeParse(JSON.parse(bytes.toString('utf8')));
  if (!parsed.success)
    throw new Error(`publication checks in ${path} are not usable: ${z.prettifyError(parsed.error)}`);
  const { note: _note, checks, ...lists } = parsed.data;
  return {
    ...lists,
    sha256: createHash('sha256').update(bytes).digest('hex'),
    checks: Object.fromEntries(checks.map((check) => [check.name, check])) as CheckRules['checks'],
  };
}

/** A word that one column of the tables has for what is not there. */
const NO_WORDS = ['unknown', 'not-stated'];

/** A column that the checks of content compare. */
export interface ComparedColumn {
  check: 'nulls' | 'unknown';
  column: string;
  type: NamedField['type'];
  /** Column of the registry's own word beside it, where a check of the vocabulary compares both. */
  rawColumn: string | null;
}

/** Columns whose values can go missing. A registry's own value is read with the value that follows from it. */
export const COMPARED_COLUMNS: readonly ComparedColumn[] = FIELD_LIST.flatMap((field) => {
  const { name, type, words = [] } = field;
  if (name.endsWith('Raw')) return [];
  const raw = FIELD_LIST.find((other) => other.name === `${name}Raw`);
  const hasNoWord = words.some((word) => NO_WORDS.includes(word));
  return {
    check: hasNoWord ? ('unknown' as const) : ('nulls' as const),
    column: columnName(name),
    type,
    rawColumn: hasNoWord && raw !== undefined ? columnName(raw.name) : null,
  };
});

/** The name of a check on its subject, as `--accept` takes it: `nulls:isrctn:conditions`. */
export function acceptName(check: CheckName, registry?: RegistryId, column?: string): string {
  return [check, registry, column].filter((part) => part !== undefined).join(':');
}

/** Every name that `--accept` takes. */
export const ACCEPT_NAMES: readonly string[] = [
  ...CHECKS.snapshot.map((check) => acceptName(check)),
  ...REGISTRY_IDS.flatMap((registry) => [
    ...CHECKS.registry.map((check) => acceptName(check, registry)),
    ...COMPARED_COLUMNS.flatMap(({ check, column, rawColumn }) => [
      acceptName(check, registry, column),
      ...(rawColumn === null ? [] : [acceptName('vocabulary', registry, column)]),
    ]),
  ]),
];
