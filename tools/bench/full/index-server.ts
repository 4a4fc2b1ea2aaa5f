import { AS_OF } from '../../generator/templates.ts';
import { closedLoop, openLoopAt } from '../client.ts';
import type { HttpLoad, Latency } from '../latency.ts';
import { type MeasuredServer, measureRun, startMeasuredServer } from '../process.ts';
import { type Queries, searchPaths } from '../queries.ts';
import type { Workspace } from './pipeline.ts';
import type { Row } from './rows.ts';

const CONNECTIONS = 16;
const STARTS = 3;
/** Half of the target of 5,000 a second. */
const STEADY_PER_SECOND = 2500;
/** Its answer needs the labels of all trials, which the server infers in the background after a start. */
const ALL_LABELS = '/api/v1/trials/search?modality=cell-therapy&pageSize=1';

/** Output of in-server-process.ts. */
export interface InServer {
  calls: Record<string, Latency>;
  queries: Queries;
  /** Some canonical ids. */
  ids: string[];
}

/** The most milliseconds at the 99th percentile, by call in the server. */
const MOST_P99_MS: Record<string, number> = {
  'search, mixed': 0.5,
  'search by relevance, common': 3,
  'search by relevance, mixed': 3,
  'search by concepts, natural': 8,
  'search by concepts and relevance, natural': 8,
  'few results, misspelt': 5,
  'coverage, mixed': 10,
  'coverage, whole corpus': 10,
  'landscape, mixed': 10,
};

/** Measures of the index server over one snapshot. */
export class IndexMeasures {
  readonly #workspace: Workspace;
  readonly #directory: string;
  readonly #seconds: number;
  #drawn: InServer | null = null;

  constructor(workspace: Workspace, directory: string, seconds: number) {
    this.#workspace = workspace;
    this.#directory = directory;
    this.#seconds = seconds;
  }

  /** Median of three starts, from process start to listening. */
  async start(): Promise<Row[]> {
    const starts: number[] = [];
    let memory: ReturnType<MeasuredServer['memory']> | null = null;
    for (let round = 0; round < STARTS; round += 1) {
      await using server = await this.#server();
      starts.push(server.readyMs);
      memory = server.memory();
    }
    const median = starts.sort((a, b) => a - b)[Math.floor(STARTS / 2)] ?? null;
    return [
      { what: 'index start to ready', value: median, unit: 'ms', most: 1000, peakRssMb: memory?.peakRssMb ?? null },
      {
        what: 'private memory of the index server at its start',
        value: memory?.privateMb ?? null,
        unit: 'MB',
        most: 400,
      },
    ];
  }

  async inServer(): Promise<Row[]> {
    const { calls } = await this.#queries();
    return Object.entries(calls).flatMap(([what, { p50Ms, p99Ms }]): Row[] => {
      const most = MOST_P99_MS[what];
      return [
        {
          what: `${what}, p50 in the server`,
          value: p50Ms,
          unit: 'ms',
          ...(what === 'search, mixed' && { most: 0.1 }),
        },
        { what: `${what}, p99 in the server`, value: p99Ms, unit: 'ms', ...(most !== undefined && { most }) },
      ];
    });
  }

  /** Pages of 20 trials and whole trials, by sixteen connections; then pages at a steady rate. */
  async overHttp(): Promise<Row[]> {
    const { queries, ids } = await this.#queries();
    await using server = await this.#server();
    const load = (paths: string[]): Promise<HttpLoad> => closedLoop(this.#target(server, paths));
    const mixed = searchPaths(queries.mixed);
    const searches = await load(mixed);
    const trials = await load(ids.map((id) => `/api/v1/trials/${id}`));
    const perSecond = Math.max(1, Math.min(STEADY_PER_SECOND, Math.round(searches.requestsPerSecond / 2)));
    const steady = await openLoopAt(this.#target(server, mixed), perSecond);
    const { peakRssMb } = server.memory();
    return [
      { what: 'HTTP search, one process', value: searches.requestsPerSecond, unit: 'a second', least: 5000, peakRssMb },
      { what: `HTTP search, p99 at ${perSecond} a second`, value: steady.p99Ms, unit: 'ms', most: 20 },
      { what: 'HTTP trial, one process', value: trials.requestsPerSecond, unit: 'a second' },
      { what: 'failed requests', value: searches.failed + trials.failed + steady.failed, unit: 'requests', most: 0 },
    ];
  }

  /** Trials with their raw payloads, from four connections, alone and with searches at the same time. */
  async payloads(): Promise<Row[]> {
    const { queries, ids } = await this.#queries();
    await using server = await this.#server();
    const paths = ids.map((id) => `/api/v1/trials/${id}?includeRaw=true`);
    const target = { ...this.#target(server, paths), connections: 4 };
    const alone = await closedLoop(target);
    const [, searches] = await Promise.all([
      closedLoop(target),
      openLoopAt(this.#target(server, searchPaths(queries.mixed)), 100),
    ]);
    return [
      { what: 'raw payloads, 4 connections', value: alone.requestsPerSecond, unit: 'a second', least: 100 },
      { what: 'raw payloads, 4 connections, p99', value: alone.p99Ms, unit: 'ms', most: 150 },
      { what: 'searches meanwhile, 100 a second, p99', value: searches.p99Ms, unit: 'ms', most: 20 },
    ];
  }

  async #server(): Promise<MeasuredServer> {
    const server = await startMeasuredServer('index-server/main.ts', this.#workspace.environment);
    await (await fetch(`${server.url}${ALL_LABELS}`)).arrayBuffer();
    return server;
  }

  #target({ url }: MeasuredServer, paths: string[]) {
    return { origin: url, paths, connections: CONNECTIONS, seconds: this.#seconds };
  }

  /** Searches in a process of its own, so that its memory and garbage affect no other measurement. */
  async #queries(): Promise<InServer> {
    const program = ['tools/bench/full/in-server-process.ts', this.#directory, AS_OF];
    this.#drawn ??= JSON.parse((await measureRun(program, this.#workspace.environment)).output) as InServer;
    return this.#drawn;
  }
}
