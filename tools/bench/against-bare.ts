import { writeFile } from 'node:fs/promises';
import { basename, dirname, join, resolve } from 'node:path';
import { setTimeout as delay } from 'node:timers/promises';
import { openSnapshotImage, type SnapshotImage } from '../../index-server/snapshot/snapshot-image.ts';
import { closedLoop } from './client.ts';
import { findWrk, wrkLoop } from './full/wrk.ts';
import { naturalQueries } from './natural-queries.ts';
import { type MeasuredServer, scratchFolder, startMeasuredServer } from './process.ts';
import { drawQueries, searchPaths } from './queries.ts';
import { machine, note, number, writeResults } from './report.ts';

export const BARE_HELP = `       npm run bench -- bare --snapshot DIR [--rounds 5] [--seconds 3] [--json]

Searches through the gateway with its limits on, beside bare node:http that sends the same bodies: the two in turn, so that a
busy machine slows both. They begin when what the gateway does after its start is over. Requests a second and the processor
time of each server, by kind of search.
`;

const CONNECTIONS = 16;
const NATURAL_QUESTIONS = 200;
/** A server that has just started reads its files and infers labels; it is at rest when it takes less than this share of a core. */
const AT_REST_SHARE = 0.05;
const LOOK_MS = 2_000;
/** No service outside this machine is used. */
const SETTINGS = { PATH: '', PUBMED_URL: 'off', EUROPEPMC_URL: 'off', LOG_LEVEL: 'info' };

/** One load of one server. */
interface Load {
  requestsPerSecond: number;
  failed: number;
  /** Processor time of the server for each request; null when the system does not tell. */
  cpuMicroseconds: number | null;
}

export interface KindAgainstBare {
  bodyBytes: number;
  gateway: Load[];
  bare: Load[];
}

export type AgainstBare = Record<string, KindAgainstBare>;

/** Searches of one kind. */
interface Kind {
  paths: string[];
  /** What the caller accepts. */
  encoding: 'identity' | 'gzip';
}

/** Every kind of search by name. A path is of one kind only, since the bare server knows bodies by path. */
function kindsOf(image: SnapshotImage): Record<string, Kind> {
  const queries = drawQueries(image);
  const mixed = searchPaths(queries.mixed);
  const natural = searchPaths(naturalQueries(image, NATURAL_QUESTIONS));
  const withMore = (paths: readonly string[], more: string): string[] => paths.map((path) => `${path}&${more}`);
  const plain = {
    'count: mixed, one trial a page': withMore(mixed, 'pageSize=1'),
    'page of 20: rare': searchPaths(queries.rare),
    'page of 20: common': searchPaths(queries.common),
    'page of 20: mixed': mixed,
    'page of 20: mixed, by relevance': withMore(mixed, 'sort=relevance'),
    'page of 20: common with filters': withMore(searchPaths(queries.common), 'status=completed&phase=2,3&age=40'),
    'page of 20: filters alone': ['&', '&startedAfter=2015-01-01&', '&sex=female&'].flatMap((more) =>
      ['1', '2', '3', '4'].map((phase) => `/api/v1/trials/search?status=completed${more}phase=${phase}`),
    ),
    'page of 20: concepts': withMore(natural, 'match=concepts'),
  };
  return {
    ...Object.fromEntries(
      Object.entries(plain).map(([kind, paths]) => [kind, { paths, encoding: 'identity' as const }]),
    ),
    'page of 20: mixed, gzip': { paths: withMore(mixed, 'pageSize=20'), encoding: 'gzip' },
  };
}

/** Loads gateway and bare server in turn, `rounds` times for each kind. */
export async function measureAgainstBare(
  snapshotDir: string,
  { rounds, seconds, folder, only }: { rounds: number; seconds: number; folder: string; only?: string },
): Promise<AgainstBare> {
  const image = openSnapshotImage(snapshotDir);
  const kinds = Object.entries(kindsOf(image)).filter(([kind]) => only === undefined || kind.includes(only));
  image.release();
  const environment = { ...SETTINGS, DATA_DIR: join(folder, 'service'), SNAPSHOTS_DIR: dirname(snapshotDir) };
  await using gateway = await startMeasuredServer('tools/bench/full/gateway-server.ts', environment);
  // Also before its bodies are asked for: while it lags it refuses searches.
  await atRest(gateway);
  const list = join(folder, 'paths.json');
  await writeFile(
    list,
    JSON.stringify(kinds.flatMap(([, { paths, encoding }]) => paths.map((path) => ({ path, encoding })))),
  );
  await using bare = await startMeasuredServer('tools/bench/full/bare-server.ts', {
    BODIES_OF: gateway.url,
    PATHS_FILE: list,
  });
  const found: AgainstBare = {};
  for (const [kind, asked] of kinds) {
    note(kind);
    // Once unmeasured: code is compiled, and both hold what they keep.
    await load(gateway, asked, { seconds, folder });
    await load(bare, asked, { seconds, folder });
    const own: KindAgainstBare = { bodyBytes: await meanBytes(bare.url, asked.paths), gateway: [], bare: [] };
    for (let round = 0; round < rounds; round += 1) {
      own.gateway.push(await load(gateway, asked, { seconds, folder }));
      own.bare.push(await load(bare, asked, { seconds, folder }));
    }
    found[kind] = own;
  }
  return found;
}

/** Resolves when what a server does after its start is over. */
async function atRest(server: MeasuredServer): Promise<void> {
  for (let before = server.cpuSeconds(); before !== null; ) {
    await delay(LOOK_MS);
    const now = server.cpuSeconds() ?? before;
    if (now - before < (AT_REST_SHARE * LOOK_MS) / 1000) return;
    before = now;
  }
}

async function load(
  server: MeasuredServer,
  asked: Kind,
  { seconds, folder }: { seconds: number; folder: string },
): Promise<Load> {
  const wrk = findWrk();
  const target = { origin: server.url, ...asked, connections: CONNECTIONS, seconds };
  const before = server.cpuSeconds();
  const { requestsPerSecond, failed, count } = await (wrk === null ? closedLoop(target) : wrkLoop(wrk, folder, target));
  const after = server.cpuSeconds();
  const cpuMicroseconds = before === null || after === null ? null : ((after - before) / (count + failed)) * 1e6;
  return { requestsPerSecond, failed, cpuMicroseconds };
}

async function meanBytes(origin: string, paths: readonly string[]): Promise<number> {
  let bytes = 0;
  for (const path of paths) bytes += (await (await fetch(`${origin}${path}`)).arrayBuffer()).byteLength;
  return bytes / paths.length;
}

/** The middle of some figures, with the least and the most. */
function spreadOf(values: readonly number[]): { middle: number; least: number; most: number } {
  const sorted = values.toSorted((a, b) => a - b);
  return { middle: sorted[Math.floor(sorted.length / 2)]!, least: sorted[0]!, most: sorted.at(-1)! };
}

/** The gateway's share of the bare server's rate, of each round. */
function sharesOf({ gateway, bare }: KindAgainstBare): number[] {
  return gateway.map(({ requestsPerSecond }, round) => requestsPerSecond / bare[round]!.requestsPerSecond);
}

/** The share of each kind of search, the smallest first. */
export function sharesByKind(found: AgainstBare): { kind: string; share: number }[] {
  return Object.entries(found)
    .map(([kind, own]) => ({ kind, share: spreadOf(sharesOf(own)).middle }))
    .sort((one, other) => one.share - other.share);
}

export function againstBareTable(found: AgainstBare): string[] {
  const text = (values: readonly number[], digits: number): string => {
    const { middle, least, most } = spreadOf(values);
    return `${number(middle, digits)} (${number(least, digits)} to ${number(most, digits)})`;
  };
  const rates = (loads: readonly Load[]): string =>
    text(
      loads.map(({ requestsPerSecond }) => requestsPerSecond),
      0,
    );
  const cpu = (loads: readonly Load[]): number[] => loads.flatMap(({ cpuMicroseconds }) => cpuMicroseconds ?? []);
  return [
    '| search | body, kB | gateway, requests/s | bare, requests/s | share | CPU of the gateway, µs | of bare, µs | bare / gateway | failed |',
    '|---|---|---|---|---|---|---|---|---|',
    ...Object.entries(found).map(([kind, own]) => {
      const [ours, theirs] = [cpu(own.gateway), cpu(own.bare)];
      const cells = [
        kind,
        number(own.bodyBytes / 1000),
        rates(own.gateway),
        rates(own.bare),
        text(sharesOf(own), 2),
        text(ours, 0),
        text(theirs, 0),
        text(
          ours.map((one, round) => theirs[round]! / one),
          2,
        ),
        String([...own.gateway, ...own.bare].reduce((sum, { failed }) => sum + failed, 0)),
      ];
      return `| ${cells.join(' | ')} |`;
    }),
  ];
}

export async function benchBare(options: {
  snapshot: string;
  rounds: number;
  seconds: number;
  only?: string;
  json: boolean;
}): Promise<void> {
  await using folder = await scratchFolder('bare');
  const dir = resolve(options.snapshot);
  const kinds = await measureAgainstBare(dir, { ...options, folder: folder.path });
  const results = { machine: machine(), client: findWrk() === null ? 'node' : 'wrk', snapshot: basename(dir), kinds };
  await writeResults('bare', results);
  process.stdout.write(options.json ? `${JSON.stringify(results)}\n` : `${againstBareTable(kinds).join('\n')}\n`);
}
