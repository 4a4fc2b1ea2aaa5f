import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { PROOF_FORMAT, PROOF_MAX_BYTES } from '../../contract/proof.ts';
import type { ProofBundle } from '../../contract/schemas/trials/proof.ts';
import { parseIdentifier } from '../format/identifiers.ts';
import { changesPath, rowPath } from '../format/row-path.ts';
import type { Manifest } from '../format/versions/manifest.ts';
import { MANIFEST_FILE } from '../format/versions/own-files.ts';
import type { ProvenTable } from '../format/versions/proof-trees.ts';
import {
  consistencyIn,
  inclusionIn,
  type KeptCheckpoint,
  type PublicationLog,
  readCheckpoint,
} from '../format/versions/publication-log.ts';
import { sqlLiteral } from './connection.ts';
import { changePlaces, changeRows, type KeyedConnection, type ProvenRow, provenRows, sourceOf } from './proof-rows.ts';

/** There is no proof of what was asked for; `code` says why, and the message says what to do. */
export class NoProof extends Error {
  /**
   * `trial`: no trial has the id. `size`: a bundle would be too large. `since`: no such checkpoint.
   * `changes`: the snapshot has none that could be proven.
   */
  readonly code: 'trial' | 'size' | 'since' | 'changes';

  constructor(code: NoProof['code'], message: string) {
    super(message);
    this.name = 'NoProof';
    this.code = code;
  }
}

export interface ProvenSnapshot {
  directory: string;
  manifest: Manifest;
}

/**
 * The canonical id of the trial that has an id of its own, or a registration of this number. An id that a trial had before is refused: a
 * proof is of the id that was asked for. Throws NoProof.
 */
export async function provenTrial(
  connection: KeyedConnection,
  { directory }: ProvenSnapshot,
  id: string,
): Promise<string> {
  const read = parseIdentifier(id);
  const column = read?.type === 'nct' ? 'ctgov_id' : read?.type === 'isrctn' ? 'isrctn_id' : 'canonical_id';
  const value = column === 'canonical_id' ? id : read!.value;
  const [found] = await connection.all(
    `SELECT canonical_id FROM ${sourceOf(directory, 'trials')} WHERE "${column}" = $1`,
    [value],
  );
  if (found !== undefined) return String(found.canonical_id);
  if (column === 'ctgov_id' || column === 'isrctn_id') {
    const by = await supersedes(connection, directory, value);
    if (by !== null)
      throw new NoProof(
        'trial',
        `${id} is superseded by ${by} and is no registration of its trial any more; ask for the proof of ${by}, whose links show it.`,
      );
  }
  const [former] = await connection.all(
    `SELECT state, alias_of FROM read_parquet(${sqlLiteral(`${directory}/canonical_ids.parquet`)}) WHERE canonical_id = $1`,
    [value],
  );
  throw new NoProof('trial', `${id} ${absence(former)}`);
}

/** The number of the record that superseded one; null where none did. */
async function supersedes(connection: KeyedConnection, directory: string, number: string): Promise<string | null> {
  const [row] = await connection.all(
    `SELECT from_id AS "by" FROM ${sourceOf(directory, 'links')}
     WHERE rule = 'superseded-number' AND verdict = 'accepted' AND to_id = $1 ORDER BY from_id LIMIT 1`,
    [number],
  );
  return row === undefined ? null : String(row.by);
}

function absence(former: Record<string, unknown> | undefined): string {
  switch (former?.state) {
    case 'alias':
      return `was merged into ${former.alias_of}; ask for the proof of that trial, whose row names its former ids.`;
    case 'divided':
      return 'was divided: its registrations stand in different trials now. Ask by the number of a registration.';
    case 'retired':
      return 'is the id of a trial that is not in this snapshot any more; ask for a snapshot that held it.';
    default:
      return 'is the id of no trial and the number of no registration of this snapshot.';
  }
}

/** The checkpoint over the first `size` identities, which the log goes on from. Throws NoProof where none is kept. */
export async function earlierCheckpoint(
  snapshotsDir: string,
  { checkpoint }: PublicationLog,
  size: number,
): Promise<KeptCheckpoint> {
  const newest = checkpoint?.size ?? 0;
  const found = size === newest ? checkpoint : size < newest ? await readCheckpoint(snapshotsDir, size) : null;
  if (found !== null) return found;
  throw new NoProof(
    'since',
    `No checkpoint over ${size} identities is kept; the newest counts ${newest}. Name the size of a checkpoint that you hold.`,
  );
}

/** What a bundle holds beside the rows of the snapshot. */
export interface Asked {
  log: PublicationLog;
  since: KeptCheckpoint | null;
  /** Whether it holds the changes of the trial since the parent. */
  changes?: boolean;
}

/** The bundle of a trial (docs/proofs.md). Throws NoProof, TreeFault or LogMisfit. */
export async function proofBundle(
  connection: KeyedConnection,
  snapshot: ProvenSnapshot,
  canonicalId: string,
  asked: Asked,
): Promise<ProofBundle> {
  const { manifest } = snapshot;
  const rows = await rowsOf(connection, snapshot, canonicalId);
  const bundle: ProofBundle = {
    format: PROOF_FORMAT,
    statement: await readFile(join(snapshot.directory, MANIFEST_FILE), 'utf8'),
    tables: {
      trials: await proven(snapshot, 'trials', rows.trials),
      registrations: await proven(snapshot, 'registrations', rows.registrations),
      links: await proven(snapshot, 'links', []),
    },
    ...(asked.changes === true && { changes: await changesPart(connection, snapshot, canonicalId) }),
    log: logPart(asked.log, manifest.identity),
    ...consistencyPart(asked),
  };
  addLinks(bundle, (await proven(snapshot, 'links', rows.links)).rows);
  return bundle;
}

/** Shorter than any change by RFC 8785. */
const CHANGE_MIN_BYTES = 128;

/** The changes of a trial with the rows before and after them, which show that there are no others. */
async function changesPart(
  connection: KeyedConnection,
  { directory, manifest }: ProvenSnapshot,
  canonicalId: string,
): Promise<NonNullable<ProofBundle['changes']>> {
  const { version, parent, storedChanges: stated } = manifest;
  if (stated === null) {
    const lacks =
      parent === null
        ? 'has no parent, and so no changes since'
        : 'has a parent of another corpus, and so stores no changes';
    throw new NoProof('changes', `The version ${version} ${lacks}. Ask for the proof without changes.`);
  }
  const { rows: size } = stated;
  if (size === 0) return { size, first: 0, rows: [], path: [] };
  const { before, own } = await changePlaces(connection, directory, canonicalId);
  if (own * CHANGE_MIN_BYTES > PROOF_MAX_BYTES) throw tooLarge(`more than ${PROOF_MAX_BYTES}`, true);
  const [first, end] = [Math.max(before - 1, 0), Math.min(before + own + 1, size)];
  const found = await changeRows(connection, directory, first, end);
  return { size, ...found, path: await changesPath(directory, stated, found) };
}

function tooLarge(bytes: number | string, hasChanges: boolean): NoProof {
  const instead = hasChanges
    ? 'ask for it without the changes'
    : 'its rows are in the tables, whose roots can be recomputed';
  return new NoProof(
    'size',
    `The proof has ${bytes} bytes without its links, and a bundle at most ${PROOF_MAX_BYTES}; ${instead}.`,
  );
}

/** The row of the trial, those of the registrations that it names, and the links of these. */
async function rowsOf(
  connection: KeyedConnection,
  snapshot: ProvenSnapshot,
  canonicalId: string,
): Promise<Record<ProvenTable, ProvenRow[]>> {
  const trials = await provenRows(connection, snapshot, 'trials', ['canonical_id = $1', canonicalId]);
  const [trial] = trials;
  if (trial === undefined) throw new NoProof('trial', `${canonicalId} ${absence(undefined)}`);
  const { ctgov_id, isrctn_id } = JSON.parse(trial.row) as Record<'ctgov_id' | 'isrctn_id', string | null>;
  const named = [
    { registry: 'clinicaltrials_gov', id: ctgov_id },
    { registry: 'isrctn', id: isrctn_id },
  ].flatMap(({ registry, id }) => (id === null ? [] : [{ registry, id }]));
  const registrations: ProvenRow[] = [];
  for (const { registry, id } of named) {
    const where: [string, ...string[]] = ['registry = $1 AND id = $2', registry, id];
    registrations.push(...(await provenRows(connection, snapshot, 'registrations', where)));
  }
  const [one, other = one] = named;
  const ends = (place: number): string =>
    `(from_registry = $${place} AND from_id = $${place + 1}) OR (to_registry = $${place} AND to_id = $${place + 1})`;
  const links = await provenRows(connection, snapshot, 'links', [
    `${ends(1)} OR ${ends(3)}`,
    ...[one, other].flatMap((end) => [end!.registry, end!.id]),
  ]);
  return { trials, registrations, links };
}

async function proven(
  { directory, manifest }: ProvenSnapshot,
  table: ProvenTable,
  found: readonly ProvenRow[],
): Promise<ProofBundle['tables'][ProvenTable]> {
  const { rows, root } = manifest.tables[table];
  const proofs = await Promise.all(
    found.map(async (one) => ({ ...one, path: await rowPath(directory, table, { rows, root }, one) })),
  );
  return { size: rows, root, rows: proofs };
}

function logPart(log: PublicationLog, identity: string): ProofBundle['log'] {
  const { checkpoint, keys } = log;
  const found = inclusionIn(log, identity);
  if (found === null || checkpoint === null) return null;
  const { index, path } = found;
  return { index, size: checkpoint.size, path, checkpoint: checkpoint.content, keys: keys.map(({ vkey }) => vkey) };
}

function consistencyPart({ log, since }: Asked) {
  if (since === null) return {};
  const found = consistencyIn(log, since.size);
  return found === null ? {} : { consistency: { ...found, checkpoint: since.content } };
}

/**
 * Adds links to a bundle, accepted ones first, until it is full, and says how many are left out. Throws NoProof where it is too large
 * without them.
 */
function addLinks(bundle: ProofBundle, links: ProofBundle['tables']['links']['rows']): void {
  const bytes = (value: unknown): number => Buffer.byteLength(JSON.stringify(value));
  const table = bundle.tables.links;
  // Room for saying that all are left out is kept.
  if (links.length > 0) table.omitted = links.length;
  let left = PROOF_MAX_BYTES - bytes(bundle);
  if (left < 0) throw tooLarge(PROOF_MAX_BYTES - left, bundle.changes !== undefined);
  const isAccepted = ({ row }: { row: string }): boolean => JSON.parse(row).verdict === 'accepted';
  const taken = links
    .toSorted((a, b) => Number(isAccepted(b)) - Number(isAccepted(a)) || a.index - b.index)
    .filter((link) => {
      const needed = bytes(link) + 1;
      if (needed > left) return false;
      left -= needed;
      return true;
    });
  table.rows = taken.sort((a, b) => a.index - b.index);
  if (taken.length === links.length) delete table.omitted;
  else table.omitted = links.length - taken.length;
}
