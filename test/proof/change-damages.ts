import { sha256 } from '../../server-kit/hashing.ts';
import { bend, type Damage, idIn, OTHER_FORMS, otherHash, restate, rewritten, withMembers } from './bending.ts';
import { changesPart, type Proof, placesOf, rootOver } from './worlds.ts';

/** Other changes, under a root and an identity that follow from them, with the rows of the trial and one on each side. */
function store(proof: Proof, changes: readonly string[]): void {
  restate(proof, { storedChanges: { rows: changes.length, root: rootOver(changes) } });
  proof.bundle.changes = changesPart(changes, ...placesOf(changes, idIn(proof)));
}

const edited = (changes: readonly string[], index: number, members: object): string[] =>
  changes.with(index, withMembers(changes[index]!, members));

/** Places of the changes of the proven trial that name a column. */
function columnChanges(proof: Proof): number[] {
  if (proof.bundle.changes === undefined) return [];
  return proof.world.changes!.flatMap((text, index) => {
    const { canonical_id, kind } = JSON.parse(text);
    return canonical_id === idIn(proof) && /^(?:trial|registration)-changed$/.test(kind) ? [index] : [];
  });
}

/** Texts in full are known by their sum alone, which no row has. */
const isProse = (change: string): boolean => ['enrollment_note', 'brief_summary'].includes(JSON.parse(change).field);

/** Damages of the changes since the parent. */
export const CHANGES: readonly Damage[] = [
  ({ bundle: { changes } }, random) => changes && bend(changes.path, random),
  ({ bundle: { changes } }, random) => {
    if (changes === undefined || changes.rows.length === 0) return;
    const { rows } = changes;
    const at = random.below(rows.length);
    const row = rows[at]!;
    const made = [rewritten(row, random), ...OTHER_FORMS.map((form) => form(row)), '[]', 'null', '', '{'];
    rows.splice(at, 1, ...random.pick([[], [row, row], [random.pick(made)]]));
  },
  ({ bundle: { changes } }, random) => {
    if (changes) changes.first += random.pick([1, changes.size, 2 ** 40]);
  },
  // The end of the table, where it is none, and where it is.
  ({ bundle: { changes } }) => {
    if (changes === undefined) return;
    const end = changes.first + changes.rows.length;
    changes.size = changes.size === end ? end + 1 : end;
  },
  // Other rows that lie side by side.
  (proof, random) => {
    const { bundle, world } = proof;
    if (bundle.changes === undefined || world.changes!.length < 2) return;
    const [first, end] = placesOf(world.changes!, idIn(proof));
    const from = random.below(world.changes!.length);
    const to = from + 1 + random.below(world.changes!.length - from);
    if (from !== first || to !== end) bundle.changes = changesPart(world.changes!, from, to);
  },
  // A range with a gap, as if what lies around the gap were neighbours.
  ({ bundle, world }, random) => {
    if (bundle.changes === undefined || bundle.changes.rows.length < 3) return;
    const { first, rows } = bundle.changes;
    const without = world.changes!.toSpliced(first + 1 + random.below(rows.length - 2), 1);
    const part = changesPart(without, first, first + rows.length - 1);
    bundle.changes = { ...part, size: random.pick([without.length, without.length + 1]) };
  },
  (proof) => proof.bundle.changes && restate(proof, { storedChanges: null }),
  (proof) => {
    const { bundle, world } = proof;
    if (bundle.changes !== undefined || world.changes !== null) return;
    bundle.changes = { size: 0, first: 0, rows: [], path: [] };
    if (JSON.parse(bundle.statement).bound.parent !== null)
      restate(proof, { storedChanges: { rows: 0, root: sha256('none') } });
  },
  // What its maker could write.
  (proof, random) => {
    const { changes } = proof.world;
    const own = columnChanges(proof);
    if (own.length === 0) return;
    const index = random.pick(own);
    const kind = JSON.parse(changes![index]!).kind;
    const members = random.pick([
      { kind: random.pick(['trial-proven', 'the-trial changed', '', null, 7]) },
      { registration_id: random.pick(['NCT1', 7, kind === 'trial-changed' ? 'NCT10000000' : null]) },
      { field: random.pick([7, null, { name: 'title' }]) },
      { item: random.pick([7, ['ln_0']]) },
      { old_sha256: random.pick(['', 'A'.repeat(64), 7]) },
      { new_sha256: random.pick(['', `${'0'.repeat(64)}\n`, 7]) },
    ]);
    store(proof, edited(changes!, index, members));
  },
  (proof, random) => {
    const { changes } = proof.world;
    const index = columnChanges(proof).find((place) => !isProse(changes![place]!));
    if (index === undefined) return;
    const sum = JSON.parse(changes![index]!).new_sha256;
    store(proof, edited(changes!, index, { new_sha256: random.pick([otherHash(sum, random), null]) }));
  },
  // A row before or after them that is of no other trial.
  (proof, random) => {
    const { bundle, world } = proof;
    if (bundle.changes === undefined) return;
    const { first, rows, size } = bundle.changes;
    const sides = [...(first > 0 ? [first] : []), ...(first + rows.length < size ? [first + rows.length - 1] : [])];
    if (sides.length === 0) return;
    const index = random.pick(sides);
    const ids = index === first && first > 0 ? [null, 'wt_zzzzzzzzzzzz', '', 7] : ['wt_', '', 7, 'A'];
    const changes = edited(world.changes!, index, { canonical_id: random.pick(ids) });
    restate(proof, { storedChanges: { rows: changes.length, root: rootOver(changes) } });
    bundle.changes = changesPart(changes, first, first + rows.length);
  },
];
