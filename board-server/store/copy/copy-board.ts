import { fileOf, isServer, placeOf } from '../store-address.ts';
import type { ChainReport } from '../verify-chain.ts';
import type { Source, Target } from './ends.ts';
import { CopyFault, chunksOf, countOf, type Digest, digestOf, refuseInexact } from './rows.ts';
import { type Shape, shapesOf } from './shapes.ts';
import { SqliteSource, SqliteTarget } from './sqlite-ends.ts';

/** Rows of a transaction. A row is at most a request's body and what was answered to it. */
const CHUNK_ROWS = 1_000;

export interface CopiedTable extends Digest {
  name: string;
  /** Rows that an earlier try had copied. */
  before: number;
}

export interface CopyReport {
  tables: CopiedTable[];
  /** Tables of the source alone, which stay there. */
  left: string[];
  chain: ChainReport;
  copySeconds: number;
}

interface CopyOptions {
  chunkRows?: number;
  /** Told of each chunk that is stored. */
  onChunk?: (table: string, rows: number) => void;
}

/**
 * Copies a board whose services are stopped to an empty store, and compares the two row by row. Throws CopyFault where
 * it must not, or where they differ. A copy that was stopped goes on where it was.
 */
export async function copyBoard(from: string, to: string, options: CopyOptions = {}): Promise<CopyReport> {
  if (from === to) throw new CopyFault('a board is not copied onto itself: name another target');
  await using source = await openSource(from);
  await using target = await openTarget(to);
  const { pairs, left } = await pairsOf(source, target);
  await target.begin(
    source.end,
    pairs.map(({ there }) => there),
  );
  const size = options.chunkRows ?? CHUNK_ROWS;
  const started = performance.now();
  const before: number[] = [];
  for (const pair of pairs) before.push(await copyTable(source, target, pair, size, options.onChunk));
  await target.complete();
  const copySeconds = (performance.now() - started) / 1000;
  const tables: CopiedTable[] = [];
  for (const [at, pair] of pairs.entries()) {
    tables.push({ name: pair.here.name, before: before[at]!, ...(await compared(source, target, pair, size)) });
  }
  const chain = await target.verify();
  await refuseUnequal(source, target, chain, { from, to });
  await target.finish();
  return { tables, left, chain, copySeconds };
}

/** A table as the source has it and as the target has it. */
interface Pair {
  here: Shape;
  there: Shape;
}

async function pairsOf(source: Source, target: Target): Promise<{ pairs: Pair[]; left: string[] }> {
  const there = await shapesOf(target.session);
  const pairs: Pair[] = [];
  const left: string[] = [];
  for (const here of await shapesOf(source.session)) {
    const same = there.find(({ name }) => name === here.name);
    if (same === undefined) left.push(here.name);
    else pairs.push({ here, there: same });
  }
  return { pairs, left };
}

/** Copies what of a table is not there yet; answers how many rows were. */
async function copyTable(
  source: Source,
  target: Target,
  { here, there }: Pair,
  size: number,
  onChunk: CopyOptions['onChunk'],
): Promise<number> {
  const before = await countOf(target.session, there);
  // The next chunk is read while one is stored.
  let storing: Promise<void> = Promise.resolve();
  try {
    for await (const rows of chunksOf(source.session, here, before, size)) {
      refuseInexact(here, rows);
      await storing;
      storing = target.put(there, rows).then(() => onChunk?.(here.name, rows.length));
      // Awaited above or below, but maybe only after it has failed.
      storing.catch(() => undefined);
    }
  } finally {
    await storing;
  }
  return before;
}

async function compared(source: Source, target: Target, { here, there }: Pair, size: number): Promise<Digest> {
  const [ours, theirs] = await Promise.all([
    digestOf(source.session, here, here.columns, size),
    digestOf(target.session, there, here.columns, size),
  ]);
  if (ours.rows === theirs.rows && ours.hash === theirs.hash) return ours;
  await target.giveUp();
  throw new CopyFault(
    `${here.name} has ${ours.rows} rows of hash ${ours.hash} and its copy ${theirs.rows} of ${theirs.hash}: the board was written to between two tries of the copy, so run it once more; it begins anew`,
  );
}

async function refuseUnequal(
  source: Source,
  target: Target,
  chain: ChainReport,
  { from, to }: { from: string; to: string },
): Promise<void> {
  if (chain.problems.length > 0) {
    await target.giveUp();
    throw new CopyFault(`${placeOf(to)} is not sound, so it is no board: ${chain.problems.join('; ')}`);
  }
  if (await source.moved()) {
    await target.giveUp();
    throw new CopyFault(
      `${placeOf(from)} was written to while it was copied: stop its boards and run the copy once more`,
    );
  }
}

async function openSource(from: string): Promise<Source> {
  if (!isServer(from)) return SqliteSource.open(fileOf(from));
  const { PostgresSource } = await import('./postgres-ends.ts');
  return PostgresSource.open(from);
}

async function openTarget(to: string): Promise<Target> {
  if (!isServer(to)) return SqliteTarget.open(fileOf(to));
  const { PostgresTarget } = await import('./postgres-ends.ts');
  return PostgresTarget.open(to);
}
