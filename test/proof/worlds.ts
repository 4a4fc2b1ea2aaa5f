import { canonicalJson } from '../../contract/canonical-json.ts';
import type { ProofBundle } from '../../contract/schemas/trials/proof.ts';
import { sha256 } from '../../server-kit/hashing.ts';
import type { ProvenTable } from '../../snapshot/format/versions/proof-trees.ts';
import {
  checkpointOver,
  consistencyIn,
  inclusionIn,
  rootOf,
  UNSIGNED_ORIGIN,
} from '../../snapshot/format/versions/publication-log.ts';
import { leafHash, nodeHash, RootOfLeaves } from '../../snapshot/proof/merkle.ts';
import { type CompleteSubtree, inclusionPath, rangePath } from '../../snapshot/proof/merkle-paths.ts';
import { type SignerKey, signerKey, signNote } from '../../snapshot/proof/note.ts';
import { Random } from '../../tools/generator/random.ts';
import { changesSince, leafText, type Row, type Tables } from './two-days.ts';

/** Small worlds of snapshots and logs, and proofs in them, all from a seed. */

/** A proof with what its verifier is told, and what somebody needs who damages it well. */
export interface Proof {
  bundle: ProofBundle;
  wanted: { keys?: string[]; identity?: string; checkpoint?: string; requireOrigin?: boolean; requireLinks?: boolean };
  world: World;
}

export interface World {
  rows: Record<ProvenTable, string[]>;
  statement: string;
  /** Changes since the parent; null where none are stored. */
  changes: string[] | null;
  log: { identities: string[]; signers: SignerKey[]; checkpoints: Map<number, string> };
  trials: { index: number; registrations: number[]; links: number[] }[];
}

const KEYS = [1, 2, 3].map((seed) => signerKey('example.org/trials', Buffer.alloc(32, seed)));
export const STRANGER = signerKey('example.org/trials', Buffer.alloc(32, 9));
const TITLES = ['Aspirin', 'β-blockers in “adults”', 'a\\b\u0001\n', '😀 éß\u2028', ''];
const NUMBERS = [0, 1, 25, 1e21, 0.1, 1.5e-7, -3.25, 123456789012, 5e-324, 1e-6];

export function makeWorld(seed: number): World {
  const random = new Random(seed, 1, 0);
  const after = tablesOf(seed, random);
  const rows = inOrder(after);
  const hasParent = seed % 5 !== 0;
  const changes = !hasParent || seed % 5 === 1 ? null : changesSince(after, random);
  const world = worldOf(rows, seed, {
    parent: hasParent ? UNKNOWN.parent : null,
    changes: changes === null ? null : rootOver(changes),
  });
  return { ...world, changes, log: makeLog(sha256(world.statement), random) };
}

function worldOf(rows: World['rows'], seed: number, since: Since): Pick<World, 'rows' | 'statement' | 'trials'> {
  return { rows, statement: statementFor(rows, seed, since), trials: trialsIn(rows) };
}

function tablesOf(seed: number, random: Random): Tables {
  const tables: Tables = { trials: [], registrations: [], links: [] };
  const size = 1 + random.below(seed % 3 === 0 ? 300 : 12);
  for (let place = 0; place < size; place += 1) {
    const [nct, isrctn] = [`NCT${10_000_000 + place}`, `ISRCTN${20_000_000 + place}`];
    const held = random.pick([
      [nct, null],
      [null, isrctn],
      [nct, isrctn],
    ] as const);
    tables.trials.push({
      canonical_id: `wt_${String(place).padStart(12, '0')}`,
      aliases: [],
      ctgov_id: held[0],
      isrctn_id: held[1],
      title: random.pick(TITLES),
      enrollment: random.pick(NUMBERS),
      enrollment_note: null,
      origins: { title: 'clinicaltrials_gov', enrollment: null },
      start_date: { date: '2020-01', precision: 'month', type: null },
      start_day: '2020-01-01',
    });
    for (const id of held) {
      if (id === null) continue;
      const registry = id.startsWith('NCT') ? 'clinicaltrials_gov' : 'isrctn';
      tables.registrations.push({
        registry,
        id,
        payload_sha256: sha256(`${seed} ${id}`),
        enrollment: random.pick(NUMBERS),
        brief_summary: 'A summary.',
        sites: [],
      });
    }
    for (let count = random.below(4); count > 0; count -= 1)
      tables.links.push({
        link_id: `ln_${sha256(`${seed} ${place} ${count}`).slice(0, 12)}`,
        ...{ from_registry: 'isrctn', from_id: isrctn, to_registry: 'clinicaltrials_gov', to_id: nct },
        ...{
          verdict: random.pick(['accepted', 'rejected']),
          rule: 'declared-by-isrctn',
          kind: 'explicit-cross-reference',
        },
      });
  }
  return tables;
}

function inOrder({ trials, registrations, links }: Tables): World['rows'] {
  const sorted = (rows: Row[], key: (row: Row) => string): string[] =>
    rows.toSorted((a, b) => (key(a) < key(b) ? -1 : 1)).map(leafText);
  return {
    trials: sorted(trials, (row) => String(row.canonical_id)),
    registrations: sorted(registrations, (row) => `${row.registry} ${row.id}`),
    links: sorted(links, (row) => String(row.link_id)),
  };
}

function trialsIn(rows: World['rows']): World['trials'] {
  const parsed = (table: ProvenTable): Row[] => rows[table].map((row) => JSON.parse(row) as Row);
  const [registrations, links] = [parsed('registrations'), parsed('links')];
  const where = (table: readonly Row[], holds: (row: Row) => boolean): number[] =>
    table.flatMap((row, index) => (holds(row) ? [index] : []));
  return parsed('trials').map(({ ctgov_id, isrctn_id }, index) => {
    const ids: unknown[] = [ctgov_id, isrctn_id].filter((id) => id !== null);
    return {
      index,
      registrations: where(registrations, ({ id }) => ids.includes(id)),
      links: where(links, ({ from_id, to_id }) => ids.includes(from_id) || ids.includes(to_id)),
    };
  });
}

/** What a statement says of the snapshot before. */
interface Since {
  parent: string | null;
  changes: string | null;
}

const UNKNOWN: Since = { parent: sha256('parent'), changes: sha256('changes') };

export function statementFor(rows: World['rows'], seed: number, since = UNKNOWN): string {
  const tables = Object.fromEntries(
    Object.entries(rows).map(([name, texts]) => [name, { rows: texts.length, root: rootOver(texts) }]),
  );
  const other = { rows: 3, root: sha256(`other ${seed}`) };
  return canonicalJson({
    formatVersion: 6,
    corpus: seed % 2 === 0 ? 'sample' : 'registries',
    asOf: '2026-10-01',
    tables: { ...tables, raw: other },
    bound: { parent: since.parent, rules: [] },
    storedChanges: since.changes && { rows: 3, root: since.changes },
    files: sha256('files'),
  });
}

/** Leaves, complete subtrees and root of each table of a world, each hashed once. */
const treesOf = new WeakMap<readonly string[], CompleteSubtree>();

function treeOver(texts: readonly string[]): CompleteSubtree {
  const known = treesOf.get(texts);
  if (known !== undefined) return known;
  const plain = texts.map((text) => leafHash(Buffer.from(text)));
  const nodes = new Map<string, Uint8Array>();
  const subtree: CompleteSubtree = (level, index) => {
    if (level === 0) return plain[index]!;
    const held = nodes.get(`${level} ${index}`);
    if (held !== undefined) return held;
    const made = nodeHash(subtree(level - 1, index * 2), subtree(level - 1, index * 2 + 1));
    nodes.set(`${level} ${index}`, made);
    return made;
  };
  treesOf.set(texts, subtree);
  return subtree;
}

const rootsOf = new WeakMap<readonly string[], string>();

export function rootOver(texts: readonly string[]): string {
  const known = rootsOf.get(texts);
  if (known !== undefined) return known;
  const tree = new RootOfLeaves();
  const leaf = treeOver(texts);
  for (let index = 0; index < texts.length; index += 1) tree.add(leaf(0, index));
  const root = tree.root().toString('hex');
  rootsOf.set(texts, root);
  return root;
}

function makeLog(identity: string, random: Random): World['log'] {
  const before = random.below(9);
  const after = random.below(9);
  const other = (place: number): string => sha256(`other ${place} ${identity}`);
  const identities = [
    ...Array.from({ length: before }, (_, place) => other(place)),
    identity,
    ...Array.from({ length: after }, (_, place) => other(before + 1 + place)),
  ];
  const signers = random.pick([[], [KEYS[0]!], [KEYS[1]!, KEYS[0]!], KEYS]);
  const checkpoints = new Map(
    identities.map((_, place) => {
      const origin = signers.length === 0 ? UNSIGNED_ORIGIN : 'example.org/trials';
      const text = checkpointOver(origin, identities.slice(0, place + 1));
      return [place + 1, signers.length === 0 ? text : signNote(text, signers)];
    }),
  );
  return { identities, signers, checkpoints };
}

/** A proof of one of its trials, with or without the log, an earlier checkpoint and what the verifier knows. */
export function proofIn(world: World, random: Random): Proof {
  const { log: held, statement } = world;
  const trial = random.pick(world.trials);
  const identity = sha256(statement);
  const wanted: Proof['wanted'] = {};
  const bundle: ProofBundle = {
    format: 'trial-board-proof/1',
    statement,
    tables: tablesFor(world, trial),
    log: null,
  };
  const { changes } = world;
  const id = JSON.parse(world.rows.trials[trial.index]!).canonical_id as string;
  if (changes !== null && random.chance(0.6)) bundle.changes = changesPart(changes, ...placesOf(changes, id));
  const { links } = bundle.tables;
  const others = links.size - links.rows.length;
  if (others > 0 && random.below(5) === 0) links.omitted = random.pick([others, 1 + random.below(others)]);
  // Of a bundle without a log nothing but a known identity says that its statement is the one that was published.
  if (random.below(6) === 0) return { bundle, wanted: { identity }, world };
  if (random.below(3) === 0) wanted.identity = identity;
  const log = asLog(world);
  const size = held.identities.length;
  bundle.log = {
    ...inclusionIn(log, identity)!,
    size,
    checkpoint: held.checkpoints.get(size)!,
    keys: held.signers.map(({ verifier }) => verifier.vkey),
  };
  if (held.signers.length > 0 && random.below(2) === 0)
    wanted.keys = [STRANGER.verifier.vkey, random.pick(held.signers).verifier.vkey];
  if (random.below(2) === 0) {
    const from = 1 + random.below(size);
    const checkpoint = held.checkpoints.get(from)!;
    bundle.consistency = { ...consistencyIn(log, from)!, checkpoint };
    if (random.below(2) === 0) wanted.checkpoint = checkpoint;
  } else if (random.below(4) === 0) wanted.checkpoint = held.checkpoints.get(size)!;
  return { bundle, wanted, world };
}

export function tablesFor(
  world: Pick<World, 'rows'>,
  { index, registrations, links }: World['trials'][number],
): ProofBundle['tables'] {
  return {
    trials: tableOf(world, 'trials', [index]),
    registrations: tableOf(world, 'registrations', registrations),
    links: tableOf(world, 'links', links),
  };
}

/** The trial of a change as it is ordered: nulls come last. */
const orderOf = (text: string): string => /"canonical_id":"([^"]*)"/.exec(text)?.[1] ?? 'x';

/** Where the changes of a trial begin and end, with the row before and the row after them. */
export function placesOf(changes: readonly string[], id: string): [number, number] {
  const ids = changes.map(orderOf);
  const before = ids.filter((one) => one < id).length;
  const own = ids.filter((one) => one === id).length;
  return [Math.max(before - 1, 0), Math.min(before + own + 1, changes.length)];
}

export function changesPart(
  changes: readonly string[],
  first: number,
  end: number,
): NonNullable<ProofBundle['changes']> {
  const size = changes.length;
  const path = end === first ? [] : rangePath(treeOver(changes), size, first, end);
  return { size, first, rows: changes.slice(first, end), path: path.map((node) => Buffer.from(node).toString('hex')) };
}

function asLog({ log: { identities, checkpoints, signers } }: World) {
  const size = identities.length;
  const origin = signers.length === 0 ? UNSIGNED_ORIGIN : 'example.org/trials';
  const root = rootOf(identities, [size])[0]!;
  const text = checkpointOver(origin, identities);
  const content = checkpoints.get(size)!;
  const checkpoint = { origin, size, root, text, content, isSigned: signers.length > 0, signatures: [] };
  return { identities, checkpoint, keys: signers.map(({ verifier }) => verifier) };
}

export function tableOf(
  world: Pick<World, 'rows'>,
  table: ProvenTable,
  indexes: readonly number[],
): ProofBundle['tables'][ProvenTable] {
  const texts = world.rows[table];
  const subtree = treeOver(texts);
  return {
    size: texts.length,
    root: rootOver(texts),
    rows: indexes
      .toSorted((a, b) => a - b)
      .map((index) => ({
        index,
        row: texts[index]!,
        path: inclusionPath(subtree, texts.length, index).map((node) => Buffer.from(node).toString('hex')),
      })),
  };
}

export function copyOf({ bundle, wanted, world }: Proof): Proof {
  return { bundle: structuredClone(bundle), wanted: { ...wanted }, world };
}
