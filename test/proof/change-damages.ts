import { canonicalJson } from '../../contract/canonical-json.ts';
import { identityOf } from '../../snapshot/format/versions/statement.ts';
import { bend, type Damage, OTHER_FORMS, otherHash, rewritten, unlogged } from './bending.ts';
import { changesPart, type Proof, placesOf, rootOver, tableOf, tablesFor } from './worlds.ts';

/** Damages of what a bundle has of the changes since the parent, and of the parent. */

const idIn = ({ bundle }: Proof): string => JSON.parse(bundle.tables.trials.rows[0]!.row).canonical_id;

/** Other members in the statement, as its maker could write it. */
function restate(proof: Proof, members: object): void {
  proof.bundle.statement = canonicalJson({ ...JSON.parse(proof.bundle.statement), ...members });
  unlogged(proof);
}

/** Other changes, under a root and an identity that follow from them; the bundle has all of the trial with one on each side. */
function store(proof: Proof, changes: readonly string[]): void {
  restate(proof, { changes: rootOver(changes) });
  proof.bundle.changes = changesPart(changes, ...placesOf(changes, idIn(proof)));
}

/** Places of the changes of the proven trial that name a column which both snapshots have. */
function columnChanges({ bundle, world }: Proof): number[] {
  const id = JSON.parse(bundle.tables.trials.rows[0]!.row).canonical_id;
  const held = bundle.parent?.tables.registrations.rows.map(({ row }) => JSON.parse(row).id) ?? [];
  return world.changes!.flatMap((text, index) => {
    const { canonical_id, kind, registration_id } = JSON.parse(text);
    const isOfBoth = kind === 'trial-changed' || (kind === 'registration-changed' && held.includes(registration_id));
    return canonical_id === id && isOfBoth ? [index] : [];
  });
}

function edited(changes: readonly string[], index: number, members: object): string[] {
  return changes.with(index, canonicalJson({ ...JSON.parse(changes[index]!), ...members }));
}

export const CHANGES: readonly Damage[] = [
  ({ bundle: { changes } }, random) => {
    if (changes === undefined) return null;
    bend(changes.path, random);
    return 'changes';
  },
  ({ bundle: { changes } }, random) => {
    if (changes === undefined || changes.rows.length === 0) return null;
    const at = random.below(changes.rows.length);
    const row = changes.rows[at]!;
    const how = random.below(4);
    if (how === 0) changes.rows.splice(at, 1);
    else if (how === 1) changes.rows.splice(at, 0, row);
    else if (how === 2) changes.rows[at] = rewritten(row, random);
    else changes.rows[at] = random.pick([...OTHER_FORMS.map((form) => form(row)), '[]', 'null', '', '{']);
    return changes.rows[at] === row && how > 1 ? null : 'changes';
  },
  ({ bundle: { changes } }, random) => {
    if (changes === undefined) return null;
    changes.first += random.pick([1, changes.size, 2 ** 40]);
    return 'changes';
  },
  // The end of the table, where it is none, and where it is.
  ({ bundle: { changes } }) => {
    if (changes === undefined) return null;
    const end = changes.first + changes.rows.length;
    changes.size = changes.size === end ? end + 1 : end;
    return 'changes';
  },
  // Other rows that lie side by side.
  (proof, random) => {
    const { bundle, world } = proof;
    if (bundle.changes === undefined || world.changes!.length < 2) return null;
    const [first, end] = placesOf(world.changes!, idIn(proof));
    const from = random.below(world.changes!.length);
    const to = from + 1 + random.below(world.changes!.length - from);
    if (from === first && to === end) return null;
    bundle.changes = changesPart(world.changes!, from, to);
    return 'changes';
  },
  // A range with a gap, as if what lies around the gap were neighbours.
  ({ bundle, world }, random) => {
    if (bundle.changes === undefined || bundle.changes.rows.length < 3) return null;
    const { first, rows } = bundle.changes;
    const gap = first + 1 + random.below(rows.length - 2);
    const without = world.changes!.toSpliced(gap, 1);
    bundle.changes = {
      ...changesPart(without, first, first + rows.length - 1),
      size: random.pick([without.length, without.length + 1]),
    };
    return 'changes';
  },
  (proof) => {
    if (proof.bundle.changes === undefined) return null;
    restate(proof, { changes: null });
    return 'changes';
  },
  (proof) => {
    const { bundle, world } = proof;
    if (bundle.changes !== undefined || world.changes !== null) return null;
    bundle.changes = { size: 0, first: 0, rows: [], path: [] };
    if (JSON.parse(bundle.statement).parent !== null) restate(proof, { changes: identityOf('none') });
    return 'changes';
  },
  // What its maker could write.
  (proof, random) => {
    const { bundle, world } = proof;
    const own = bundle.changes === undefined ? [] : columnChanges(proof);
    if (own.length === 0) return null;
    const index = random.pick(own);
    const kind = JSON.parse(world.changes![index]!).kind;
    const members = random.pick([
      { kind: random.pick(['trial-proven', 'the-trial changed', '', null, 7]) },
      { registration_id: random.pick(['NCT1', 7, kind === 'trial-changed' ? 'NCT10000000' : null]) },
      { field: random.pick([7, null, { name: 'title' }]) },
      { item: random.pick([7, ['ln_0']]) },
      { old_sha256: random.pick(['', 'A'.repeat(64), 7]) },
      { new_sha256: random.pick(['', `${'0'.repeat(64)}\n`, 7]) },
    ]);
    store(proof, edited(world.changes!, index, members));
    return 'changes';
  },
  (proof, random) => {
    const { bundle, world } = proof;
    const own = bundle.changes === undefined ? [] : columnChanges(proof);
    // The sum of a text in full stands in no row.
    const index = own.find(
      (place) => !['enrollment_note', 'brief_summary'].includes(JSON.parse(world.changes![place]!).field),
    );
    if (index === undefined) return null;
    const sum = JSON.parse(world.changes![index]!).new_sha256;
    store(proof, edited(world.changes!, index, { new_sha256: random.pick([otherHash(sum, random), null]) }));
    return 'changes';
  },
  (proof, random) => {
    const { bundle, world } = proof;
    if (bundle.changes === undefined) return null;
    const { first, rows, size } = bundle.changes;
    const sides = [...(first > 0 ? [first] : []), ...(first + rows.length < size ? [first + rows.length - 1] : [])];
    if (sides.length === 0) return null;
    const index = random.pick(sides);
    const ids = index === first && first > 0 ? [null, 'wt_zzzzzzzzzzzz', '', 7] : ['wt_', '', 7, 'A'];
    const changes = edited(world.changes!, index, { canonical_id: random.pick(ids) });
    restate(proof, { changes: rootOver(changes) });
    bundle.changes = changesPart(changes, first, first + rows.length);
    return 'changes';
  },
];

export const PARENT: readonly Damage[] = [
  ({ bundle: { parent } }, random) => {
    if (parent === undefined) return null;
    const { tables } = parent;
    const rows = [...tables.trials.rows, ...tables.registrations.rows, ...tables.links.rows];
    const row = random.pick(rows);
    const how = random.below(3);
    if (how === 0) bend(row.path, random);
    else if (how === 1) row.row = rewritten(row.row, random);
    else tables.trials.size += 1;
    return 'parent';
  },
  ({ bundle: { parent } }, random) => {
    if (parent === undefined) return null;
    const statement = JSON.parse(parent.statement);
    parent.statement = random.pick([
      canonicalJson({ ...statement, more: 1 }),
      canonicalJson({ ...statement, asOf: '2026-09-01' }),
      random.pick(OTHER_FORMS)(parent.statement),
    ]);
    return 'parent';
  },
  ({ bundle: { parent } }, random) => {
    if (parent === undefined) return null;
    const { links, registrations } = parent.tables;
    if (random.chance(0.5)) registrations.rows.splice(random.below(registrations.rows.length), 1);
    else links.omitted = links.size - links.rows.length + 1;
    return 'parent';
  },
  (proof, random) => {
    const { bundle, world } = proof;
    const others = world.parent?.trials.filter(({ index }) => !world.parent!.rows.trials[index]!.includes(idIn(proof)));
    if (bundle.parent === undefined || !others?.length) return null;
    const other = random.pick(others);
    bundle.parent.tables = tablesFor(world.parent!, other);
    return 'parent';
  },
  (proof, random) => {
    if (proof.bundle.parent === undefined) return null;
    restate(proof, { parent: random.pick([null, identityOf('another')]) });
    return 'parent';
  },
  // A parent that agrees with itself, of another statement or of no such form.
  (proof, random) => {
    const { bundle, world } = proof;
    if (bundle.parent === undefined) return null;
    const statement = JSON.parse(bundle.parent.statement);
    bundle.parent.statement = canonicalJson({
      ...statement,
      ...random.pick([{ format: 'trial-board-snapshot/2' }, { asOf: 'then' }, { corpus: 'none' }, { changes: 7 }]),
    });
    if (random.chance(0.2)) {
      bundle.parent.statement = canonicalJson(statement);
      bundle.parent.tables.trials = tableOf(world.parent!, 'trials', []);
    }
    restate(proof, { parent: identityOf(bundle.parent.statement) });
    return 'parent';
  },
];

/** What its maker could write of both snapshots, so that only the two together show it. */
export const DIFFERENCES: readonly Damage[] = [
  (proof, random) => {
    const { bundle, world } = proof;
    const own = bundle.changes === undefined || bundle.parent === undefined ? [] : columnChanges(proof);
    if (own.length === 0) return null;
    const index = random.pick(own);
    const change = JSON.parse(world.changes![index]!);
    const isProse = ['enrollment_note', 'brief_summary'].includes(change.field);
    const how = random.below(4);
    if (how === 0) store(proof, world.changes!.toSpliced(index, 1));
    else if (how === 1) store(proof, world.changes!.toSpliced(index, 0, world.changes![index]!));
    else if (how === 2) store(proof, edited(world.changes!, index, { kind: change.kind.replace('changed', 'added') }));
    else if (isProse) return null;
    else store(proof, edited(world.changes!, index, { old_sha256: otherHash(change.old_sha256, random) }));
    return 'differences';
  },
  // One more, of a column that does not differ or that no row has.
  (proof, random) => {
    const { bundle, world } = proof;
    if (bundle.changes === undefined || bundle.parent === undefined) return null;
    const id = idIn(proof);
    const trial = JSON.parse(bundle.tables.trials.rows[0]!.row);
    const [first, end] = placesOf(world.changes!, id);
    const named = world.changes!.slice(first, end).map((text) => JSON.parse(text).field);
    const field = random.pick(
      ['aliases', 'title', 'nowhere', 'origins.nowhere', 'start_day'].filter((name) => !named.includes(name)),
    );
    const value = field.startsWith('origins') ? null : (trial[field] ?? null);
    const sum = identityOf(canonicalJson(value));
    const more = {
      ...{ canonical_id: id, kind: 'trial-changed', registry: null, registration_id: null, item: null, field },
      ...{ old_sha256: sum, new_sha256: sum, title: null, related: [] },
    };
    const at = world.changes!.filter((text) => (JSON.parse(text).canonical_id ?? 'x') < id).length;
    store(proof, world.changes!.toSpliced(at, 0, canonicalJson(more)));
    return 'differences';
  },
];
