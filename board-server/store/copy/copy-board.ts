import { fileOf, isServer, placeOf } from '../store-address.ts';
import type { ChainReport } from '../verify-chain.ts';
import type { DatabaseTarget } from './database-target.ts';
import { FileSource } from './file-source.ts';
import { CopyFault, chunksOf, type Digest, digestOf, refuseInexact } from './rows.ts';
import { type Shape, shapesOf } from './shapes.ts';

/** Rows of a transaction. A row is at most a request's body and what was answered to it. */
const CHUNK_ROWS = 1_000;

export interface CopiedTable extends Digest {
  name: string;
}

export interface CopyReport {
  tables: CopiedTable[];
  /** Tables of the file alone, which stay there. */
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
 * Copies a board from its file, whose service is stopped, to an empty database, and compares the two row by row. Throws
 * CopyFault where it must not, or where they differ. Until it returns no board starts there; a copy that was stopped
 * begins anew.
 */
export async function copyBoard(from: string, to: string, options: CopyOptions = {}): Promise<CopyReport> {
  if (isServer(from) || !isServer(to)) {
    throw new CopyFault('a board is copied from its file to a database: name a file, then a postgres:// address');
  }
  const size = options.chunkRows ?? CHUNK_ROWS;
  await using source = await FileSource.open(fileOf(from));
  const { DatabaseTarget } = await import('./database-target.ts');
  await using target = await DatabaseTarget.open(to);
  const { pairs, left } = await pairsOf(source, target);
  const started = performance.now();
  await target.begin(
    source.end,
    pairs.map(({ there }) => there),
  );
  for (const pair of pairs) await copyTable(source, target, pair, size, options.onChunk);
  await target.complete();
  const copySeconds = (performance.now() - started) / 1000;
  const tables: CopiedTable[] = [];
  for (const pair of pairs) tables.push({ name: pair.here.name, ...(await compared(source, target, pair, size)) });
  const chain = await target.verify();
  if (chain.problems.length > 0)
    throw new CopyFault(`${placeOf(to)} is not sound, so it is no board: ${chain.problems.join('; ')}`);
  if (await source.moved()) {
    throw new CopyFault(
      `${placeOf(from)} was written to while it was copied: stop its board and run the copy once more`,
    );
  }
  await target.finish();
  return { tables, left, chain, copySeconds };
}

/** A table as the file has it and as the database has it. */
interface Pair {
  here: Shape;
  there: Shape;
}

async function pairsOf(source: FileSource, target: DatabaseTarget): Promise<{ pairs: Pair[]; left: string[] }> {
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

async function copyTable(
  source: FileSource,
  target: DatabaseTarget,
  { here, there }: Pair,
  size: number,
  onChunk: CopyOptions['onChunk'],
): Promise<void> {
  // The next chunk is read while one is stored.
  let storing: Promise<void> = Promise.resolve();
  try {
    for await (const rows of chunksOf(source.session, here, size)) {
      refuseInexact(here, rows);
      await storing;
      storing = target.put(there, rows).then(() => onChunk?.(here.name, rows.length));
      // Awaited above or below, but maybe only after it has failed.
      storing.catch(() => undefined);
    }
  } finally {
    await storing;
  }
}

async function compared(
  source: FileSource,
  target: DatabaseTarget,
  { here, there }: Pair,
  size: number,
): Promise<Digest> {
  const [ours, theirs] = await Promise.all([
    digestOf(source.session, here, here.columns, size),
    digestOf(target.session, there, here.columns, size),
  ]);
  if (ours.rows === theirs.rows && ours.hash === theirs.hash) return ours;
  throw new CopyFault(
    `${here.name} has ${ours.rows} rows of hash ${ours.hash} and its copy ${theirs.rows} of ${theirs.hash}: run the copy once more`,
  );
}
