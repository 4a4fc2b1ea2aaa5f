import type { PredictionSubject } from '../../contract/declared/research.ts';
import { stateOf } from '../council/council-store.ts';
import type { Reader } from '../store/reader.ts';
import type { SubjectStanding } from './outcome.ts';
import { fulfilledTimes, type Stake, satisfiedTimes } from './prediction-store.ts';

/** What predictions are about, as the board knows it at one moment. */

type Subject = Pick<Stake, 'subject_type' | 'subject_id'>;

/** Standings of the subjects of some predictions, each read once. */
export class Subjects {
  readonly #standings: ReadonlyMap<string, SubjectStanding>;

  private constructor(standings: ReadonlyMap<string, SubjectStanding>) {
    this.#standings = standings;
  }

  static async of(db: Reader, subjects: readonly Subject[], now: number): Promise<Subjects> {
    const standings = new Map<string, SubjectStanding>();
    for (const [type, alike] of Map.groupBy(subjects, ({ subject_type }) => subject_type)) {
      const ids = [...new Set(alike.map(({ subject_id }) => subject_id))];
      for (const [id, standing] of await READERS[type](db, ids, now)) standings.set(`${type} ${id}`, standing);
    }
    return new Subjects(standings);
  }

  /** Null where there is no such subject. */
  standing({ subject_type, subject_id }: Subject): SubjectStanding | null {
    return this.#standings.get(`${subject_type} ${subject_id}`) ?? null;
  }
}

type ReadStandings = (
  db: Reader,
  ids: readonly string[],
  now: number,
) => Promise<Iterable<[id: string, SubjectStanding]>>;

const READERS: Record<PredictionSubject, ReadStandings> = {
  amendment: async (db, ids, now) => {
    const standings: [string, SubjectStanding][] = [];
    for (const id of ids) {
      const row = await db.byId('amendments', id);
      if (row === undefined) continue;
      const state = stateOf(row, now);
      // A later revert does not undo that it was ratified.
      const happened = state === 'ratified' || state === 'reverted';
      const ended = state === 'rejected' || state === 'expired';
      standings.push([id, { happenedAt: happened ? row.closes_at : null, closedAt: ended ? row.closes_at : null }]);
    }
    return standings;
  },
  rung: async (db, ids) => neverClosed(await satisfiedTimes(db, ids)),
  reality_request: async (db, ids) => neverClosed(await fulfilledTimes(db, ids)),
};

/** Standings of subjects that stay open until the event happens. */
function neverClosed(times: ReadonlyMap<string, number | null>): [string, SubjectStanding][] {
  return [...times].map(([id, happenedAt]) => [id, { happenedAt, closedAt: null }]);
}
