import type { H3, H3Event } from 'h3';
import type { Logger } from 'pino';
import { type Door, type DoorId, doorOf } from '../../contract/interfaces/doors.ts';
import { PAGE_PARAMETERS } from '../../contract/interfaces/take-away.ts';
import { Answer } from '../../server-kit/answer/answer.ts';
import { answerWithCaching } from '../../server-kit/conditional.ts';
import { correlationIdOf, otherMethod, ownAddress, pathPairs, routeOf } from '../../server-kit/mount.ts';
import { queryPairs, readParameters, unknownNamed } from '../../server-kit/parameters.ts';
import { Problem } from '../../server-kit/problem.ts';
import type { Invoke } from '../invoke.ts';
import { FailedRead, Reads } from '../pages/reads.ts';

/** Files and feeds that are made of reads of operations, as pages are. */

export interface TakenRequest {
  /** Parameters of the path. */
  params: Record<string, string>;
  /** Parameters as read, as sent, and the names of unknown ones. `applied` is without the version. */
  values: Record<string, unknown>;
  applied: Record<string, string>;
  /** The version that the address names, which makes it permanent; undefined for the one that is served. */
  snapshot: string | undefined;
  ignored: string[];
  /** Public address without a trailing slash. */
  baseUrl: string;
  reads: Reads;
  now: Date;
}

export interface TakenAnswer {
  /** Whole, or in pieces that are made as they are taken. */
  body: string | AsyncGenerator<string>;
  headers: Record<string, string>;
}

/** The caching of a permanent address: the version that it names never changes. */
export const PERMANENT = { 'cache-control': 'public, max-age=31536000, immutable' } as const;

export interface Taken {
  id: DoorId;
  answer(request: TakenRequest): Promise<TakenAnswer>;
}

interface TakenServices {
  invoke: Invoke;
  log: Logger;
  now: () => Date;
  /** Fixed public address; null takes it from each request. */
  baseUrl: string | null;
}

const ALLOW = 'GET, HEAD, OPTIONS';

export function mountTaken(app: H3, all: readonly Taken[], services: TakenServices): void {
  for (const taken of all) {
    const door: Door = doorOf(taken.id);
    const answer = (event: H3Event) => answered(event, taken, door, services);
    const path = routeOf(door.path);
    app.get(path, answer);
    app.on('HEAD', path, answer);
    app.all(path, (event) => otherMethod(event, ALLOW));
  }
}

async function answered(
  event: H3Event,
  taken: Taken,
  door: Door,
  { invoke, log, now, baseUrl }: TakenServices,
): Promise<Answer> {
  const shape = door.query;
  const { values, ignored, ...read } = readParameters(shape, queryPairs(event.url.search));
  const { snapshot, ...applied } = read.applied;
  const unknown = ignored.filter((name) => !PAGE_PARAMETERS.includes(name));
  if (unknown[0] !== undefined && door.unknownParameters === 'named') {
    throw unknownNamed(unknown[0], Object.keys(shape ?? {}));
  }
  const params = readParameters(door.params, pathPairs(event, door.path)).applied;
  const correlationId = correlationIdOf(event);
  const request: TakenRequest = {
    ...{ params, values, applied, snapshot, ignored: unknown },
    ...{ baseUrl: baseUrl ?? ownAddress(event), reads: new Reads(invoke, event, snapshot), now: now() },
  };
  const { body, headers } = await taken.answer(request).catch(asProblem);
  if (typeof body === 'string') {
    const whole = { body: Buffer.from(body), validator: body, status: 200 };
    return answerWithCaching(event, { id: taken.id, cache: 'revalidate' }, whole, headers, correlationId);
  }
  const own = { 'x-correlation-id': correlationId, 'cache-control': 'no-cache', ...headers };
  if (event.req.method === 'HEAD') {
    await body.return(undefined);
    return new Answer(event, null, { status: 200, headers: own });
  }
  return new Answer(event, streamOf(body, log), { status: 200, headers: own });
}

/** A failed read is the failure of the file, answered as any other. */
function asProblem(error: unknown): never {
  if (!(error instanceof FailedRead)) throw error;
  const { code, message, parameter, expected, issues, retryAfterSeconds } = error.error;
  throw new Problem(code, {
    message,
    ...(parameter !== undefined && { parameter }),
    ...(expected !== undefined && { expected }),
    ...(issues !== undefined && { issues }),
    ...(retryAfterSeconds !== undefined && { retryAfterSeconds }),
    cause: error,
  });
}

/** Asks for a piece when the reader has taken the last. A fault breaks the answer off, so that it never looks whole. */
function streamOf(pieces: AsyncGenerator<string>, log: Logger): ReadableStream<Uint8Array> {
  return new ReadableStream<Uint8Array>({
    async pull(controller) {
      try {
        const { done, value } = await pieces.next();
        if (done) controller.close();
        else controller.enqueue(Buffer.from(value));
      } catch (error) {
        log.warn({ err: error }, 'a file broke off');
        controller.error(error);
      }
    },
    async cancel() {
      await pieces.return(undefined);
    },
  });
}
