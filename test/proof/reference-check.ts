import { hash as hashOf } from 'node:crypto';
import { z } from 'zod';
import { canonicalJson } from '../../contract/canonical-json.ts';
import { parseCheckpoint, textOfCheckpoint } from '../../snapshot/proof/checkpoint.ts';
import { leafHash } from '../../snapshot/proof/merkle.ts';
import { isConsistent, rootByInclusion, rootByRange } from '../../snapshot/proof/merkle-paths.ts';
import { isKeyName, NoteFault, openNote, parseVerifierKey, type VerifierKey } from '../../snapshot/proof/note.ts';
import type { Proof } from './worlds.ts';

/**
 * A second reading of docs/proofs.md, which shares no code with verify.mjs: both must name the same check for a bundle. Of the checks it
 * leaves `links` and `differences` out.
 */

type Row = Record<string, unknown>;
class Failed extends Error {}

function must(holds: unknown, check: string): asserts holds {
  if (!holds) throw new Failed(check);
}

const well = z.string().refine((value) => !/\p{Surrogate}/u.test(value));
const hash = z.string().regex(/^[0-9a-f]{64}$/);
const count = z.int().min(0);
const path = z.array(hash);
const tableForm = z.strictObject({
  ...{ size: count, root: hash },
  rows: z.array(z.strictObject({ index: count, row: well, path })),
});
const tablesForm = z.strictObject({
  ...{ trials: tableForm, registrations: tableForm },
  links: tableForm.extend({ omitted: count.min(1).optional() }),
});
const bundleForm = z.strictObject({
  ...{ format: z.literal('trial-board-proof/1'), statement: well, tables: tablesForm },
  log: z.strictObject({ index: count, size: count, path, checkpoint: well, keys: z.array(well) }).nullable(),
  changes: z.strictObject({ size: count, first: count, rows: z.array(well), path }).optional(),
  parent: z.strictObject({ statement: well, tables: tablesForm }).optional(),
  consistency: z.strictObject({ from: count, to: count, path, checkpoint: well }).optional(),
});
type Bundle = z.infer<typeof bundleForm>;
type Checkpoint = ReturnType<typeof checkpointIn>;
interface Trial {
  trial: Row;
  registrations: Row[];
}
const NAMES = ['trials', 'registrations', 'links'] as const;
const stated = z.object({ rows: count, root: hash });
const statementForm = z.object({
  format: z.literal('trial-board-snapshot/4'),
  asOf: z.string().regex(/^\d{4}-(0[1-9]|1[0-2])-(0[1-9]|[12]\d|3[01])$/),
  ...{ corpus: z.enum(['registries', 'sample']), parent: hash.nullable(), changes: hash.nullable() },
  tables: z.object({ trials: stated, registrations: stated, links: stated }),
});
const trialId = z.string().regex(/^wt_[0-9a-z]{12,}$/);
const registry = z.enum(['clinicaltrials_gov', 'isrctn']);
const id = z.string().regex(/^(NCT|ISRCTN)\d{8}$/);
const rowForms = z.object({
  trials: z.tuple([
    z.object({
      canonical_id: trialId,
      ctgov_id: id.startsWith('NCT').nullable(),
      isrctn_id: id.startsWith('ISRCTN').nullable(),
    }),
  ]),
  registrations: z.array(z.object({ registry, id, payload_sha256: hash })),
  links: z.array(
    z.object({
      ...{ link_id: z.string().regex(/^ln_[0-9a-z]{12,}$/), rule: z.string().regex(/^[a-z0-9]+(-[a-z0-9]+)*$/) },
      ...{ from_registry: registry, from_id: id, to_registry: registry, to_id: id },
      kind: z.enum(['explicit-cross-reference', 'shared-identifier']),
      verdict: z.enum(['accepted', 'rejected']),
    }),
  ),
});
const [subject, event] = [
  'trial|registration|link|identifier|publication',
  'added|changed|removed|merged|split|gained|lost',
];
const changeForm = z.object({
  kind: z.string().regex(new RegExp(`^(${subject})-(${event})$`)),
  ...{ canonical_id: trialId, registration_id: id.nullable(), field: well.nullable(), item: well.nullable() },
  ...{ old_sha256: hash.nullable(), new_sha256: hash.nullable() },
});

const sum = (text: string): string => hashOf('sha256', text);
const leafOf = (text: string): Buffer => leafHash(Buffer.from(text));
const bytes = (digits: string): Buffer => Buffer.from(digits, 'hex');
const isRoot = (found: Uint8Array | null, root: string | null): boolean =>
  found !== null && Buffer.from(found).toString('hex') === root;

/** What `read` gives; a fault in it fails the check. */
function inForm<T>(check: string, read: () => T): T {
  try {
    return read();
  } catch (error) {
    if (error instanceof Failed || !(error instanceof Error)) throw error;
    throw new Failed(check);
  }
}

function objectIn(text: string, check: string): Row {
  const value = inForm(check, () => z.record(z.string(), z.unknown()).parse(JSON.parse(text)));
  // In canonical form only half of a surrogate pair would stand as such an escape.
  must(canonicalJson(value) === text && !/(?<!\\)(?:\\\\)*\\ud/.test(text), check);
  return value;
}

function checkpointIn(content: string, check: string) {
  const found = inForm(check, () => parseCheckpoint(textOfCheckpoint(content).text));
  must(isKeyName(found.origin), check);
  return found;
}

function signersOf(content: string, known: VerifierKey[], check: string): VerifierKey[] {
  try {
    return textOfCheckpoint(content).isSigned ? openNote(content, known).keys : [];
  } catch (error) {
    if (error instanceof NoteFault && error.code === 'unsigned') return [];
    throw new Failed(check);
  }
}

function bundleIn(content: Buffer): Bundle {
  const text = content.toString();
  must(content.length <= 262_144 && Buffer.from(text).equals(content), 'form');
  return inForm('form', () => {
    const value = JSON.parse(text);
    const written = text.replaceAll(/"(?:[^"\\]|\\.)*"/g, '').split(':').length - 1;
    must(membersIn(value) === written, 'form');
    return bundleForm.parse('data' in value && '_meta' in value ? value.data : value);
  });
}

/** Members of all objects in a value; a text that has more has one twice. */
function membersIn(value: unknown): number {
  if (typeof value !== 'object' || value === null) return 0;
  const own = Array.isArray(value) ? 0 : Object.keys(value).length;
  return Object.values(value).reduce((total: number, inner) => total + membersIn(inner), own);
}

/** Checks 2 and 4 to 6: the statement, and the rows of one trial under its roots. */
function trialIn(text: string, tables: Bundle['tables']) {
  const value = objectIn(text, 'statement');
  const statement = inForm('statement', () => statementForm.parse(value));
  for (const name of NAMES) {
    const { size, root } = tables[name];
    must(size === statement.tables[name].rows && root === statement.tables[name].root, 'tables');
  }
  return { statement, rows: rowsIn(tables) };
}

function rowsIn(tables: Bundle['tables']): Trial {
  const [trials, registrations, links] = NAMES.map((name) => {
    const { size, root, rows } = tables[name];
    return rows.map(({ index, row, path }, place) => {
      const value = objectIn(row, 'rows');
      must(index > (rows[place - 1]?.index ?? -1), 'rows');
      must(isRoot(rootByInclusion({ size, index, leaf: leafOf(row) }, path.map(bytes)), root), 'rows');
      return value;
    });
  }) as [Row[], Row[], Row[]];
  must((tables.links.omitted ?? 0) + links.length <= tables.links.size, 'tables');
  inForm('trial', () => rowForms.parse({ trials, registrations, links }));
  const [trial = {}] = trials;
  const named = [`clinicaltrials_gov ${trial.ctgov_id}`, `isrctn ${trial.isrctn_id}`].filter(
    (one) => !one.endsWith(' null'),
  );
  const held = registrations.map((row) => `${row.registry} ${row.id}`);
  must(named.length > 0 && held.toSorted().join() === named.toSorted().join(), 'trial');
  const isOwn = (row: Row, end: string): boolean => named.includes(`${row[`${end}_registry`]} ${row[`${end}_id`]}`);
  must(
    links.every((row) => isOwn(row, 'from') || isOwn(row, 'to')),
    'trial',
  );
  return { trial, registrations };
}

const LISTS = /^(arms|intervention_descriptions|(other|primary|secondary)_outcomes|sites)$/;

/** The sum of a field in a row; null where the row has the hash of a text. */
function sumIn(row: Row, field: string): unknown {
  const long = row[`${field}_sha256`] ?? null;
  if (long !== null) return LISTS.test(field) ? long : null;
  const origins = row.origins as Row | undefined;
  const value = field.startsWith('origins.') ? origins?.[field.slice(8)] : row[field];
  return sum(canonicalJson(value ?? null));
}

function checkChanges(
  { size, first, rows, path }: NonNullable<Bundle['changes']>,
  root: string | null,
  now: Trial,
): void {
  must(root !== null, 'changes');
  const read = rows.map((row) => objectIn(row, 'changes'));
  const found =
    size === 0 && first + rows.length + path.length === 0
      ? bytes(sum(''))
      : rootByRange({ size, first, leaves: rows.map(leafOf) }, path.map(bytes));
  must(isRoot(found, root), 'changes');
  const own = String(now.trial.canonical_id);
  const [before, after] = [read[0]?.canonical_id, read.at(-1)?.canonical_id];
  const isId = (value: unknown): value is string => trialId.safeParse(value).success;
  const [hasBefore, hasAfter] = [isId(before) && before < own, after === null || (isId(after) && after > own)];
  must((hasBefore || first === 0) && (hasAfter || first + rows.length === size), 'changes');
  for (const row of read.slice(hasBefore ? 1 : 0, hasAfter ? -1 : undefined)) {
    const change = inForm('changes', () => changeForm.parse(row));
    const { kind, registration_id, field, new_sha256 } = change;
    const isNamed = registration_id !== null;
    must(change.canonical_id === own, 'changes');
    must(kind.startsWith('registration-') ? isNamed : !kind.startsWith('trial-') || !isNamed, 'changes');
    if (!/^(trial|registration)-changed$/.test(kind)) continue;
    must(field !== null, 'changes');
    const changed = isNamed ? now.registrations.find(({ id }) => id === registration_id) : now.trial;
    const expected = changed === undefined ? null : sumIn(changed, field);
    must(expected === null || expected === new_sha256, 'changes');
  }
}

function checkConsistency({ log, consistency }: Bundle, kept: Checkpoint | null, known: VerifierKey[]): void {
  if (kept === null && consistency === undefined) return;
  must(log !== null, 'consistency');
  const newest = checkpointIn(log.checkpoint, 'log');
  if (kept !== null) must(kept.origin === newest.origin && kept.size <= newest.size, 'consistency');
  if (kept?.size === newest.size) must(kept.root.equals(newest.root), 'consistency');
  must(consistency !== undefined || kept?.size === newest.size, 'consistency');
  if (consistency === undefined) return;
  const { from, to, path, checkpoint } = consistency;
  const earlier = checkpointIn(checkpoint, 'consistency');
  must(to === newest.size && earlier.size === from, 'consistency');
  must(isConsistent(earlier, newest, path.map(bytes)), 'consistency');
  signersOf(checkpoint, known, 'consistency');
  must(kept === null || (kept.size === from && kept.root.equals(earlier.root)), 'consistency');
}

/** Whether the parent is the one that the statement names, and holds the trial. */
function isSameTrial(parent: NonNullable<Bundle['parent']>, named: string | null, now: Trial): boolean {
  try {
    const { trial } = trialIn(parent.statement, parent.tables).rows;
    return sum(parent.statement) === named && trial.canonical_id === now.trial.canonical_id;
  } catch (error) {
    if (error instanceof Failed) return false;
    throw error;
  }
}

function judged(content: Buffer, wanted: Proof['wanted']): boolean {
  const trusted = inForm('misuse', () => wanted.keys?.map(parseVerifierKey));
  const kept = wanted.checkpoint === undefined ? null : checkpointIn(wanted.checkpoint, 'misuse');
  must(wanted.identity === undefined || hash.safeParse(wanted.identity).success, 'misuse');
  const bundle = bundleIn(content);
  const { log, parent } = bundle;
  const identity = sum(bundle.statement);
  objectIn(bundle.statement, 'statement');
  inForm('statement', () => statementForm.parse(JSON.parse(bundle.statement)));
  must((wanted.identity ?? identity) === identity, 'identity');
  const { statement, rows } = trialIn(bundle.statement, bundle.tables);
  if (bundle.changes) checkChanges(bundle.changes, statement.changes, rows);
  if (parent) must(isSameTrial(parent, statement.parent, rows), 'parent');
  if (log !== null) {
    const { size, root } = checkpointIn(log.checkpoint, 'log');
    const leaf = leafHash(bytes(identity));
    must(
      size === log.size &&
        isRoot(rootByInclusion({ size, index: log.index, leaf }, log.path.map(bytes)), root.toString('hex')),
      'log',
    );
  }
  const known = [...(trusted ?? []), ...inForm('signature', () => (log?.keys ?? []).map(parseVerifierKey))];
  const by = log === null ? [] : signersOf(log.checkpoint, known, 'signature');
  must(!trusted || by.some(({ vkey }) => trusted.some((key) => key.vkey === vkey)), 'signature');
  checkConsistency(bundle, kept, known);
  const isProven = wanted.identity !== undefined || trusted !== undefined || (kept !== null && log!.index < kept.size);
  must(isProven || !wanted.requireOrigin, 'origin');
  return isProven;
}

/** The check that fails; else `ok` where the origin is proven, and `consistent` where it is not. */
export function judgement(content: Buffer, wanted: Proof['wanted']): string {
  try {
    return judged(content, wanted) ? 'ok' : 'consistent';
  } catch (error) {
    if (error instanceof Failed) return error.message;
    throw error;
  }
}
