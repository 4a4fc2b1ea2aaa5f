import { canonicalJson } from '../../contract/canonical-json.ts';
import { identityOf } from '../../snapshot/format/versions/statement.ts';
import type { Random } from '../../tools/generator/random.ts';

/** The tables of a small world on two days, with every value in full, and what differs between them: a plain second reading of docs/snapshots.md. */

export type Row = Record<string, unknown>;
export type Tables = Record<'trials' | 'registrations' | 'links', Row[]>;

const PROSE = ['enrollment_note', 'brief_summary'];
const LISTS = ['sites'];
const KEY = { trials: 'canonical_id', registrations: 'id', links: 'link_id' } as const;

/** A row as its leaf has it. */
export function leafText(row: Row): string {
  const members = Object.entries(row).map(([name, value]) => {
    if (PROSE.includes(name)) return [`${name}_sha256`, value === null ? null : identityOf(String(value))];
    return LISTS.includes(name) ? [`${name}_sha256`, sumOf(value)] : [name, value];
  });
  return canonicalJson(Object.fromEntries(members));
}

const sumOf = (value: unknown): string => identityOf(canonicalJson(value));

/** The day before: of a trial in three something differs, or it is new, or has got a registration of another one. */
export function dayBefore(after: Tables, random: Random): Tables {
  const before = structuredClone(after);
  for (const trial of [...before.trials]) {
    const ids = [trial.ctgov_id, trial.isrctn_id].filter((id) => id !== null);
    const own = before.registrations.filter(({ id }) => ids.includes(id as string));
    switch (random.below(8)) {
      case 0:
        drop(before, 'trials', trial);
        for (const registration of own) drop(before, 'registrations', registration);
        break;
      case 1:
        if (ids.length === 2) part(before, trial, random);
        break;
      case 2:
        changeSome(trial, random);
        break;
      case 3:
        changeSome(random.pick(own), random);
        break;
    }
  }
  for (const link of [...before.links]) {
    const how = random.below(5);
    if (how === 0) drop(before, 'links', link);
    else if (how === 1) link.verdict = 'rejected';
  }
  return before;
}

function drop(tables: Tables, table: keyof Tables, row: Row): void {
  tables[table].splice(tables[table].indexOf(row), 1);
}

/** The second registration of a trial was another trial's, or was not there. */
function part(before: Tables, trial: Row, random: Random): void {
  const second = before.registrations.find(({ id }) => id === trial.isrctn_id)!;
  trial.isrctn_id = null;
  if (random.chance(0.5)) drop(before, 'registrations', second);
  else {
    const id = String(trial.canonical_id).replace('wt_0', 'wt_z');
    before.trials.push({ ...structuredClone(trial), canonical_id: id, ctgov_id: null, isrctn_id: second.id });
  }
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

function changeSome(row: Row, random: Random): void {
  for (const name of Object.keys(row)) {
    if (name === 'origins' && random.chance(0.4)) row.origins = { title: 'isrctn', enrollment: null };
    if (!(name in OTHER_VALUES) || random.chance(0.5)) continue;
    row[name] = OTHER_VALUES[name];
    if (name === 'start_date') row.start_day = null;
  }
}

/** The stored changes between two days in their order, as their leaves have them. */
export function changesBetween(before: Tables, after: Tables, random: Random): string[] {
  const holderOf = (id: unknown): unknown =>
    [...after.trials, ...before.trials].find(({ ctgov_id, isrctn_id }) => ctgov_id === id || isrctn_id === id)
      ?.canonical_id;
  const found: Row[] = [];
  const add = (row: Row): void => {
    const none = { registry: null, registration_id: null, item: null, field: null, title: null, related: [] };
    found.push({ ...none, old_sha256: null, new_sha256: null, ...row });
  };
  const sides = (table: keyof Tables): [Row | undefined, Row | undefined][] => {
    const key = KEY[table];
    const ids = new Set([...before[table], ...after[table]].map((row) => row[key]));
    return [...ids].map((id) => [before, after].map((day) => day[table].find((row) => row[key] === id))) as [
      Row,
      Row,
    ][];
  };
  const compare = (kind: string, own: Row, [was, is]: [Row | undefined, Row | undefined], words: string[]): void => {
    if (was === undefined) add({ ...own, kind: `${kind}-${words[0]}`, new_sha256: sumOf(is) });
    else if (is === undefined) add({ ...own, kind: `${kind}-${words[1]}`, old_sha256: sumOf(was) });
    else if (kind === 'link' && sumOf(was) !== sumOf(is))
      add({ ...own, kind: 'link-changed', old_sha256: sumOf(was), new_sha256: sumOf(is) });
    else if (kind !== 'link')
      for (const [field, old, fresh] of fieldsOf(was, is))
        add({
          ...own,
          kind: `${kind}-changed`,
          field,
          old_sha256: sumOf(old),
          new_sha256: sumOf(fresh),
          title: is.title,
        });
  };
  for (const pair of sides('trials')) {
    const { canonical_id, title } = (pair[1] ?? pair[0])!;
    compare('trial', { canonical_id, title }, pair, ['added', 'removed']);
    if (random.chance(0.1)) add({ canonical_id, kind: 'identifier-gained', field: 'orgStudyIdInfo.id' });
  }
  for (const pair of sides('registrations')) {
    const { registry, id, title } = (pair[1] ?? pair[0])!;
    compare('registration', { canonical_id: holderOf(id), registry, registration_id: id, title }, pair, [
      'added',
      'removed',
    ]);
  }
  for (const pair of sides('links')) {
    const { link_id: item, from_id, to_id } = (pair[1] ?? pair[0])!;
    compare('link', { canonical_id: holderOf(from_id) ?? holderOf(to_id), item }, pair, ['gained', 'lost']);
  }
  for (let count = random.below(3); count > 0; count -= 1)
    add({ canonical_id: null, kind: 'signal-gained', item: identityOf(String(count)).slice(0, 16) });
  // Nulls come last.
  const order = (row: Row): string => `${row.canonical_id ?? 'x'} ${canonicalJson(row)}`;
  return found.toSorted((a, b) => (order(a) < order(b) ? -1 : 1)).map(canonicalJson);
}

function fieldsOf(was: Row, is: Row): [string, unknown, unknown][] {
  return Object.keys(is)
    .flatMap((name): [string, unknown, unknown][] => {
      if (name === 'start_day') return [];
      if (name !== 'origins') return [[name, was[name], is[name]]];
      const [old, fresh] = [was.origins as Row, is.origins as Row];
      return Object.keys(fresh).map((member) => [`origins.${member}`, old[member], fresh[member]]);
    })
    .filter(([, old, fresh]) => sumOf(old) !== sumOf(fresh));
}
