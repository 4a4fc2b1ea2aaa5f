import { ONE_TIME_SECRETS } from '../../contract/one-time-secrets.ts';
import { cutText } from './cut-text.ts';
import { isObject, type JsonObject, objectOf, objectsOf, stated } from './json.ts';

/**
 * The acknowledgement of a write, over MCP and A2A: what came of it. The texts are those that the caller has just sent, so that they
 * are not sent back; the read of the object has them.
 */

/** Whether and as what it was kept, until when, and what was judged of it. */
const KEPT = [
  ...[
    'id',
    'slug',
    'version',
    'state',
    'status',
    'ladderState',
    'accepted',
    'says',
    'deleted',
    'action',
    'verdict',
    'vote',
  ],
  ...[
    'counts',
    'leaseExpiresAt',
    'renewalsLeft',
    'findingId',
    'decidesAt',
    'expiresAt',
    'horizonAt',
    'verification',
    'why',
  ],
  ...['uses', 'adds', 'relation', 'fromId', 'toId', 'subjectType', 'subjectId', 'withdrawnAt', 'reviewCounts', 'place'],
  ...[
    'outcome',
    'deliveryId',
    'previousSecretUntil',
    'revokedAt',
    'rateLimit',
    'questionId',
    'objectiveId',
    'receipts',
    'warning',
  ],
];
const SECRET_FIELDS: ReadonlySet<string> = new Set(ONE_TIME_SECRETS.map(({ field }) => field));
/** Objects within the answer that the write changed or made. */
const INNER = ['finding', 'amendment', 'rung', 'exercise', 'vote'];

const WHY_MAX_CHARACTERS = 160;
const OTHERS_NAMED = 3;
const CALLS_NAMED = 2;
const FAULTS_NAMED = 4;

export function acknowledgement(data: unknown): unknown {
  if (!isObject(data)) return data;
  const others = data.otherLiveClaims;
  const failed = objectsOf(data.verdicts).filter(({ passed }) => passed === false);
  return stated({
    ...essence(data),
    ...Object.fromEntries(INNER.flatMap((name) => (isObject(data[name]) ? [[name, essence(data[name])]] : []))),
    otherLiveClaims: isObject(others) ? otherClaims(others) : undefined,
    rigor: objectOf(data.rigor).says,
    failed: failed
      .slice(0, FAULTS_NAMED)
      .map(({ rule, found, change, message }) => stated({ rule, found, change, message })),
    nextCalls: objectsOf(data.nextCalls).slice(0, CALLS_NAMED),
  });
}

function essence(object: JsonObject): JsonObject {
  const kept = Object.entries(object).filter(
    ([name, value]) => SECRET_FIELDS.has(name) || (KEPT.includes(name) && !isText(name, value)),
  );
  return stated(
    Object.fromEntries(
      kept.map(([name, value]) => [
        name,
        typeof value === 'string' && !SECRET_FIELDS.has(name) ? cutText(value, WHY_MAX_CHARACTERS) : value,
      ]),
    ),
  );
}

/** An inner object has a place of its own in the acknowledgement. */
function isText(name: string, value: unknown): boolean {
  return INNER.includes(name) && isObject(value);
}

function otherClaims({ count, ids }: JsonObject): JsonObject | undefined {
  if (count === 0) return undefined;
  return { count, ids: Array.isArray(ids) ? ids.slice(0, OTHERS_NAMED) : [] };
}
