import { get } from 'node:http';
import { closedLoop, openLoopAt } from '../client.ts';
import type { HttpLoad, RatedLoad } from '../latency.ts';
import { type MeasuredServer, type Memory, startMeasuredServer } from '../process.ts';
import { type Queries, searchPaths } from '../queries.ts';
import type { Room } from './stages.ts';

export const CONNECTIONS = 16;
/** Half of the target of 5,000 a second. */
const STEADY_PER_SECOND = 2500;
const STARTS = 3;
/** Its answer needs the labels of all trials, which the server infers in the background after a start. */
export const ALL_LABELS = '/api/v1/trials/search?modality=cell-therapy&pageSize=1';

export interface IndexStart {
  /** Median of the starts, from process start to listening. */
  readyMs: number;
  starts: number[];
  /** Of the last start, before any request. */
  memory: Memory;
}

/** Starts an index server on a free port. */
export function startIndexServer(room: Room): Promise<MeasuredServer> {
  return startMeasuredServer('index-server/main.ts', room.environment);
}

export async function measureStart(room: Room): Promise<IndexStart> {
  const starts: number[] = [];
  let memory: Memory = { rssMb: null, privateMb: null, sharedMb: null, peakRssMb: null };
  for (let round = 0; round < STARTS; round += 1) {
    await using server = await startIndexServer(room);
    starts.push(server.readyMs);
    memory = server.memory();
  }
  const readyMs = [...starts].sort((a, b) => a - b)[Math.floor(STARTS / 2)]!;
  return { readyMs, starts, memory };
}

export interface OverHttp {
  closed: Record<string, HttpLoad>;
  /** At half of the target's rate, or of the closed loop's when that is lower. */
  steady: RatedLoad;
  /** At half of the closed loop's rate. */
  half: RatedLoad;
  memory: Memory;
}

/** Reads pages of 20 trials, and whole trials. */
export async function measureOverHttp(
  room: Room,
  { queries, ids }: { queries: Queries; ids: string[] },
  seconds: number,
): Promise<OverHttp> {
  await using server = await startIndexServer(room);
  const target = (paths: string[]) => ({ origin: server.url, paths, connections: CONNECTIONS, seconds });
  const mixed = target(searchPaths(queries.mixed));
  await read(`${server.url}${ALL_LABELS}`);
  const closed: OverHttp['closed'] = {
    'search, rare': await closedLoop(target(searchPaths(queries.rare))),
    'search, common': await closedLoop(target(searchPaths(queries.common))),
    'search, mixed': await closedLoop(mixed),
    detail: await closedLoop(target(ids.map((id) => `/api/v1/trials/${id}`))),
  };
  const perSecond = Math.max(1, Math.round(closed['search, mixed']!.requestsPerSecond / 2));
  const steady = await openLoopAt(mixed, Math.min(STEADY_PER_SECOND, perSecond));
  const half = await openLoopAt(mixed, perSecond);
  return { closed, steady, half, memory: server.memory() };
}

export function read(url: string): Promise<void> {
  return new Promise((resolve, reject) => {
    get(url, (response) => {
      response.on('end', resolve).on('error', reject).resume();
    }).on('error', reject);
  });
}
