import type { H3Event } from 'h3';
import type { Door } from '../../contract/interfaces/doors.ts';
import {
  ANONYMOUS_READS_PER_MINUTE,
  type RateBucketId,
  READ_COST_BYTES,
  REQUESTS_WAITING_MAX_PER_ADDRESS,
} from '../../contract/limits/limits.ts';
import type { Operation } from '../../contract/operation.ts';
import { answerSizeOf } from '../../server-kit/answer/answer-size.ts';
import { clientAddress } from '../../server-kit/limits/address.ts';
import { type Allowance, type Awaitable, goOn, type RateLimiter, rateHeaders } from '../../server-kit/limits/limits.ts';
import { PerRequest } from '../../server-kit/limits/per-request.ts';
import { Problem } from '../../server-kit/problem.ts';
import type { CallerCounts } from '../common/common.ts';
import { carryingDoor } from '../observation/inner-requests.ts';
import { doorAt, operationFinder } from '../operation-finder.ts';
import type { KeyStanding, KeyVerifier } from './key-verifier.ts';
import { shedRead } from './shedding.ts';
import { Turns } from './turns.ts';

export type Caller = { address: string } & ({ state: 'anonymous' } | KeyStanding);

interface AdmissionOptions {
  operations: readonly Operation[];
  /** Null if rate limits are off. */
  limiter: RateLimiter | null;
  verifier: KeyVerifier;
  /** Counts requests of the day, and wrong keys by address: once an address has sent too many, its keys are no longer looked up. */
  counts: CallerCounts;
  trustedProxies: number;
  /** Versions that are served; empty where that is not known yet. */
  servedVersions?: () => readonly string[];
  /** Called for every request that a bucket refused. */
  onLimited?: (bucket: RateBucketId) => void;
  /** How late the event loop runs. */
  lagMs?: () => number;
  /** Called for every read that was refused because the event loop lags. */
  onShed?: () => void;
}

/** Tells a caller that its key could not be verified, so that the anonymous limits apply. */
const KEY_STATUS_HEADER = 'x-api-key-status';
const UNVERIFIED = 'unverified; served under the anonymous limits';

/** What an answer is charged to by its size: always the address, and what a caller without a key may read where it was made for it. */
const BY_ADDRESS = ['read-address'] as const;
const WITHOUT_KEY = ['read-address', 'read-size'] as const;

/** How soon a repeat makes sense after a full line, which is served within seconds. */
const FULL_LINE_RETRY_SECONDS = 2;

/** Admits or refuses each request, before a body is read, a handler runs or another server is asked. */
export class Admission {
  readonly #options: AdmissionOptions;
  readonly #operationOf: (event: H3Event) => Operation | undefined;
  readonly #headers = new PerRequest<Record<string, string>>();
  readonly #turns = new Turns();
  /** Requests without a key whose answers are made for them, so that a big one costs more of what they may read. */
  readonly #paysForSize = new PerRequest<true>();

  constructor(options: AdmissionOptions) {
    this.#options = options;
    this.#operationOf = operationFinder(options.operations);
  }

  /**
   * Charges a request when its turn has come. Throws RATE_LIMITED or WRITE_RATE_LIMITED, INVALID_API_KEY for a key that
   * is not live, or the availability code of a read that is refused because the event loop lags.
   */
  async admit(event: H3Event): Promise<void> {
    const operation = this.#operationOf(event);
    const bucket = this.#bucketOf(event);
    // The page itself was charged as one read. Operations that compute or write are charged separately.
    const paid = bucket === 'read' && carryingDoor(event) === 'page';
    const free = bucket === 'none' || bucket === 'by message' || event.req.method === 'OPTIONS';
    // Before the turn, since it may ask the board: many requests that wait for one answer would go on at once.
    const caller = paid || free ? null : await this.#identified(event);
    // Probes stand in no line.
    if (bucket !== 'none') {
      this.#refuseFullLine(event);
      await this.turn(event);
    }
    if (paid || free) this.#headers.set(event, {});
    else await this.#admit(event, bucket, caller!, operation);
    this.#shed(event, operation);
  }

  /** Resolves when the event loop has a turn for the caller's address. */
  async turn(event: H3Event): Promise<void> {
    await this.#turns.take(clientAddress(event, this.#options.trustedProxies));
  }

  /** Charges for a big answer, which was admitted as one read whatever its size. Refuses nothing by itself. */
  answered(event: H3Event): void {
    const buckets = this.#paysForSize.get(event) ? WITHOUT_KEY : BY_ADDRESS;
    const { limiter } = this.#options;
    const further = Math.ceil(answerSizeOf(event) / READ_COST_BYTES) - 1;
    if (limiter === null || further < 1) return;
    const address = clientAddress(event, this.#options.trustedProxies);
    for (const bucket of buckets) {
      const charged = limiter.charge(bucket, address, undefined, further);
      // The answer does not wait for a store elsewhere; what that store does not count is lost.
      if (charged instanceof Promise) charged.catch(() => {});
    }
  }

  /** Charges a message of another protocol that runs no operation. Throws as `admit` does. */
  async admitAs(event: H3Event, bucket: RateBucketId | 'none'): Promise<void> {
    if (bucket !== 'none') await this.#admit(event, bucket, await this.#identified(event), undefined);
  }

  /** Copies the rate fields of an operation to the answer that carries it. */
  adopt(event: H3Event, headers: Headers): void {
    const own = [...headers].filter(([name]) => name.startsWith('ratelimit') || name === KEY_STATUS_HEADER);
    // The reads of a page have no rate fields, so that the page keeps its own.
    if (own.length > 0) this.#headers.set(event, Object.fromEntries(own));
  }

  #identified(event: H3Event): Promise<Caller> {
    const key = event.req.headers.get('x-api-key');
    return this.identify(clientAddress(event, this.#options.trustedProxies), key);
  }

  async #admit(event: H3Event, bucket: RateBucketId, caller: Caller, operation: Operation | undefined): Promise<void> {
    this.#options.counts.noteRequest(callerId(caller));
    const allowance = await this.#charge(bucket, caller);
    this.#headers.set(event, {
      ...(allowance ? rateHeaders(allowance) : {}),
      ...(caller.state === 'unverified' ? { [KEY_STATUS_HEADER]: UNVERIFIED } : {}),
    });
    if (allowance?.refused) {
      this.#options.onLimited?.(allowance.bucket);
      throw refusal(bucket, allowance);
    }
    // An operation that manages keys has its own code for a key that is not live.
    if (meterOf(bucket, caller).id === 'read' && operation !== undefined && operation.cache !== 'static')
      this.#paysForSize.set(event, true);
    if (caller.state === 'dead' && !operation?.errors.includes('INVALID_KEY')) throw new Problem('INVALID_API_KEY');
  }

  /** Identifies a caller by address and key. */
  async identify(address: string, key: string | null): Promise<Caller> {
    if (key === null) return { address, state: 'anonymous' };
    const { verifier } = this.#options;
    if (verifier.isUnknown(key) && (await this.#hasGuessed(address))) return { address, state: 'unverified' };
    const standing = await verifier.verify(key);
    if (standing.state === 'dead') await this.#options.counts.noteWrongKey(address);
    return { address, ...standing };
  }

  /** The caller's allowance in a bucket, without counting a request. */
  async look(bucket: RateBucketId, caller: Caller): Promise<Allowance | null> {
    const { id, subject, own } = meterOf(bucket, caller);
    return (await this.#options.limiter?.look(id, subject, own)) ?? null;
  }

  /** Rate fields for the answer to this request. A request refused before routing is charged here, as one read. */
  async headersFor(event: H3Event): Promise<Record<string, string>> {
    const known = this.#headers.get(event);
    if (known) return known;
    const address = clientAddress(event, this.#options.trustedProxies);
    const allowance = await this.#charge('read', { address, state: 'anonymous' });
    return allowance ? rateHeaders(allowance) : {};
  }

  /** Charges the bucket, and for a read the ceiling of the address and what may be read without a key; returns the one that allows least. */
  #charge(bucket: RateBucketId, caller: Caller): Awaitable<Allowance | null> {
    const { limiter } = this.#options;
    if (limiter === null) return null;
    const { id, subject, own } = meterOf(bucket, caller);
    return goOn(limiter.charge(id, subject, own), (allowance) => {
      // A refused request does not use up what the other callers of its address may read.
      if (bucket !== 'read' || allowance.refused) return allowance;
      return goOn(limiter.charge('read-address', caller.address), (ceiling) => {
        const least = tighter(ceiling, allowance);
        if (id !== 'read' || least.refused) return least;
        return goOn(limiter.charge('read-size', caller.address), (size) => tighter(size, least));
      });
    });
  }

  #shed(event: H3Event, operation: Operation | undefined): void {
    const { lagMs, onShed } = this.#options;
    const asked = { url: event.url, isOfPage: carryingDoor(event) === 'page' };
    const refusal = lagMs ? shedRead(operation, asked, lagMs()) : null;
    if (refusal === null) return;
    onShed?.();
    throw refusal;
  }

  async #hasGuessed(address: string): Promise<boolean> {
    const wrong = await this.#options.counts.wrongKeysOf(address);
    return wrong !== null && wrong.consumedPoints >= ANONYMOUS_READS_PER_MINUTE;
  }

  /** A request that another one carries has stood in the line with it. */
  #refuseFullLine(event: H3Event): void {
    if (carryingDoor(event) !== null) return;
    if (this.#isLineFull(clientAddress(event, this.#options.trustedProxies))) throw fullLine();
  }

  #isLineFull(address: string): boolean {
    return this.#turns.waiting(address) >= REQUESTS_WAITING_MAX_PER_ADDRESS;
  }

  #bucketOf(event: H3Event): Operation['bucket'] | Door['bucket'] {
    const door = doorAt(event.context.matchedRoute?.route);
    if (door?.isMadeOfReads && this.#namesEarlierVersion(event)) return 'export';
    return this.#operationOf(event)?.bucket ?? door?.bucket ?? 'read';
  }

  /** Its image has to be opened, and the one that is open for others closed: two callers who take turns open one each time. */
  #namesEarlierVersion(event: H3Event): boolean {
    const served = this.#options.servedVersions?.() ?? [];
    const named = event.url.searchParams.getAll('snapshot');
    return served.length > 0 && named.some((version) => !served.includes(version));
  }
}

/** The name under which a caller's requests of the day are counted. */
export function callerId(caller: Caller): string {
  return caller.state === 'live' ? `key ${caller.id}` : `address ${caller.address}`;
}

/** Reads with a live key count by the key, at its own rate; everything else counts by address. */
function meterOf(bucket: RateBucketId, caller: Caller): { id: RateBucketId; subject: string; own: number | undefined } {
  return caller.state === 'live' && (bucket === 'read' || bucket === 'read-keyed')
    ? { id: 'read-keyed', subject: caller.id, own: caller.rateLimit }
    : { id: bucket, subject: caller.address, own: undefined };
}

function tighter(one: Allowance, other: Allowance): Allowance {
  return one.refused || one.remaining < other.remaining ? one : other;
}

function refusal(bucket: RateBucketId, { resetSeconds }: Allowance): Problem {
  return new Problem(bucket === 'read' || bucket === 'export' ? 'RATE_LIMITED' : 'WRITE_RATE_LIMITED', {
    retryAfterSeconds: resetSeconds,
  });
}

function fullLine(): Problem {
  const message = `Your address has ${REQUESTS_WAITING_MAX_PER_ADDRESS} requests waiting, the most it may; nothing was carried out.`;
  return new Problem('RATE_LIMITED', { message, retryAfterSeconds: FULL_LINE_RETRY_SECONDS });
}
