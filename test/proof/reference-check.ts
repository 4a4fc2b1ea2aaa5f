import { hash as hashOf } from 'node:crypto';
import { z } from 'zod';
import { canonicalJson } from '../../contract/canonical-json.ts';
import { parseCheckpoint, textOfCheckpoint } from '../../snapshot/proof/checkpoint.ts';
import { leafHash } from '../../snapshot/proof/merkle.ts';
import { rootByInclusion } from '../../snapshot/proof/merkle-paths.ts';
import { isKeyName } from '../../snapshot/proof/note.ts';

/** A second reading of docs/proofs.md, without code of verify.mjs: the form, and a trial of a snapshot of a log. */

export const REFERENCE_CHECKS = ['form', 'statement', 'identity', 'tables', 'rows', 'trial', 'log'];

type Row = Record<string, unknown>;
class Failed extends Error {}

function must(holds: unknown, check: string): asserts holds {
  if (!holds) throw new Failed(check);
}

const well = z.string().refine((value) => !/\p{Surrogate}/u.test(value));
const hash = z.string().regex(/^[0-9a-f]{64}$/);
const count = z.int().min(0);
const path = z.array(hash);
const rows = z.array(z.strictObject({ index: count, row: well, path }));
const table = z.strictObject({ size: count, root: hash, rows });
const links = table.extend({ omitted: count.min(1).optional() });
const tables = z.strictObject({ trials: table, registrations: table, links });
const bundleForm = z.strictObject({
  format: z.literal('trial-board-proof/1'),
  statement: well,
  tables,
  log: z.strictObject({ index: count, size: count, path, checkpoint: well, keys: z.array(well) }).nullable(),
  changes: z.strictObject({ size: count, first: count, rows: z.array(well), path }).optional(),
  parent: z.strictObject({ statement: well, tables }).optional(),
  consistency: z.strictObject({ from: count, to: count, path, checkpoint: well }).optional(),
});
type Bundle = z.infer<typeof bundleForm>;

const NAMES = ['trials', 'registrations', 'links'] as const;
const stated = z.object({ rows: count, root: hash });
const statementForm = z.object({
  format: z.literal('trial-board-snapshot/4'),
  asOf: z.string().regex(/^\d{4}-(0[1-9]|1[0-2])-(0[1-9]|[12]\d|3[01])$/),
  corpus: z.enum(['registries', 'sample']),
  parent: hash.nullable(),
  changes: hash.nullable(),
  tables: z.object({ trials: stated, registrations: stated, links: stated }),
});
const registry = z.enum(['clinicaltrials_gov', 'isrctn']);
const id = z.string().regex(/^(NCT|ISRCTN)\d{8}$/);
const trialForm = z.object({
  canonical_id: z.string().regex(/^wt_[0-9a-z]{12,}$/),
  ctgov_id: id.startsWith('NCT').nullable(),
  isrctn_id: id.startsWith('ISRCTN').nullable(),
});
const linkForm = z.object({
  link_id: z.string().regex(/^ln_[0-9a-z]{12,}$/),
  rule: z.string().regex(/^[a-z0-9]+(-[a-z0-9]+)*$/),
  ...{ from_registry: registry, from_id: id, to_registry: registry, to_id: id },
  kind: z.enum(['explicit-cross-reference', 'shared-identifier']),
  verdict: z.enum(['accepted', 'rejected']),
});
const rowForms = z.object({
  trials: z.tuple([trialForm]),
  registrations: z.array(z.object({ registry, id, payload_sha256: hash })),
  links: z.array(linkForm),
});

/** What `read` gives; a fault in it fails the check. */
function inForm<T>(check: string, read: () => T): T {
  try {
    return read();
  } catch {
    throw new Failed(check);
  }
}

function objectIn(text: string, check: string): Row {
  const value = inForm(check, () => z.record(z.string(), z.unknown()).parse(JSON.parse(text)));
  // In canonical form only half of a surrogate pair would stand as such an escape.
  must(canonicalJson(value) === text && !/(?<!\\)(?:\\\\)*\\ud/.test(text), check);
  return value;
}

/** Members of all objects in a value; a text that has more has one twice. */
function membersIn(value: unknown): number {
  if (typeof value !== 'object' || value === null) return 0;
  const own = Array.isArray(value) ? 0 : Object.keys(value).length;
  return Object.values(value).reduce((total: number, inner) => total + membersIn(inner), own);
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

const isUnder = (root: string, place: { size: number; index: number; leaf: Buffer }, path: string[]): boolean => {
  const nodes = path.map((digits) => Buffer.from(digits, 'hex'));
  return root === Buffer.from(rootByInclusion(place, nodes) ?? []).toString('hex');
};

function checkTrial(held: Bundle['tables']): void {
  const read = NAMES.map((name) => {
    const { size, root, rows: proven } = held[name];
    return proven.map(({ index, row, path: nodes }, place) => {
      const value = objectIn(row, 'rows');
      must(index > (proven[place - 1]?.index ?? -1), 'rows');
      must(isUnder(root, { size, index, leaf: leafHash(Buffer.from(row)) }, nodes), 'rows');
      return value;
    });
  });
  must((held.links.omitted ?? 0) + held.links.rows.length <= held.links.size, 'tables');
  const [trials, registrations, joined] = read;
  const found = inForm('trial', () => rowForms.parse({ trials, registrations, links: joined }));
  const [{ ctgov_id, isrctn_id }] = found.trials;
  const named = [`clinicaltrials_gov ${ctgov_id}`, `isrctn ${isrctn_id}`].filter((one) => !one.endsWith(' null'));
  const own = found.registrations.map((row) => `${row.registry} ${row.id}`);
  must(named.length > 0 && own.toSorted().join() === named.toSorted().join(), 'trial');
  for (const { from_registry, from_id, to_registry, to_id } of found.links)
    must(named.includes(`${from_registry} ${from_id}`) || named.includes(`${to_registry} ${to_id}`), 'trial');
}

function check(content: Buffer, identity: string | undefined): void {
  const { statement, tables: held, log } = bundleIn(content);
  const value = objectIn(statement, 'statement');
  const form = inForm('statement', () => statementForm.parse(value));
  const sum = hashOf('sha256', statement);
  must((identity ?? sum) === sum, 'identity');
  for (const name of NAMES) {
    const { size, root } = held[name];
    must(size === form.tables[name].rows && root === form.tables[name].root, 'tables');
  }
  checkTrial(held);
  if (log === null) return;
  const { origin, size, root } = inForm('log', () => parseCheckpoint(textOfCheckpoint(log.checkpoint).text));
  const leaf = leafHash(Buffer.from(sum, 'hex'));
  must(isKeyName(origin) && size === log.size, 'log');
  must(isUnder(root.toString('hex'), { size, index: log.index, leaf }, log.path), 'log');
}

/** The first of the reference checks that fails; null where none does. */
export function failedCheck(content: Buffer, identity?: string): string | null {
  try {
    check(content, identity);
    return null;
  } catch (error) {
    if (error instanceof Failed) return error.message;
    throw error;
  }
}
