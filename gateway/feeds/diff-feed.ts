import { columnHeading } from '../../contract/fields/field-shapes.ts';
import type { OperationOutput } from '../../contract/operation.ts';
import { getSnapshotDiff, getSnapshots } from '../../contract/operations/trials/snapshots.ts';
import { refuseParameter } from '../../server-kit/parameters.ts';
import { Problem } from '../../server-kit/problem.ts';
import { plainValue } from '../exports/plain-value.ts';
import type { Taken, TakenRequest } from '../exports/taken.ts';
import type { Answered } from '../pages/reads.ts';
import { KIND_NAMES } from '../pages/words/snapshots.ts';
import { ATOM_HEADERS, type AtomEntry, atomOf, tagOf } from './atom.ts';
import { REGISTRY_RIGHTS } from './rights.ts';

type Diff = OperationOutput<typeof getSnapshotDiff>;

/** Entries of one comparison, and comparisons of a feed that follows the newest versions. */
const ENTRIES = 100;
const COMPARISONS = 3;
/** Fields told of one entry. */
const FIELDS = 20;

interface Pair {
  from: string;
  to: string;
}

/**
 * One list of what differs between two versions, an entry for each trial, registration or link. With both versions in its
 * address it never changes; with none it follows the newest versions, each compared with its parent.
 */
export const diffFeed: Taken = {
  id: 'diff-atom',
  async answer(request) {
    const { reads, applied, baseUrl } = request;
    const { from, to, ...filters } = applied;
    if ((from === undefined) !== (to === undefined)) {
      const missing = from === undefined ? 'from' : 'to';
      refuseParameter(missing, 'both versions, from and to, or none of them to follow the newest', (code, details) => {
        throw new Problem(code, details);
      });
    }
    const isFixed = from !== undefined && to !== undefined;
    const pairs = isFixed ? [{ from, to }] : await newestPairs(request);
    const compared: Answered<Diff>[] = [];
    for (const pair of pairs) {
      compared.push(await reads.read(getSnapshotDiff, { ...filters, ...pair, pageSize: ENTRIES }));
    }
    const named = isFixed ? { from: compared[0]!.data.from.version, to: compared[0]!.data.to.version } : {};
    const query = new URLSearchParams({ ...named, ...filters });
    const search = query.size === 0 ? '' : `?${query}`;
    const what = KIND_NAMES[compared[0]?.data.kind ?? 'trials-changed'];
    const left = compared.reduce(
      (sum, { data, meta }) => sum + Math.max(0, (meta.pagination?.totalItems ?? 0) - data.entries.length),
      0,
    );
    const span = isFixed ? `between ${named.from} and ${named.to}` : 'from version to version, newest first';
    const feed = {
      self: `${baseUrl}/snapshots/diff.atom${search}`,
      title: `${what} ${span}`,
      subtitle: `What differs ${span}${Object.keys(filters).length === 0 ? '' : `, only for ${filterWords(filters)}`}.${left === 0 ? '' : ` ${left.toLocaleString('en-GB')} more entries stand in the CSV files of the comparisons.`}`,
      page: `${baseUrl}${isFixed ? `/snapshots/diff?${query}` : '/snapshots'}`,
      updated: compared[0]?.data.to.createdAt ?? request.now.toISOString(),
      rights: REGISTRY_RIGHTS,
      entries: compared.flatMap(({ data }) => entriesOf(data, filters, baseUrl)),
    };
    return { body: atomOf(feed), headers: ATOM_HEADERS };
  },
};

/** The served version and those before it, each with its parent, as far as both are held. */
async function newestPairs({ reads }: TakenRequest): Promise<Pair[]> {
  const { data, meta } = await reads.read(getSnapshots, { pageSize: 2 * COMPARISONS });
  const held = new Set(data.snapshots.map(({ version }) => version));
  // A newer version may be held here before it is served.
  const at = data.snapshots.findIndex(({ version }) => version === meta.snapshot);
  return data.snapshots
    .slice(Math.max(at, 0))
    .flatMap(({ version, parent }) => (parent !== null && held.has(parent) ? [{ from: parent, to: version }] : []))
    .slice(0, COMPARISONS);
}

function filterWords(filters: Readonly<Record<string, string>>): string {
  return Object.entries(filters)
    .map(([name, value]) => `${name} ${value}`)
    .join(', ');
}

type Differing = Record<string, unknown> & { fields?: { field: string; old: unknown; new: unknown }[] };

function entriesOf(
  { from, to, kind, entries, now }: Diff,
  filters: Readonly<Record<string, string>>,
  baseUrl: string,
): AtomEntry[] {
  const holders = new Map(now.map(({ id, canonicalId }) => [id, canonicalId]));
  const { q: _q, ...others } = filters;
  return (entries as Differing[]).map((entry): AtomEntry => {
    const id = String(entry.canonicalId ?? entry.id ?? entry.linkId);
    const heldBy = holders.get(id) ?? null;
    const alone = new URLSearchParams({ from: from.version, to: to.version, ...others, kind, q: id });
    const comparison = `${baseUrl}/snapshots/diff?${alone}`;
    const { fields = [] } = entry;
    return {
      id: tagOf(baseUrl, 'snapshots', from.version, to.version, kind, id),
      title: `${KIND_NAMES[kind]}: ${typeof entry.title === 'string' ? entry.title : id}`,
      updated: to.createdAt,
      href: heldBy === null ? comparison : `${baseUrl}/trials/${encodeURIComponent(heldBy)}`,
      text: [
        id,
        ...linesOf(entry),
        ...fields.slice(0, FIELDS).map(fieldWords),
        ...(fields.length > FIELDS ? [`And ${fields.length - FIELDS} more fields.`] : []),
        `Between ${from.version} (data as of ${from.asOf}) and ${to.version} (data as of ${to.asOf}): ${comparison}`,
      ].join('\n'),
    };
  });
}

function fieldWords({ field, old, new: now }: { field: string; old: unknown; new: unknown }): string {
  return `${columnHeading(field)}: ${plainValue(old) ?? 'nothing stated'} → ${plainValue(now) ?? 'nothing stated'}`;
}

/** What an entry says beside its fields: its registrations, the trials it merged into or came from, the sides of a link. */
function linesOf(entry: Differing): string[] {
  const texts = (value: unknown): string[] => [value].flat().filter((one): one is string => typeof one === 'string');
  const told = [
    ['Registrations', texts(entry.registrations)],
    ['Into', texts(entry.into)],
    ['Out of', texts(entry.outOf)],
    ['Between', [...texts(entry.from), ...texts(entry.to)]],
    ['Rule', [...texts(entry.rule), ...texts(entry.verdict)]],
  ] as const;
  return told.flatMap(([name, values]) => (values.length === 0 ? [] : [`${name}: ${values.join(', ')}`]));
}
