import type { AssignmentKind } from '../../contract/ids.ts';
import { toMicros } from '../store/instants.ts';
import type { Reader } from '../store/reader.ts';
import { type CandidateCounts, NO_COUNTS } from './assignment.ts';
import { findingCounts, headTime, laterMessages, liveClaimCounts, messageCounts } from './count-store.ts';

type Work = { kind: AssignmentKind; id: string };

interface Observation {
  countsOf(candidate: Work): CandidateCounts;
  /** Microseconds of the newest event, read before the counts: whatever the counts miss comes after it in the feed. */
  head: number | null;
}

/**
 * The counts that the assignment is computed from, for every objective and question at once. Between two reads it keeps
 * what cannot have changed: messages are append-only, so only later ones are counted. It is a cache: everything in it
 * can be read again from the store.
 */
export class CandidateObserver {
  readonly #messages = new Map<string, number>();
  #messagesUpTo = 0;

  /** Rejects as the store does. */
  async observe(db: Reader, now: Date): Promise<Observation> {
    const head = await headTime(db);
    const claims = await liveClaimCounts(db, toMicros(now));
    const findings = await findingCounts(db);
    await this.#readMessages(db);
    const counts = new Map<string, CandidateCounts>();
    const of = (work: Work): CandidateCounts => {
      const known = counts.get(keyOf(work)) ?? { ...NO_COUNTS };
      counts.set(keyOf(work), known);
      return known;
    };
    for (const entry of claims) of(entry).liveClaims += entry.count;
    for (const entry of findings) {
      if (entry.status !== 'withdrawn') of(entry).findings += entry.count;
      if (entry.status === 'corroborated') of(entry).corroborated += entry.count;
    }
    const messages = new Map(this.#messages);
    const countsOf = (work: Work) => ({
      ...(counts.get(keyOf(work)) ?? NO_COUNTS),
      messages: messages.get(keyOf(work)) ?? 0,
    });
    return { countsOf, head };
  }

  /** Adds what was posted since the last read; a page that another read has added meanwhile is read again from there. */
  async #readMessages(db: Reader): Promise<void> {
    for (;;) {
      const from = this.#messagesUpTo;
      const page = from === 0 ? await messageCounts(db) : await laterMessages(db, from);
      if (from !== this.#messagesUpTo) continue;
      for (const entry of page.counts) {
        this.#messages.set(keyOf(entry), (this.#messages.get(keyOf(entry)) ?? 0) + entry.count);
      }
      this.#messagesUpTo = page.upTo;
      if (!('isLastPage' in page) || page.isLastPage) return;
    }
  }
}

function keyOf({ kind, id }: Work): string {
  return `${kind} ${id}`;
}
