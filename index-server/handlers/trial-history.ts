import { z } from 'zod';
import type { HISTORY_OPERATIONS } from '../../contract/operations/trials/trial-history.ts';
import { CURSOR_EXPECTED } from '../../contract/paging.ts';
import type { ChangedTrial, TrialHistory } from '../../contract/schemas/trials/trial-change.ts';
import { READING_PARAMETERS, trialFilterParameters } from '../../contract/trial-filters.ts';
import { enteredJson } from '../../server-kit/entered-json.ts';
import { contentHash } from '../../server-kit/hashing.ts';
import type { Fail, Handlers, RequestContext } from '../../server-kit/mount.ts';
import { refuseParameter } from '../../server-kit/parameters.ts';
import { foldId } from '../../snapshot/format/serving-columns.ts';
import type { HistoryPlace, HistoryStore, KeptHistory } from '../history/history-store.ts';
import { presentEntry } from '../history/present-change.ts';
import { type Span, spanOf } from '../history/span.ts';
import { pageLinks, snapshotValidator, trialMeta, withModality } from '../meta.ts';
import { divisionOf, heldRow, readTrial } from '../search/hints/held-trial.ts';
import { hintsOf } from '../search/hints/hints.ts';
import { unheldId } from '../search/hints/identifier.ts';
import { matchingRows } from '../search/matching.ts';
import { bitmapOf, isHeldBy, type RowSet } from '../search/row-set.ts';
import type { IndexServices } from '../services.ts';
import type { SnapshotImage } from '../snapshot/snapshot-image.ts';
import { filtersOf, readingMeta } from './answer.ts';
import { goneId } from './not-held.ts';
import { withNotices } from './search-order.ts';
import { reading } from './snapshots.ts';
import { survivorNotices } from './superseded.ts';

const BINDING_CHARACTERS = 16;

export const historyHandlers: Handlers<typeof HISTORY_OPERATIONS, IndexServices> = {
  'trials-changes': async ({ query }, context, services, fail) => {
    const { holder, sources, modalities, history } = services;
    using lease = holder.acquire() ?? fail('TRIALS_UNAVAILABLE');
    const { image, manifest } = lease;
    const asked = await filtersOf(lease, query, modalities, fail);
    const kept = await reading(history.of(manifest.version), 'The stored changes', fail);
    const binding = bindingOf(context);
    const place = query.cursor === undefined ? null : (placeIn(query.cursor, binding, kept) ?? refuseCursor(fail));
    const read = spanOf(kept, place ?? query);
    if ('expected' in read) return refuseParameter(read.parameter, read.expected, fail);
    // A later page begins at a kept version; what the first was asked for decides.
    const span = { ...read, reached: place?.reached ?? read.reached };
    const isFiltered = Object.keys(context.applied).some(
      (name) => Object.hasOwn(trialFilterParameters, name) && !Object.hasOwn(READING_PARAMETERS, name),
    );
    const rows = isFiltered ? bitmapOf(matchingRows(image, asked.compiled), image.trials) : null;
    const found = await reading(
      history.page(
        span.versions,
        { limit: query.limit, ...(place && { from: place.at }) },
        rows && ((canonicalId) => isAmong(rows, image, canonicalId)),
      ),
      'The stored changes',
      fail,
    );
    const nextCursor = found.next && cursorTo(found.next, { ...span, from: place?.since ?? span.from }, binding);
    const trials = found.entries.map((entry) => presentEntry(entry, image));
    const inferred = query.modality !== undefined;
    const base = trialMeta(manifest, sources, context, query.registry !== undefined);
    const hinted = { ...lease, sources, query, matched: asked, ...context, found: null };
    const hints = context.bare ? {} : await hintsOf(hinted);
    const meta = { ...base, ...withNotices(hints, readingMeta(lease, query, asked, context)) };
    return {
      data: {
        ...tellingOf(span, kept),
        removedTold: !isFiltered,
        trials,
        summary: `${summaryOf(span, trials, nextCursor !== null)}${untoldWords(span, kept)}${isFiltered ? REMOVED_UNTOLD : ''}`,
      },
      meta: {
        ...(inferred ? withModality(meta, modalities.vocabulary) : meta),
        ...cursorLinks(context, query.limit, trials.length, nextCursor),
      },
      validator: `${snapshotValidator(manifest, sources, context.now)} ${inferred ? modalities.vocabulary : ''} ${kept.versions.length} ${kept.missing.length}`,
    };
  },

  'trials-history': async ({ params, query }, context, services, fail) => {
    const { holder, sources, history } = services;
    using lease = holder.acquire() ?? fail('TRIALS_UNAVAILABLE');
    const { image, manifest } = lease;
    const kept = await reading(history.of(manifest.version), 'The stored changes', fail);
    const trial = await trialOf(image, params.id, { history, kept }, fail);
    const row = heldRow(image, params.id);
    const ids = [trial.canonicalId, ...trial.formerIds];
    const all = await reading(history.ofTrial(kept, ids), 'The stored changes', fail);
    const entries = all.map((entry) => presentEntry(entry, image));
    if (trial.state === 'removed' && entries.length === 0) fail('TRIAL_NOT_FOUND', unheldId(image, params.id));
    const ordered = query.order === 'newest' ? entries.toReversed() : entries;
    const { page, pageSize } = query;
    const shown = ordered.slice((page - 1) * pageSize, page * pageSize);
    const paging = { page, pageSize, totalItems: entries.length, returned: shown.length };
    return {
      data: {
        id: params.id,
        ...trial,
        title: trial.title ?? entries.findLast(({ title }) => title !== null)?.title ?? null,
        firstSeen: firstSeenOf(entries, trial, kept),
        removedIn:
          trial.state === 'held' ? null : (lastOf(entries, trial, ['trial-removed', 'trial-merged'])?.version ?? null),
        kept: keptWords(kept),
        missing: kept.missing,
        entries: shown,
      },
      meta: withNotices(
        { ...trialMeta(manifest, sources, context, false), ...pageLinks(context, paging) },
        { notices: row === null ? [] : survivorNotices(image, row, params.id) },
      ),
      validator: `${snapshotValidator(manifest, sources, context.now)} ${kept.versions.length} ${kept.missing.length}`,
    };
  },
};

const REMOVED_UNTOLD = ' Trials that are no longer held are not told (removedTold): a filter cannot test them.';

/** Whether a trial that the filters find has the id or had it before. */
function isAmong(rows: RowSet, image: SnapshotImage, canonicalId: string): boolean {
  return image
    .idEntries(foldId(canonicalId))
    .some(({ standing, row }) => (standing === 'canonical' || standing === 'alias') && isHeldBy(rows, row));
}

function keptWords({ start, versions, served }: KeptHistory) {
  return { from: start, to: served, versions: versions.length };
}

/** Between which versions an answer tells changes. */
function tellingOf(span: Span, kept: KeptHistory) {
  const { from, to } = span;
  const missing = kept.missing.filter((version) => (from === null || version > from) && (to === null || version <= to));
  const between = { from, to, versions: span.versions.length, missing, complete: span.reached && missing.length === 0 };
  return { between, kept: keptWords(kept) };
}

function summaryOf({ from, to, versions }: Span, trials: readonly ChangedTrial[], hasMore: boolean): string {
  if (versions.length === 0)
    return `No version was published after ${from}: nothing changed. Ask again with since=${to}.`;
  const next = hasMore ? 'More follow: ask for the next page.' : `Ask next time with since=${to}.`;
  if (trials.length === 0) return `Nothing that was asked for changed between ${from} and ${to}. ${next}`;
  return `Changes between ${from} and ${to}. ${next}`;
}

/** Why not all changes are told; empty where all are. */
function untoldWords(span: Span, kept: KeptHistory): string {
  const { missing } = tellingOf(span, kept).between;
  const before = kept.start ?? kept.served;
  return [
    span.reached ? '' : ` The changes before ${before} are not kept, so that what changed before it is not told.`,
    missing.length === 0 ? '' : ` The changes of ${missing.join(', ')} are damaged or missing and are not told.`,
  ].join('');
}

/** The trial that an id leads to, held or removed. */
async function trialOf(
  image: SnapshotImage,
  id: string,
  { history, kept }: { history: HistoryStore; kept: KeptHistory },
  fail: Fail<'TRIAL_NOT_FOUND' | 'TRIALS_UNAVAILABLE'>,
): Promise<Pick<TrialHistory, 'canonicalId' | 'title' | 'state' | 'formerIds'>> {
  const row = heldRow(image, id);
  if (row !== null) {
    const { canonicalId, title, aliases } = readTrial(image, row);
    return { canonicalId, title, state: 'held', formerIds: aliases };
  }
  if (divisionOf(image, id).message !== undefined) fail('TRIAL_NOT_FOUND', unheldId(image, id));
  const canonicalId = await reading(goneId(history, kept, image, id), 'The stored changes', fail);
  return { canonicalId, title: null, state: 'removed', formerIds: [] };
}

/** The last entry of the trial itself with one of the kinds. */
function lastOf(
  entries: readonly ChangedTrial[],
  { canonicalId }: { canonicalId: string },
  kinds: readonly ChangedTrial['kinds'][number][],
): ChangedTrial | undefined {
  return entries.findLast(
    (entry) => entry.canonicalId === canonicalId && entry.kinds.some((kind) => kinds.includes(kind)),
  );
}

function firstSeenOf(
  entries: readonly ChangedTrial[],
  trial: { canonicalId: string },
  { oldest, missing }: KeptHistory,
): TrialHistory['firstSeen'] {
  const came = entries.find(
    ({ canonicalId, kinds }) =>
      canonicalId === trial.canonicalId && (kinds.includes('trial-added') || kinds.includes('trial-split')),
  );
  if (came !== undefined) return { version: came.version, at: came.publishedAt, orEarlier: false, before: null };
  // One of the versions whose changes are not told may have brought it.
  if (missing.length > 0) return { version: null, at: null, orEarlier: false, before: null };
  const { version, publishedAt: at, hasEarlier: orEarlier } = oldest;
  return { version, at, orEarlier, before: orEarlier ? version : null };
}

interface Cursor {
  at: HistoryPlace;
  since: string | undefined;
  until: string | undefined;
  reached: boolean;
}

const optionalVersion = z.string().nullable();
const cursorSchema = z.tuple([z.string(), z.string(), z.string(), optionalVersion, optionalVersion, z.boolean()]);

/** Everything that decides which entries there are; a cursor is valid for it only. */
function bindingOf({ applied }: RequestContext): string {
  const { cursor: _, limit: __, since: ___, until: ____, ...filters } = applied;
  return contentHash('trials-changes', filters).slice(0, BINDING_CHARACTERS);
}

function cursorTo(at: HistoryPlace, { from, to, reached }: Omit<Span, 'versions'>, binding: string): string {
  return Buffer.from(JSON.stringify([binding, at.version, at.canonicalId, from, to, reached])).toString('base64url');
}

/** Null for a cursor of another query, and for one whose version is not told here any more. */
function placeIn(cursor: string, binding: string, { versions }: KeptHistory): Cursor | null {
  let content: z.infer<typeof cursorSchema>;
  try {
    content = cursorSchema.parse(enteredJson(Buffer.from(cursor, 'base64url')).value);
  } catch {
    return null;
  }
  const [bound, version, canonicalId, since, until, reached] = content;
  if (bound !== binding || !versions.some((one) => one.version === version)) return null;
  return { at: { version, canonicalId }, since: since ?? undefined, until: until ?? undefined, reached };
}

function refuseCursor(fail: Fail<'INVALID_PARAM'>): never {
  return refuseParameter('cursor', CURSOR_EXPECTED, fail);
}

function cursorLinks(context: RequestContext, limit: number, returned: number, nextCursor: string | null) {
  const address = (cursor: string | null): string => {
    const { cursor: _, ...others } = context.applied;
    const query = new URLSearchParams({ ...others, ...(cursor === null ? {} : { cursor }) });
    return `${context.baseUrl}${context.path}${query.size === 0 ? '' : `?${query}`}`;
  };
  const nextUrl = nextCursor === null ? null : address(nextCursor);
  return {
    pagination: { limit, offset: 0, returned, total: null, hasMore: nextCursor !== null, nextCursor },
    links: { self: address(context.applied.cursor ?? null), ...(nextUrl === null ? {} : { next: nextUrl }) },
  };
}
