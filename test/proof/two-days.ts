import { canonicalJson } from '../../contract/canonical-json.ts';
import { identityOf } from '../../snapshot/format/versions/statement.ts';
import type { Random } from '../../tools/generator/random.ts';

/** The tables of a small world with every value in full, its day before, and what changed in between as docs/snapshots.md stores it. */

export type Row = Record<string, unknown>;
export type Tables = Record<'trials' | 'registrations' | 'links', Row[]>;

const PROSE = ['enrollment_note', 'brief_summary'];
const LISTS = ['sites'];
const sumOf = (value: unknown): string => identityOf(canonicalJson(value));

/** A row as its leaf has it. */
export function leafText(row: Row): string {
  const members = Object.entries(row).map(([name, value]) => {
    if (PROSE.includes(name)) return [`${name}_sha256`, value === null ? null : identityOf(String(value))];
    return LISTS.includes(name) ? [`${name}_sha256`, sumOf(value)] : [name, value];
  });
  return canonicalJson(Object.fromEntries(members));
}

const OTHER_VALUES: Row = {
  title: 'A title of before',
  enrollment: 7,
  start_date: null,
  enrollment_note: 'a note',
  brief_summary: null,
  sites: [{ city: 'Graz', latitude: 47.07 }],
  payload_sha256: identityOf('payload of before'),
};

/** Gives some columns of a row other values. Returns the changes from these to those of now. */
function changeSome(row: Row, random: Random): Row[] {
  const changes: Row[] = [];
  const change = (of: Row, name: string, old: unknown, field = name): void => {
    if (sumOf(old) !== sumOf(of[name])) changes.push({ field, old_sha256: sumOf(old), new_sha256: sumOf(of[name]) });
    of[name] = old;
  };
  for (const name of Object.keys(row)) {
    if (name === 'origins' && random.chance(0.4)) change(row.origins as Row, 'title', 'isrctn', 'origins.title');
    if (!(name in OTHER_VALUES) || random.chance(0.5)) continue;
    change(row, name, OTHER_VALUES[name]);
    if (name === 'start_date') row.start_day = null;
  }
  return changes;
}

/** The day before: of a trial in three something differs, or it is new, or has got a registration; and the changes since, in order. */
export function dayBefore(after: Tables, random: Random): { before: Tables; changes: string[] } {
  const before = structuredClone(after);
  const found: Row[] = [];
  const drop = (table: keyof Tables, row: Row): void => void before[table].splice(before[table].indexOf(row), 1);
  const add = (of: Row, changes: readonly Row[]): void => {
    const none = { registry: null, registration_id: null, item: null, field: null, title: null, related: [] };
    for (const one of changes) found.push({ ...none, old_sha256: null, new_sha256: null, ...of, ...one });
  };
  for (const trial of [...before.trials]) {
    const { canonical_id, ctgov_id, isrctn_id } = trial;
    const own = before.registrations.filter(({ id }) => id === ctgov_id || id === isrctn_id);
    const nameOf = ({ registry, id }: Row): Row => ({ canonical_id, registry, registration_id: id });
    const dropOwn = (row: Row): void => {
      add({ ...nameOf(row), kind: 'registration-added' }, [{ new_sha256: sumOf(row) }]);
      drop('registrations', row);
    };
    const how = random.below(8);
    if (how === 0) {
      add({ canonical_id, kind: 'trial-added' }, [{ new_sha256: sumOf(trial) }]);
      drop('trials', trial);
      for (const row of own) dropOwn(row);
    } else if (how === 1 && own.length === 2) {
      const change = { field: 'isrctn_id', old_sha256: sumOf(null), new_sha256: sumOf(isrctn_id) };
      add({ canonical_id, kind: 'trial-changed' }, [change]);
      trial.isrctn_id = null;
      dropOwn(own.find(({ id }) => id === isrctn_id)!);
    } else if (how === 2) add({ canonical_id, kind: 'trial-changed' }, changeSome(trial, random));
    else if (how === 3) {
      const row = random.pick(own);
      add({ ...nameOf(row), kind: 'registration-changed' }, changeSome(row, random));
    }
    if (random.chance(0.1)) add({ canonical_id, kind: 'identifier-gained' }, [{ field: 'orgStudyIdInfo.id' }]);
    for (const link of before.links.filter(({ from_id, to_id }) => from_id === isrctn_id || to_id === ctgov_id)) {
      const of = { canonical_id, item: link.link_id };
      const now = sumOf(link);
      const linkHow = random.below(5);
      if (linkHow === 0) {
        add({ ...of, kind: 'link-gained' }, [{ new_sha256: now }]);
        drop('links', link);
      } else if (linkHow === 1 && link.verdict === 'accepted') {
        link.verdict = 'rejected';
        add({ ...of, kind: 'link-changed' }, [{ old_sha256: sumOf(link), new_sha256: now }]);
      }
    }
  }
  for (let count = random.below(3); count > 0; count -= 1)
    add({ canonical_id: null, kind: 'signal-gained' }, [{ item: identityOf(String(count)).slice(0, 16) }]);
  // Nulls come last.
  const order = (row: Row): string => `${row.canonical_id ?? 'x'} ${canonicalJson(row)}`;
  const changes = found.toSorted((a, b) => (order(a) < order(b) ? -1 : 1)).map(canonicalJson);
  return { before, changes };
}
