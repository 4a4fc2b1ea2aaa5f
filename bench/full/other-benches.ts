import { environment } from '../../config/env.ts';
import type { ScaleResults } from '../board-scale/command.ts';
import type { HttpLoad, Latency, RatedLoad } from '../latency.ts';
import { measureRun } from '../process.ts';

/** What `bench -- board` prints. */
export interface BoardFigures {
  claims: HttpLoad;
  feed: HttpLoad & { events: number };
  feedSteady: RatedLoad;
  feedAtHalf: RatedLoad;
  /** Of the board server; MB. */
  memory: { rssMb: number | null; privateMb: number | null };
}

/** The part of the output of `bench -- rivals` that is used. */
export interface RivalFigures {
  rivals: { name: string; loadSeconds: number; bytesOnDisk: number; works: Record<string, RivalWork> }[];
  skipped: Record<string, string>;
}

interface RivalWork {
  latency: Latency;
  ours: Latency;
  ratioP50: number;
  asked: number;
  differing: number;
}

/** Runs another benchmark in a process of its own; it cleans up after itself. */
async function otherBench(words: string[]): Promise<unknown> {
  const { PATH = '' } = environment();
  const { output } = await measureRun(['bench/main.ts', ...words, '--json'], { PATH });
  return JSON.parse(output);
}

export async function measureBoard(events: number, seconds: number): Promise<BoardFigures> {
  return (await otherBench(['board', '--events', String(events), '--seconds', String(seconds)])) as BoardFigures;
}

/** The part of the output of `bench -- board-scale` that is used. */
export type ScaleFigures = Pick<
  ScaleResults,
  'sizes' | 'fillSeconds' | 'readyMs' | 'reads' | 'memory' | 'subscriptions'
>;

export async function measureBoardScale(events: number, seconds: number): Promise<ScaleFigures> {
  const words = ['board-scale', '--events', String(events), '--seconds', String(seconds)];
  return (await otherBench(words)) as ScaleFigures;
}

export async function measureRivals(snapshotDir: string, seconds: number): Promise<RivalFigures> {
  return (await otherBench(['rivals', '--snapshot', snapshotDir, '--seconds', String(seconds)])) as RivalFigures;
}
