import { EVIDENCE_RECHECKS_AT_ONCE } from '../../contract/limits/research.ts';
import type { Board } from '../store/board.ts';
import { toMicros } from '../store/instants.ts';
import { insertCheck, standingsOf } from './evidence-check-store.ts';
import { checkSource, isDue, type SourceIndexes } from './sources.ts';

/**
 * Asks about sources and stores the answers. No source is asked about twice at a time, and reads cause only a few
 * questions at a time.
 */
export class SourceChecker {
  readonly #underWay = new Map<string, Promise<void>>();

  /** Resolves once the source has a check that is recent enough; rejects as the store does. May take seconds. */
  refresh(board: Board, source: string, indexes: SourceIndexes): Promise<void> {
    const running = this.#underWay.get(source);
    if (running !== undefined) return running;
    // The question outlives the request that began it: others may wait for it, and its answer is stored.
    const asked = refreshed(board, source, indexes).finally(() => this.#underWay.delete(source));
    this.#underWay.set(source, asked);
    return asked;
  }

  /**
   * Refreshes for a read, which goes on without an answer where many questions are under way or nothing can be written.
   */
  async refreshForRead(board: Board, source: string, indexes: SourceIndexes): Promise<void> {
    if (!this.#underWay.has(source) && this.#underWay.size >= EVIDENCE_RECHECKS_AT_ONCE) return;
    await this.refresh(board, source, indexes).catch(() => undefined);
  }
}

async function refreshed(board: Board, source: string, indexes: SourceIndexes): Promise<void> {
  const now = board.effects.now();
  const standing = (await standingsOf(board.read, [source])).get(source)!;
  if (!isDue(standing, toMicros(now))) return;
  const check = await checkSource(source, indexes, now);
  await board.write((tx) => insertCheck(tx, source, check, tx.now));
}
