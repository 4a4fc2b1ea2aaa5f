import { hash as hashOf } from 'node:crypto';
import { z } from 'zod';
import { canonicalJson } from '../../contract/canonical-json.ts';
import { leafHash, nodeHash } from '../../snapshot/proof/merkle.ts';

/** A second reading of docs/proofs.md, without code of verify.mjs: the form of a bundle, and rows under the roots of a statement. */

export const REFERENCE_CHECKS = ['form', 'statement', 'identity', 'tables', 'rows'];

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
  consistency: z.strictObject({ from: count, to: count, path, checkpoint: well }).optional(),
});
type Bundle = z.infer<typeof bundleForm>;

const NAMES = ['trials', 'registrations', 'links'] as const;
const stated = z.object({ rows: count, root: hash });
const statementForm = z.object({
  formatVersion: z.literal(6),
  asOf: z.string().regex(/^\d{4}-(0[1-9]|1[0-2])-(0[1-9]|[12]\d|3[01])$/),
  corpus: z.enum(['registries', 'sample']),
  bound: z.object({ parent: hash.nullable() }),
  storedChanges: stated.nullable(),
  tables: z.object({ trials: stated, registrations: stated, links: stated }),
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

function checkRows({ size, root, rows: proven }: Bundle['tables']['trials']): void {
  for (const [place, { index, row, path: nodes }] of proven.entries()) {
    objectIn(row, 'rows');
    must(index > (proven[place - 1]?.index ?? -1), 'rows');
    const leaf = leafHash(Buffer.from(row));
    must(isUnder(root, { size, index, leaf }, nodes), 'rows');
  }
}

/** RFC 9162, section 2.1.3.2, step by step with its names. */
function isUnder(root: string, { size, index, leaf }: { size: number; index: number; leaf: Buffer }, path: string[]) {
  if (index >= size) return false;
  let [fn, sn, reached] = [index, size - 1, leaf];
  const up = (): void => {
    [fn, sn] = [Math.floor(fn / 2), Math.floor(sn / 2)];
  };
  for (const node of path.map((digits) => Buffer.from(digits, 'hex'))) {
    if (sn === 0) return false;
    if (fn % 2 === 1 || fn === sn) {
      reached = nodeHash(node, reached);
      while (fn % 2 === 0 && fn !== 0) up();
    } else reached = nodeHash(reached, node);
    up();
  }
  return sn === 0 && reached.toString('hex') === root;
}

function check(content: Buffer, identity: string | undefined): void {
  const { statement, tables: held } = bundleIn(content);
  const value = objectIn(statement, 'statement');
  const form = inForm('statement', () => statementForm.parse(value));
  const sum = hashOf('sha256', statement);
  must((identity ?? sum) === sum, 'identity');
  for (const name of NAMES) {
    const { size, root } = held[name];
    must(size === form.tables[name].rows && root === form.tables[name].root, 'tables');
  }
  for (const name of NAMES) checkRows(held[name]);
  must((held.links.omitted ?? 0) + held.links.rows.length <= held.links.size, 'tables');
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
