import type { Operation } from '../../contract/operation.ts';
import type { ErrorBody } from '../../server-kit/problem.ts';
import type { Envelope } from '../envelope.ts';
import { changeLine } from './changes-of-trials.ts';
import { isObject, isStated, type JsonObject, listOf, objectOf, objectsOf } from './json.ts';
import { oneLine } from './one-line.ts';
import { outline } from './outline.ts';
import { matchingLines } from './text-of-matching.ts';
import { trialLines } from './text-of-trials.ts';

/**
 * An answer as text, for models that read only text: everything that is needed to go on, as ids, counts, notices and the
 * next call, and none of the marks of JSON. It is made from the answer in its view, so that the two agree.
 */
export function readableText(operation: Pick<Operation, 'id'>, { data, _meta }: Envelope): string {
  const { nextCalls, ...shown } = objectOf(data);
  const lines = isObject(data) ? (ownLines(operation.id, shown) ?? outline(shown)) : outline(data);
  return [...lines, ...metaLines(_meta, callLines(nextCalls))].map(oneLine).join('\n');
}

export function readableError({ code, message, hint, issues = [], retryable, retryAfterSeconds }: ErrorBody['error']) {
  const untold = issues.filter(({ message: what }) => issues.length > 1 || !message.includes(what));
  const several = untold.map(({ path, message: what }) => `- ${path}: ${what}`);
  const again = retryable ? [`May succeed later${retryAfterSeconds ? `, after ${retryAfterSeconds} s` : ''}.`] : [];
  return [`${code}: ${message}`, ...several, `Hint: ${hint}`, ...again].map(oneLine).join('\n');
}

/** Lists of changed trials, by operation. */
const CHANGED_TRIALS: Readonly<Record<string, string>> = { 'trials-changes': 'trials', 'trials-history': 'entries' };

function ownLines(id: string, data: JsonObject): string[] | null {
  if (id === 'trials-search') {
    const lines = trialLines(data.trials);
    return lines === null || lines.length === 0 ? null : lines;
  }
  if (id === 'trials-trend') return trendLines(data);
  const list = CHANGED_TRIALS[id];
  if (list !== undefined) {
    const { [list]: trials, ...others } = data;
    // With detail=full an entry lists its changes whole.
    if (objectsOf(trials).some((entry) => 'changes' in entry)) return null;
    return [...outline(others), `${list}:`, ...objectsOf(trials).map((entry) => `- ${changeLine(entry)}`)];
  }
  return null;
}

/** A line for each series, with the periods that have trials; null without a split, and in the whole form. */
function trendLines({ periods, series, ...others }: JsonObject): string[] | null {
  const { shown, ...about } = objectOf(series);
  if (!isObject(periods) || !Array.isArray(shown)) return null;
  const names = Object.keys(periods);
  const lines = objectsOf(shown).map(({ value, trials, counts }) => {
    const started = listOf(counts).flatMap((count, place) => (count === 0 ? [] : [`${names[place]}: ${count}`]));
    return `- ${value} ${trials} (${started.join(', ')})`;
  });
  return [
    ...outline({ ...others, periods }),
    'series (periods without a trial left out):',
    ...lines,
    ...outline(about),
  ];
}

/** A next call in the words of any door: a tool, a skill, or method and path. */
function callLines(calls: unknown): string[] {
  return objectsOf(calls).map(({ call, tool, skill, body, arguments: given, data, why }) => {
    const sent = given ?? data ?? body;
    return `Next: ${call ?? tool ?? skill}${isStated(sent) ? ` ${JSON.stringify(sent)}` : ''}${isStated(why) ? ` (${why})` : ''}`;
  });
}

/** Members of `_meta` that the last line joins or that tell a reader of text nothing. */
const TOLD_APART: ReadonlySet<string> = new Set([
  ...['snapshot', 'asOf', 'worldwide', 'degraded', 'pagination', 'notices', 'honesty', 'more', 'receipt'],
  ...['api', 'version', 'schemaVersion', 'generatedAt', 'signed', 'identity', 'links', 'correlationId'],
  ...['provenance', 'freshness', 'filters', 'corpus', 'stale', 'held'],
]);

/** What the answer stands on, with the next calls before what tells where it came from. */
function metaLines(meta: JsonObject, calls: readonly string[]): string[] {
  const { lines, told } = matchingLines(meta);
  const others = Object.fromEntries(
    Object.entries(meta).filter(([name]) => !TOLD_APART.has(name) && !told.includes(name)),
  );
  return [
    ...pageLines(objectOf(meta.pagination)),
    ...lines,
    ...outline(others),
    ...corpusLines(meta),
    ...listOf(meta.notices).map((notice) => `Notice: ${notice}`),
    ...listOf(typeof meta.honesty === 'string' ? [meta.honesty] : meta.honesty).map((line) => `Note: ${line}`),
    ...calls,
    ...standingLine(meta),
    ...(isStated(meta.receipt) ? [`Receipt: ${meta.receipt}`] : []),
    ...(isStated(meta.more) ? [`More: ${meta.more}`] : []),
  ];
}

function corpusLines({ corpus, stale, provenance, held }: JsonObject): string[] {
  const note =
    corpus === 'synthetic' ? 'Synthetic sample corpus: no record in it is a real trial.' : objectOf(provenance).note;
  const parts = listOf(held ?? objectOf(provenance).held);
  return [
    ...(parts.length > 0 ? [`Held: ${parts.join('; ')}.`] : []),
    ...(isStated(note) ? [`Corpus: ${note}`] : isStated(corpus) ? [`Corpus: ${corpus}`] : []),
    ...(stale === true ? ['Stale: the registries were last read longer ago than they should be.'] : []),
  ];
}

function pageLines({ page, totalItems, total, returned, next, nextCursor, hasMore }: JsonObject): string[] {
  const all = totalItems ?? total;
  if (returned === undefined) return [];
  const onward = isObject(next)
    ? next
    : typeof nextCursor === 'string'
      ? { cursor: nextCursor }
      : hasMore === true && typeof page === 'number'
        ? { page: page + 1 }
        : null;
  const shown = `Shown: ${returned}${isStated(all) ? ` of ${all}` : ''}${isStated(page) ? `, page ${page}` : ''}.`;
  if (onward === null) return [shown];
  const changed = Object.entries(onward).map(([name, value]) => `${name}=${value}`);
  return [`${shown} Next: the same call with ${changed.join(' and ')}.`];
}

/** What a count stands on, in one line; the full form of `_meta` has the parts in other places. */
function standingLine(meta: JsonObject): string[] {
  const provenance = objectOf(meta.provenance);
  const worldwide = meta.worldwide ?? provenance.worldwide;
  const asOf = meta.asOf ?? provenance.asOf;
  const parts = [
    isStated(meta.snapshot) ? `Snapshot ${meta.snapshot}` : null,
    isStated(asOf) ? `as of ${asOf}` : null,
    worldwide === undefined ? null : worldwide === true ? 'worldwide' : 'not worldwide',
    meta.degraded === true ? 'DEGRADED: a registry is missing or stale' : null,
  ].filter(isStated);
  return parts.length === 0 ? [] : [`${parts.join(', ')}.`];
}
