import { columnHeading } from '../../contract/fields/field-shapes.ts';
import type { OperationOutput } from '../../contract/operation.ts';
import { getSnapshots } from '../../contract/operations/trials/snapshots.ts';
import { getTrialChanges } from '../../contract/operations/trials/trial-history.ts';
import type { ChangedTrial, TrialChange } from '../../contract/schemas/trials/trial-change.ts';
import { plainValue } from '../exports/plain-value.ts';
import type { Taken, TakenRequest } from '../exports/taken.ts';
import { filterSaid } from '../pages/words/trials.ts';
import { ATOM_HEADERS, type AtomEntry, atomOf, tagOf } from './atom.ts';
import { REGISTRY_RIGHTS } from './rights.ts';

type Snapshots = OperationOutput<typeof getSnapshots>['snapshots'];

const ENTRIES = 50;
/** Versions that are looked through for them, from the newest on. */
const VERSIONS = 14;
/** Of one version. */
const CHANGES = 100;

/** The newest changes of what a query finds. The feed of a sponsor or of a condition is that of its query. */
export const trialsFeed: Taken = {
  id: 'trials-atom',
  async answer(request) {
    const { reads, applied, ignored, baseUrl } = request;
    const { data, meta } = await reads.read(getSnapshots, { pageSize: VERSIONS });
    // A newer version may be held here before it is served; its changes cannot be asked for yet.
    const at = data.snapshots.findIndex(({ version }) => version === meta.snapshot);
    const found = await newestChanges(request, data.snapshots.slice(Math.max(at, 0)));
    const query = new URLSearchParams(applied);
    const search = query.size === 0 ? '' : `?${query}`;
    const what =
      query.size === 0 ? 'all trials' : [...query].map(([name, value]) => filterSaid(name, value)).join(', ');
    const left = ignored.length > 0 ? ` Not understood and ignored: ${ignored.join(', ')}.` : '';
    const feed = {
      self: `${baseUrl}/trials.atom${search}`,
      title: `New and changed trials: ${what}`,
      subtitle: `What changed in the registries about the trials that this query finds now, newest first.${left}`,
      page: `${baseUrl}/trials${search}`,
      updated: data.snapshots[0]?.publishedAt ?? request.now.toISOString(),
      rights: REGISTRY_RIGHTS,
      entries: found.map((changed) => entryOf(changed, baseUrl)),
    };
    return { body: atomOf(feed), headers: ATOM_HEADERS };
  },
};

async function newestChanges({ reads, applied }: TakenRequest, snapshots: Snapshots): Promise<ChangedTrial[]> {
  const found: ChangedTrial[] = [];
  for (const [place, { version }] of snapshots.entries()) {
    const before = snapshots[place + 1]?.version;
    // The oldest version that is held has none before it to begin from.
    if (before === undefined && place > 0) break;
    const span = before === undefined ? {} : { since: before, until: version };
    const { data } = await reads.read(getTrialChanges, { ...applied, ...span, limit: CHANGES });
    found.push(...data.trials.reverse());
    if (found.length >= ENTRIES) break;
  }
  return found.slice(0, ENTRIES);
}

function entryOf(changed: ChangedTrial, baseUrl: string): AtomEntry {
  const { canonicalId, heldBy, title, version, publishedAt, changes, more, kinds } = changed;
  const lines = [
    ...changes.map(changeWords),
    ...(more > 0 ? [`And ${more} more changes.`] : []),
    `In version ${version}.`,
  ];
  return {
    id: tagOf(baseUrl, 'trials', canonicalId, 'changes', version),
    title: `${kindWords(kinds)}: ${title ?? canonicalId}`,
    updated: publishedAt,
    href: heldBy === null ? `${baseUrl}/snapshots/${version}` : `${baseUrl}/trials/${heldBy}`,
    text: lines.join('\n'),
  };
}

const KIND_WORDS: readonly (readonly [begins: string, words: string])[] = [
  ['trial-added', 'New'],
  ['trial-removed', 'Removed'],
  ['trial-merged', 'Merged'],
  ['trial-split', 'Split'],
];

function kindWords(kinds: readonly string[]): string {
  return KIND_WORDS.find(([begins]) => kinds.some((kind) => kind.startsWith(begins)))?.[1] ?? 'Changed';
}

/** One change in words: what, before and after, and which registration says so. */
function changeWords({ kind, field, old, new: now, registrationId, related }: TrialChange): string {
  const by = registrationId === null ? '' : ` (${registrationId})`;
  if (field !== null) {
    return `${columnHeading(field)}: ${plainValue(old) ?? 'nothing stated'} → ${plainValue(now) ?? 'nothing stated'}${by}`;
  }
  const others = related.length > 0 ? `: ${related.join(', ')}` : '';
  return `${columnHeading(kind.replaceAll('-', '_'))}${others}${by}`;
}
