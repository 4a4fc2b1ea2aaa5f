import { isStanding, standingInShort } from '../../contract/standing-honesty.ts';
import { cutText } from './cut-text.ts';
import { isObject, isStated, type JsonObject, listOf, objectOf, objectsOf, stated, textOf } from './json.ts';
import { shortened } from './shortened.ts';

/**
 * `_meta` of a concise answer: what changes its meaning and what leads on. The answer of a snapshot names it, its day,
 * whether it is worldwide and whether it is degraded; everything else is there only where there is something to say.
 */

/** Made anew for every answer, or the same in all of them. */
const DROPPED: ReadonlySet<string> = new Set([
  ...['api', 'version', 'schemaVersion', 'correlationId', 'generatedAt', 'signed', 'identity', 'links'],
  // They stand beside the data.
  'nextCalls',
  // Told in another form below.
  ...['filters', 'provenance', 'freshness', 'honesty', 'pagination', 'matching', 'alsoMatching'],
  ...['hints', 'identifier', 'relevance', 'snapshot', 'degraded', 'notices', 'derived'],
  // Its numbers stand in a notice.
  'siteStatus',
]);

/** What a reader must know of where the records come from; nothing of the registries' own. */
const CORPORA: Readonly<Record<string, string | undefined>> = { sample: 'synthetic', registries: '' };

export function shortMeta(meta: JsonObject, asked?: JsonObject): JsonObject {
  const provenance = objectOf(meta.provenance);
  const isStale = objectsOf(meta.freshness).some(({ stale }) => stale === true);
  const own = Object.entries(meta).filter(([name]) => !DROPPED.has(name));
  return stated({
    snapshot: meta.snapshot,
    asOf: provenance.asOf,
    worldwide: provenance.worldwide,
    degraded: meta.degraded,
    corpus: (CORPORA[String(provenance.corpus)] ?? provenance.corpus) || undefined,
    // The sample has the same days for ever.
    stale: provenance.corpus === 'sample' || !isStale ? undefined : true,
    held: provenance.held,
    kept: provenance.kept,
    unanswered: provenance.unanswered,
    troubled: troubledOf(meta.freshness),
    readAs: readAs(objectOf(meta.filters), asked),
    pagination: pagesOf(meta.pagination),
    matching: matchingOf(meta.matching),
    alsoMatching: alsoOf(meta.alsoMatching),
    hints: objectsOf(meta.hints).map(({ sentence, call }) => `${sentence} GET ${call}`),
    identifier: identifierOf(meta.identifier),
    derived: derivedOf(meta.derived),
    notices: meta.notices,
    honesty: ownHonesty(meta.honesty),
    ...shortened(Object.fromEntries(own)),
  });
}

/** Registries and feeds that are degraded or did not answer, each with why. */
function troubledOf(freshness: unknown): string[] {
  return objectsOf(freshness)
    .filter(({ degraded, state }) => degraded === true || state === 'unanswered' || state === 'kept')
    .map(({ registry, feed, state, degradedReason }) => {
      const why = textOf(degradedReason);
      return `${String(registry ?? feed)}: ${String(state)}${why ? `, ${cutText(why, REASON_MAX_CHARACTERS)}` : ''}`;
    });
}

const REASON_MAX_CHARACTERS = 160;

/** Filters that were read as something else than was sent: a country or a value by the word of this index. */
function readAs(filters: JsonObject, asked: JsonObject | undefined): JsonObject | undefined {
  if (asked === undefined) return undefined;
  const other = Object.entries(filters).filter(([name, read]) => {
    const sent = asked[name];
    return sent !== undefined && sent !== null && folded(sent) !== folded(read);
  });
  return other.length === 0 ? undefined : Object.fromEntries(other);
}

function folded(value: unknown): string {
  return String(value).trim().toLowerCase();
}

/** Totals, and what to add to the same call for the next page; null on the last one is left out. */
export function pagesOf(value: unknown): JsonObject | undefined {
  if (!isObject(value)) return undefined;
  const { page, totalItems, total, returned, hasMore, nextCursor, offset } = value;
  return stated({
    page,
    totalItems,
    total,
    returned,
    next: nextOf({ page, hasMore, nextCursor, offset, returned }),
  });
}

function nextOf({ page, hasMore, nextCursor, offset, returned }: JsonObject): JsonObject | undefined {
  if (typeof nextCursor === 'string') return { cursor: nextCursor };
  if (hasMore !== true) return undefined;
  return typeof page === 'number' ? { page: page + 1 } : { offset: Number(offset) + Number(returned) };
}

function becauseOf(value: unknown): string[] {
  return objectsOf(value).map(({ words, heading }) => [words, heading].filter(isStated).join(' = '));
}

function matchingOf(value: unknown): JsonObject | undefined {
  if (!isObject(value)) return undefined;
  const { strict, expanded, strictOnly, because, leftOut, respelt } = value;
  return stated({ strict, expanded, strictOnly, because: becauseOf(because), leftOut, respelt });
}

function alsoOf(value: unknown): JsonObject | undefined {
  if (!isObject(value)) return undefined;
  const { distinct, total, because } = value;
  return stated({
    ...{ distinct, total, because: becauseOf(because) },
    // Where it finds nothing new there is no reason to ask.
    with: distinct === 0 ? undefined : { match: 'concepts' },
  });
}

function identifierOf(value: unknown): JsonObject | undefined {
  if (!isObject(value)) return undefined;
  const { value: id, standing, total, trials } = value;
  return stated({ value: id, standing, total, trials: objectsOf(trials).map(({ canonicalId }) => canonicalId) });
}

/** The vocabularies of what is inferred in the answer. */
function derivedOf(value: unknown): JsonObject | undefined {
  if (!isObject(value)) return undefined;
  return Object.fromEntries(Object.entries(value).map(([name, how]) => [name, objectOf(how).vocabulary]));
}

function ownHonesty(value: unknown): unknown[] {
  const lines = listOf(typeof value === 'string' ? [value] : value);
  const own = lines.filter((line) => !(typeof line === 'string' && isStanding(line)));
  return [...own, ...standingInShort(lines)];
}
