import { EVIDENCE_RECHECKS_AT_ONCE } from '../../contract/limits-research.ts';
import type { Board } from '../store/board.ts';
import { toMicros } from '../store/instants.ts';
import { insertCheck, standingsOf } from './evidence-check-store.ts';
import { checkSource, isDue, type SourceIndexes } from './sources.ts';

/** Asks about sources and keeps what was said; each source once at a time, and for reads only so many at once. */
export class SourceChecker {
  readonly #underWay = new Map<string, Promise<void>>();

  /** Resolves once the source has a check that is recent enough; rejects as the store does. May take seconds. */
  refresh(board: Board, source: string, indexes: SourceIndexes): Promise<void> {
    const running = this.#underWay.get(source);
    if (running !== undefined) return running;
    // It outlives the request that began it: others may wait for it, and its answer is kept.
    const asked = refreshed(board, source, indexes).finally(() => this.#underWay.delete(source));
    this.#underWay.set(source, asked);
    return asked;
  }

  /** Refreshes for a read: it goes on without an answer where many others ask, or where nothing can be written. */
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
