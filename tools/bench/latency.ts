import { setTimeout } from 'node:timers/promises';
import { Connection, getRequest } from './connection.ts';
import { readHostTicks, takenShare } from './host.ts';

export interface Latency {
  p50Ms: number;
  p99Ms: number;
  maxMs: number;
  count: number;
}

export function latencyOf(milliseconds: number[]): Latency {
  const sorted = Float64Array.from(milliseconds).sort();
  const at = (share: number): number =>
    sorted[Math.min(sorted.length - 1, Math.floor(sorted.length * share))] ?? Number.NaN;
  return { p50Ms: at(0.5), p99Ms: at(0.99), maxMs: at(1), count: sorted.length };
}

/** Calls `work` once for each subject in each of `rounds` rounds, after one round that is not counted. */
export function measureCalls<T>(subjects: readonly T[], rounds: number, work: (subject: T) => void): Latency {
  for (const subject of subjects) work(subject);
  const times: number[] = [];
  for (let round = 0; round < rounds; round += 1) {
    for (const subject of subjects) {
      const started = performance.now();
      work(subject);
      times.push(performance.now() - started);
    }
  }
  return latencyOf(times);
}

export interface HttpLoad extends Latency {
  requestsPerSecond: number;
  failed: number;
}

/**
 * A closed loop: each connection sends its next request when it has read the answer to the last, for `seconds`.
 * Bounded in time and connections; goes to 127.0.0.1 only.
 */
export async function measureHttp(
  origin: string,
  paths: readonly string[],
  connections: number,
  seconds: number,
): Promise<HttpLoad> {
  const requests = paths.map((path) => getRequest(path));
  return closedLoop(origin, { connections, seconds, isGood: (status) => status === 200 }, (number) => {
    return requests[number % requests.length]!;
  });
}

/** Runs a closed loop of any requests; `request` gets the number of each, from 0. */
export async function closedLoop(
  origin: string,
  load: { connections: number; seconds: number; isGood: (status: number) => boolean },
  request: (number: number) => Buffer,
): Promise<HttpLoad> {
  const times: number[] = [];
  let failed = 0;
  let next = 0;
  const started = performance.now();
  const deadline = started + load.seconds * 1000;
  const run = async (connection: Connection): Promise<void> => {
    while (performance.now() < deadline) {
      const bytes = request(next++);
      const sent = performance.now();
      if (load.isGood(await connection.send(bytes))) times.push(performance.now() - sent);
      else failed += 1;
    }
    connection.close();
  };
  await Promise.all(Array.from({ length: load.connections }, () => run(new Connection(origin))));
  const elapsed = (performance.now() - started) / 1000;
  return { ...latencyOf(times), requestsPerSecond: times.length / elapsed, failed };
}

/** Warm-up: a client that has just started cannot send at the full rate, and that would count as the server's delay. */
const WARM_UP_SECONDS = 2;
/** Rounds that count. */
const ROUNDS = 5;
/** Most rounds made to get them. Of rounds shorter than the target's, the first five count in any case. */
const MOST_ROUNDS = 15;
const WHOLE_ROUND_SECONDS = 5;
/** A round in which the host took a larger share of the cores' time says nothing about the server. */
const QUIET_SHARE = 0.01;
/** A host that lent its cores for some time takes them back later, so earlier load would slow down what is measured. */
const REST_SECONDS = 30;

export interface Round {
  p99Ms: number;
  /** Share of the cores' time that the host took in it, 0 to 1; null when the system does not tell. */
  takenShare: number | null;
}

export interface RatedLoad extends HttpLoad {
  /** Requests a second that were due; `requestsPerSecond` is what was answered. */
  offeredPerSecond: number;
  /** All rounds, in order. */
  rounds: Round[];
  /** Indexes in `rounds` of the rounds that the latencies are from. */
  counted: number[];
}

/** Name of its row in a table, with every round; rounds that do not count are in brackets with the share that the host took. */
export function offeredRow(what: string, load: RatedLoad): string {
  return `${what}, ${load.offeredPerSecond} offered a second; p99 of each round ${roundsText(load)}`;
}

function roundsText({ rounds, counted }: RatedLoad): string {
  const text = ({ p99Ms, takenShare: share }: Round, place: number): string =>
    counted.includes(place) ? p99Ms.toFixed(1) : `(${p99Ms.toFixed(1)}; host ${((share ?? 0) * 100).toFixed(1)} %)`;
  return rounds.map(text).join(', ');
}

/**
 * Indexes of the rounds that count: the first five in which the host left us the cores, chosen by the host's own counter
 * and before any latency is read; all rounds when there are fewer.
 */
export function countedRounds(rounds: readonly Pick<Round, 'takenShare'>[]): number[] {
  const places = [...rounds.keys()];
  const quiet = places.filter((place) => isQuiet(rounds[place]!));
  return quiet.length < ROUNDS ? places : quiet.slice(0, ROUNDS);
}

/**
 * An open loop: requests fall due at a steady rate whether or not earlier ones were answered, and each is timed from
 * when it was due, so that a stall counts against every request it delays. After a warm-up, rounds of `seconds` are made
 * until five count or there are fifteen; there is a rest before them and after each that the host disturbed. Bounded in
 * time and connections; goes to 127.0.0.1 only.
 */
export async function measureHttpAtRate(
  origin: string,
  paths: readonly string[],
  load: { connections: number; perSecond: number; seconds: number },
): Promise<RatedLoad> {
  const isWhole = isWholeRound(load.seconds);
  const most = isWhole ? MOST_ROUNDS : ROUNDS;
  const made: (Round & { times: number[]; failed: number; seconds: number })[] = [];
  let quiet = 0;
  let isReady = false;
  while (made.length < most && quiet < ROUNDS) {
    if (!isReady) {
      await restBefore(load.seconds);
      await openLoop(origin, paths, { ...load, seconds: WARM_UP_SECONDS }, () => {});
    }
    const round = await oneRound(origin, paths, load);
    made.push(round);
    if (isQuiet(round)) quiet += 1;
    isReady = !isWhole || isQuiet(round);
  }
  const counted = countedRounds(made);
  const taken = counted.map((place) => made[place]!);
  const all = taken.flatMap(({ times }) => times);
  return {
    ...latencyOf(all),
    requestsPerSecond: all.length / taken.reduce((sum, { seconds }) => sum + seconds, 0),
    // A failed request counts whatever the host did.
    failed: made.reduce((sum, round) => sum + round.failed, 0),
    offeredPerSecond: load.perSecond,
    rounds: made.map(({ p99Ms, takenShare: share }) => ({ p99Ms, takenShare: share })),
    counted,
  };
}

function isWholeRound(seconds: number): boolean {
  return seconds >= WHOLE_ROUND_SECONDS;
}

/** No rest before rounds shorter than the target's, because their figures are not used. */
export async function restBefore(roundSeconds: number): Promise<void> {
  if (isWholeRound(roundSeconds)) await setTimeout(REST_SECONDS * 1000);
}

function isQuiet({ takenShare: share }: Pick<Round, 'takenShare'>): boolean {
  return (share ?? 0) <= QUIET_SHARE;
}

async function oneRound(origin: string, paths: readonly string[], load: Parameters<typeof openLoop>[2]) {
  const times: number[] = [];
  let failed = 0;
  const [started, before] = [performance.now(), readHostTicks()];
  await openLoop(origin, paths, load, (_path, status, milliseconds) => {
    if (status === 200) times.push(milliseconds);
    else failed += 1;
  });
  const seconds = (performance.now() - started) / 1000;
  return { p99Ms: latencyOf(times).p99Ms, takenShare: takenShare(before, readHostTicks()), times, failed, seconds };
}

/** Runs the open loop: reports each answer's status (0 for no answer) and the milliseconds since it was due. */
export async function openLoop(
  origin: string,
  paths: readonly string[],
  load: { connections: number; perSecond: number; seconds: number },
  answered: (path: string, status: number, milliseconds: number) => void,
): Promise<void> {
  const requests = paths.map((path) => getRequest(path));
  const connections = Array.from({ length: load.connections }, () => new Connection(origin));
  const free = [...connections];
  const total = Math.floor(load.perSecond * load.seconds);
  const started = performance.now();
  const dueAt = (number: number): number => started + (number / load.perSecond) * 1000;
  let next = 0;
  let underWay = 0;
  let fault: Error | null = null;
  const failed = (reason: Error): void => {
    fault ??= reason;
  };
  // A request that is due while no connection is free waits, and its time runs.
  const sendDue = (): void => {
    while (next < total && free.length > 0 && dueAt(next) <= performance.now()) {
      const number = next++;
      const connection = free.pop()!;
      underWay += 1;
      connection.send(requests[number % requests.length]!).then((status) => {
        answered(paths[number % paths.length]!, status, performance.now() - dueAt(number));
        underWay -= 1;
        free.push(connection);
        sendDue();
      }, failed);
    }
  };
  while (next < total || underWay > 0) {
    sendDue();
    await setTimeout(1);
    if (fault) break;
  }
  for (const connection of connections) connection.close();
  if (fault) throw fault;
}
