import { canonicalJson } from '../../contract/canonical-json.ts';
import { sha256 } from '../../server-kit/hashing.ts';
import type { Random } from '../../tools/generator/random.ts';

/** The tables of a small world with every value in full, and what changed since a day before as docs/snapshots.md stores it. */

export type Row = Record<string, unknown>;
export type Tables = Record<'trials' | 'registrations' | 'links', Row[]>;

const PROSE = ['enrollment_note', 'brief_summary'];
const LISTS = ['sites'];
const sumOf = (value: unknown): string => sha256(canonicalJson(value));

/** A row as its leaf has it. */
export function leafText(row: Row): string {
  const members = Object.entries(row).map(([name, value]) => {
    if (PROSE.includes(name)) return [`${name}_sha256`, value === null ? null : sha256(String(value))];
    return LISTS.includes(name) ? [`${name}_sha256`, sumOf(value)] : [name, value];
  });
  return canonicalJson(Object.fromEntries(members));
}

/** Changes since a day before, in order: of a trial in two something differs, or it is new, or has got a registration or a link. */
export function changesSince({ trials, registrations, links }: Tables, random: Random): string[] {
  const found: Row[] = [];
  const none = { registry: null, registration_id: null, item: null, field: null, title: null, related: [] };
  const add = (change: Row): void => void found.push({ ...none, old_sha256: null, new_sha256: null, ...change });
  const changeSome = (of: Row, row: Row): void => {
    for (const field of ['title', 'enrollment', 'sites', 'brief_summary', 'origins.title'].filter(() =>
      random.chance(0.5),
    )) {
      const value = field === 'origins.title' ? (row.origins as Row | undefined)?.title : row[field];
      if (value !== undefined) add({ ...of, field, old_sha256: sumOf(`another ${field}`), new_sha256: sumOf(value) });
    }
  };
  for (const trial of trials) {
    const { canonical_id, ctgov_id, isrctn_id } = trial;
    const own = registrations.filter(({ id }) => id === ctgov_id || id === isrctn_id);
    const registration = random.pick(own);
    const ofRegistration = { canonical_id, registry: registration.registry, registration_id: registration.id };
    const how = random.below(8);
    if (how === 0) add({ canonical_id, kind: 'trial-added', new_sha256: sumOf(trial) });
    if (how < 2) add({ ...ofRegistration, kind: 'registration-added', new_sha256: sumOf(registration) });
    if (how === 2) changeSome({ canonical_id, kind: 'trial-changed' }, trial);
    if (how === 3) changeSome({ ...ofRegistration, kind: 'registration-changed' }, registration);
    if (random.chance(0.1)) add({ canonical_id, kind: 'identifier-gained', field: 'orgStudyIdInfo.id' });
    const link = links.find(({ from_id, to_id }) => from_id === isrctn_id || to_id === ctgov_id);
    if (link !== undefined && random.chance(0.2))
      add({ canonical_id, item: link.link_id, kind: 'link-gained', new_sha256: sumOf(link) });
  }
  for (let count = random.below(3); count > 0; count -= 1)
    add({ canonical_id: null, kind: 'signal-gained', item: sha256(String(count)).slice(0, 16) });
  // Nulls come last.
  const order = (row: Row): string => `${row.canonical_id ?? 'x'} ${canonicalJson(row)}`;
  return found.toSorted((a, b) => (order(a) < order(b) ? -1 : 1)).map(canonicalJson);
}
