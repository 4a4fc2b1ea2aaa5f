import type { ChangeKind, StoredChange } from '../format/versions/change.ts';
import type { ComparedTable } from './compare.ts';
import type {
  ChangedLink,
  DiffLists,
  FieldChange,
  LinkEntry,
  MergeCause,
  RegistrationEntry,
  TrialEntry,
} from './lists.ts';
import { comparedFields } from './tables.ts';

/** What registrations state on one side only, by value. */
interface StatedMove {
  registry: string;
  id: string;
  /** JSON by RFC 8785. */
  gone: string[];
  fresh: string[];
}

/** The comparison of two snapshots, as their stored changes add up to it. */
export interface ComposedChanges extends DiffLists {
  /** Publications that registrations list on one side only; no order or number counts. */
  publications: StatedMove[];
  signals: { gained: string[]; lost: string[] };
}

/**
 * Adds up the changes of versions that follow on each other, oldest first; any order within a version. What changed and changed
 * back, or came and went, is no difference. Merges and splits are told anew from the ids and aliases at both ends: a trial
 * that was split off and then joined to a third is merged into that. Holds every row that differs in memory.
 */
export function composeChanges(versions: Iterable<Iterable<StoredChange>>): ComposedChanges {
  const tables: Record<ComparedTable, Rows> = { trials: new Map(), registrations: new Map(), links: new Map() };
  const identifiers: Moves = new Map();
  const publications: Moves = new Map();
  const signals: Moves = new Map();
  for (const version of versions) {
    for (const change of version) {
      const [subject] = change.kind.split('-');
      if (subject === 'identifier') addMove(identifiers, registrationKey(change), change, change.field ?? '');
      else if (subject === 'publication') addMove(publications, registrationKey(change), change, '');
      else if (subject === 'signal') addMove(signals, change.item ?? '', change, '');
      else addRow(tables[`${subject}s` as ComparedTable], keyOf(change), change);
    }
  }
  return {
    trials: trialLists(tables.trials, tables.links),
    registrations: registrationLists(tables.registrations, identifiers),
    links: linkLists(tables.links),
    publications: statedMoves(publications),
    signals: {
      gained: [...signals]
        .filter(([, moves]) => sideOf(moves, 1).length > 0)
        .map(([id]) => id)
        .sort(),
      lost: [...signals]
        .filter(([, moves]) => sideOf(moves, -1).length > 0)
        .map(([id]) => id)
        .sort(),
    },
  };
}

const OPPOSITE: Partial<Record<string, string>> = {
  added: 'removed',
  removed: 'added',
  merged: 'added',
  split: 'removed',
  gained: 'lost',
  lost: 'gained',
};

/** The change that undoes another. A merge is undone by an addition, since only whole comparisons tell splits. */
export function undone(change: StoredChange): StoredChange {
  const [subject, verb = ''] = change.kind.split('-');
  return { ...change, kind: `${subject}-${OPPOSITE[verb] ?? verb}` as ChangeKind, old: change.new, new: change.old };
}

type Values = Map<string, unknown>;
/** Both ends of one row: null where it is absent, else its known values; all of them once it came or went. */
interface Ends {
  before: Values | null;
  after: Values | null;
  /** Title where it did not change. */
  title: string | null;
}
type Rows = Map<string, Ends>;

function registrationKey({ registry, registrationId }: StoredChange): string {
  return `${registry} ${registrationId}`;
}

function keyOf(change: StoredChange): string {
  if (change.kind.startsWith('link-')) return change.item ?? '';
  return change.kind.startsWith('trial-') ? (change.canonicalId ?? '') : registrationKey(change);
}

function addRow(rows: Rows, key: string, change: StoredChange): void {
  const old = valuesOf(change, change.old);
  const fresh = valuesOf(change, change.new);
  const ends = rows.get(key);
  if (ends === undefined) {
    rows.set(key, { before: old, after: fresh, title: change.title });
    return;
  }
  // A value that no earlier version changed is the value from before all of them.
  for (const [field, value] of old ?? []) {
    if (ends.before !== null && !ends.before.has(field)) ends.before.set(field, value);
  }
  if (fresh === null || ends.after === null || change.field === null) ends.after = fresh;
  else for (const [field, value] of fresh) ends.after.set(field, value);
  ends.title = change.title;
}

/** The values that one side of a change states; null where it says that the row is absent. */
function valuesOf({ field }: StoredChange, json: string | null): Values | null {
  if (json === null) return null;
  const value: unknown = JSON.parse(json);
  if (field !== null) return new Map([[field, value]]);
  const { origins, ...row } = value as Record<string, unknown>;
  const members = Object.entries(origins ?? {}).map(([member, registry]) => [`origins.${member}`, registry] as const);
  return new Map([...Object.entries(row), ...members]);
}

/** Counts by text of a value: 1 where it is new, -1 where it is gone. */
type Moves = Map<string, Map<string, Map<string, number>>>;

function addMove(moves: Moves, key: string, change: StoredChange, field: string): void {
  const fields = orNew(moves, key, () => new Map<string, Map<string, number>>());
  const values = orNew(fields, field, () => new Map<string, number>());
  const isNew = change.kind.endsWith('-gained');
  const text = (isNew ? change.new : change.old) ?? '';
  values.set(text, (values.get(text) ?? 0) + (isNew ? 1 : -1));
}

function orNew<Value>(map: Map<string, Value>, key: string, make: () => Value): Value {
  const held = map.get(key) ?? make();
  map.set(key, held);
  return held;
}

/** Values that are new (1) or gone (-1) after all changes. */
function sideOf(fields: ReadonlyMap<string, ReadonlyMap<string, number>>, side: 1 | -1): string[] {
  return [...fields.values()]
    .flatMap((values) => [...values].filter(([, n]) => n === side).map(([text]) => text))
    .sort();
}

function statedMoves(moves: Moves): StatedMove[] {
  return inOrder(moves).flatMap(([key, fields]) => {
    const [gone, fresh] = [sideOf(fields, -1), sideOf(fields, 1)];
    return gone.length + fresh.length === 0 ? [] : [{ ...registrationOf(key), gone, fresh }];
  });
}

function registrationOf(key: string): { registry: string; id: string } {
  const space = key.indexOf(' ');
  return { registry: key.slice(0, space), id: key.slice(space + 1) };
}

function inOrder<Value>(map: ReadonlyMap<string, Value>): [string, Value][] {
  return [...map].sort(([a], [b]) => (a < b ? -1 : 1));
}

/** Rows of one side, and of both sides with the fields that differ, each in order of key. */
function sorted(rows: Rows, table: ComparedTable) {
  const gone: [string, Values][] = [];
  const fresh: [string, Values][] = [];
  const changed: [string, Ends & { after: Values }, FieldChange[]][] = [];
  for (const [key, ends] of inOrder(rows)) {
    const { before, after } = ends;
    if (before !== null && after !== null) changed.push([key, { ...ends, after }, differencesOf(table, before, after)]);
    else if (before !== null) gone.push([key, before]);
    else if (after !== null) fresh.push([key, after]);
  }
  return { gone, fresh, changed };
}

/** Fields whose values differ, in the order of the columns; a column that one side lacks is null there. */
function differencesOf(table: ComparedTable, before: Values, after: Values): FieldChange[] {
  const fields = comparedFields(table).filter(({ field }) => before.has(field) || after.has(field));
  return fields.flatMap(({ field }) => {
    const [old, fresh] = [before.get(field) ?? null, after.get(field) ?? null];
    return JSON.stringify(old) === JSON.stringify(fresh) ? [] : [{ field, old, new: fresh }];
  });
}

function trialLists(rows: Rows, links: Rows): DiffLists['trials'] {
  const { gone, fresh, changed } = sorted(rows, 'trials');
  const aliases = holdersOfAliases(rows);
  const into = (id: string): string[] => aliases.get(id) ?? [];
  const outOf = originsOf(rows, aliases);
  const isAlias = (id: string): boolean => into(id).length > 0;
  return {
    added: fresh.filter(([, row]) => outOf(row).length === 0).map(trialEntry),
    removed: gone.filter(([id]) => !isAlias(id)).map(trialEntry),
    changed: changed
      .filter(([, , fields]) => fields.length > 0)
      .map(([canonicalId, { after, title }, fields]) => ({ canonicalId, title: titleOf(after, title), fields })),
    merged: gone
      .filter(([id]) => isAlias(id))
      .map(([canonicalId, row]) => ({
        canonicalId,
        into: into(canonicalId).join(', '),
        causes: mergeCauses(membersOf(row), links),
      })),
    split: fresh
      .filter(([, row]) => outOf(row).length > 0)
      .map((entry) => ({ ...trialEntry(entry), outOf: outOf(entry[1]) })),
  };
}

/** Links that are accepted after the changes and were not before, between one of these registrations and another. */
function mergeCauses(members: readonly string[], links: Rows): MergeCause[] {
  return inOrder(links).flatMap(([linkId, { before, after }]) => {
    if (after === null || after.get('verdict') !== 'accepted' || before?.get('verdict') === 'accepted') return [];
    const { from, to, rule } = linkEntry([linkId, after]);
    return members.includes(from) === members.includes(to) ? [] : [{ linkId, rule, from, to }];
  });
}

function titleOf(values: Values, unchanged: string | null): string | null {
  return values.has('title') ? ((values.get('title') ?? null) as string | null) : unchanged;
}

function trialEntry([canonicalId, row]: [string, Values]): TrialEntry {
  return { canonicalId, title: titleOf(row, null), registrations: membersOf(row) };
}

function membersOf(row: Values): string[] {
  return [row.get('ctgov_id'), row.get('isrctn_id')].filter((id) => typeof id === 'string');
}

/** The trials at the end that have an id as an alias, in order; of aliases that are new in one. */
function holdersOfAliases(rows: Rows): Map<string, string[]> {
  const holders = new Map<string, string[]>();
  for (const [id, { after }] of inOrder(rows)) {
    for (const alias of (after?.get('aliases') ?? []) as string[]) orNew(holders, alias, () => []).push(id);
  }
  return holders;
}

/**
 * Of a trial that is new: the trials that held one of its registrations before and still exist without it, or whose id
 * was divided. A trial that lost a registration changed, so it is among the rows.
 */
function originsOf(rows: Rows, aliases: ReadonlyMap<string, readonly string[]>): (row: Values) => string[] {
  const before = new Map<string, string[]>();
  for (const [id, ends] of inOrder(rows)) {
    if (ends.after === null && (aliases.get(id) ?? []).length < 2) continue;
    for (const registration of membersOf(ends.before ?? new Map())) orNew(before, registration, () => []).push(id);
  }
  return (row) => [...new Set(membersOf(row).flatMap((registration) => before.get(registration) ?? []))].sort();
}

function registrationLists(rows: Rows, identifiers: Moves): DiffLists['registrations'] {
  const { gone, fresh, changed } = sorted(rows, 'registrations');
  const entry = (key: string, title: string | null): RegistrationEntry =>
    ({ ...registrationOf(key), title }) as RegistrationEntry;
  return {
    added: fresh.map(([key, row]) => entry(key, titleOf(row, null))),
    removed: gone.map(([key, row]) => entry(key, titleOf(row, null))),
    changed: changed
      .filter(([, , fields]) => fields.length > 0)
      .map(([key, { after, title }, fields]) => ({
        ...entry(key, titleOf(after, title)),
        payloadChanged: fields.some(({ field }) => field === 'payload_sha256'),
        fields: [...fields, ...identifierFields(identifiers.get(key) ?? new Map())],
      })),
  };
}

/** Identifiers that a registration states on one side only, by the registry's field. */
function identifierFields(moves: ReadonlyMap<string, ReadonlyMap<string, number>>): FieldChange[] {
  return inOrder(moves).flatMap(([field, values]) => {
    const one = new Map([[field, values]]);
    const [old, fresh] = [sideOf(one, -1).map(identifierText).sort(), sideOf(one, 1).map(identifierText).sort()];
    return old.length + fresh.length === 0 ? [] : [{ field: `identifiers.${field}`, old, new: fresh }];
  });
}

function identifierText(json: string): string {
  const { type, value, role } = JSON.parse(json) as Record<'type' | 'value' | 'role', string>;
  return `${type} ${value}${role === 'declared' ? '' : ` (${role})`}`;
}

function linkLists(rows: Rows): DiffLists['links'] {
  const { gone, fresh, changed } = sorted(rows, 'links');
  return {
    gained: fresh.map(linkEntry),
    lost: gone.map(linkEntry),
    changed: changed
      .filter(([, , fields]) => fields.length > 0)
      .map(([key, { after }, fields]): ChangedLink => ({ ...linkEntry([key, after]), fields })),
  };
}

function linkEntry([linkId, row]: [string, Values]): LinkEntry {
  const word = (column: string): string => String(row.get(column));
  return {
    linkId,
    from: word('from_id'),
    to: word('to_id'),
    kind: word('kind'),
    rule: word('rule'),
    verdict: word('verdict'),
  };
}
