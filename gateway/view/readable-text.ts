import type { Operation } from '../../contract/operation.ts';
import type { ErrorBody } from '../../server-kit/problem.ts';
import type { Envelope } from '../envelope.ts';
import { isObject, isStated, type JsonObject, listOf, objectOf, objectsOf } from './json.ts';
import { outline } from './outline.ts';
import { trialLines } from './text-of-trials.ts';

/**
 * An answer as text, for models that read only text: everything that is needed to go on, as ids, counts, notices and the
 * next call, and none of the marks of JSON. It is made from the answer in its view, so that the two agree.
 */
export function readableText(operation: Pick<Operation, 'id'>, { data, _meta }: Envelope): string {
  const { nextCalls, ...shown } = objectOf(data);
  const lines = isObject(data) ? (ownLines(operation.id, shown) ?? outline(shown)) : outline(data);
  return [...lines, ...metaLines(_meta, callLines(nextCalls))].join('\n');
}

export function readableError({ code, message, hint, issues = [], retryable, retryAfterSeconds }: ErrorBody['error']) {
  const several = issues.length > 1 ? issues.map(({ path, message: what }) => `- ${path}: ${what}`) : [];
  const again = retryable ? [`May succeed later${retryAfterSeconds ? `, after ${retryAfterSeconds} s` : ''}.`] : [];
  return [`${code}: ${message}`, ...several, `Hint: ${hint}`, ...again].join('\n');
}

function ownLines(id: string, data: JsonObject): string[] | null {
  if (id === 'trials-search') {
    const lines = trialLines(data.trials);
    return lines === null || lines.length === 0 ? null : lines;
  }
  return null;
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
  ...['provenance', 'freshness', 'filters'],
]);

/** What the answer stands on, with the next calls before what tells where it came from. */
function metaLines(meta: JsonObject, calls: readonly string[]): string[] {
  const others = Object.fromEntries(Object.entries(meta).filter(([name]) => !TOLD_APART.has(name)));
  return [
    ...pageLines(objectOf(meta.pagination)),
    ...outline(others),
    ...listOf(meta.notices).map((notice) => `Notice: ${notice}`),
    ...listOf(typeof meta.honesty === 'string' ? [meta.honesty] : meta.honesty).map((line) => `Note: ${line}`),
    ...calls,
    ...standingLine(meta),
    ...(isStated(meta.receipt) ? [`Receipt: ${meta.receipt}`] : []),
    ...(isStated(meta.more) ? [`More: ${meta.more}`] : []),
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
