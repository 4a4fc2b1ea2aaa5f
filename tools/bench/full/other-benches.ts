import { environment } from '../../../server-kit/config/env.ts';
import type { BoardResults } from '../board.ts';
import type { ScaleResults } from '../board-scale/command.ts';
import { measureRun } from '../process.ts';
import type { RivalsResults } from '../rivals/rivals.ts';

/** The parts of the output of other benchmarks that are used. */
export type BoardFigures = Pick<BoardResults, 'claims' | 'feed' | 'feedSteady' | 'memory'>;
export type ScaleFigures = Pick<ScaleResults, 'sizes' | 'readyMs' | 'reads' | 'memory' | 'subscriptions'>;
export type RivalFigures = Pick<RivalsResults, 'rivals' | 'skipped'>;

/** Runs another benchmark in a process of its own; it cleans up after itself. */
async function otherBench(words: string[]): Promise<unknown> {
  const { PATH = '' } = environment();
  const { output } = await measureRun(['tools/bench/main.ts', ...words, '--json'], { PATH });
  return JSON.parse(output);
}

export async function measureBoard(events: number, seconds: number): Promise<BoardFigures> {
  return (await otherBench(['board', '--events', String(events), '--seconds', String(seconds)])) as BoardFigures;
}

export async function measureBoardScale(events: number, seconds: number): Promise<ScaleFigures> {
  const words = ['board-scale', '--events', String(events), '--seconds', String(seconds)];
  return (await otherBench(words)) as ScaleFigures;
}

export async function measureRivals(snapshotDir: string, seconds: number): Promise<RivalFigures> {
  return (await otherBench(['rivals', '--snapshot', snapshotDir, '--seconds', String(seconds)])) as RivalFigures;
}
