/** How many places there are, and how many one caller may hold. */
export interface PlaceBounds {
  places: number;
  /** Places of one subject; default no limit of its own. */
  perSubject?: number;
  /** Places of one group of subjects; default no limit of its own. */
  perGroup?: number;
}

/** Whose share of the places a request takes. */
export interface Holder {
  subject: string;
  group: string;
}

/** Why there is no place: all are taken, or as many as the caller may hold. */
export type NoPlace = 'full' | 'own';

/** Places that several processes of one service share. */
export interface SharedPlaces {
  /** Resolves with the function that gives the place back, or with why there is none. Never rejects. */
  enter(name: string, holder: Holder, bounds: PlaceBounds): Promise<(() => void) | NoPlace>;
}

/** Counts places by name. A place is known by its token, so that it can be given back from elsewhere. */
export class PlaceCounts {
  readonly #taken = new Map<number, { name: string; holder: Holder }>();
  #last = 0;

  /** The token of the place, or why there is none. */
  enter(name: string, holder: Holder, { places, perSubject, perGroup }: PlaceBounds): number | NoPlace {
    let [all, ofSubject, ofGroup] = [0, 0, 0];
    for (const taken of this.#taken.values()) {
      if (taken.name !== name) continue;
      all += 1;
      if (taken.holder.subject === holder.subject) ofSubject += 1;
      if (taken.holder.group === holder.group) ofGroup += 1;
    }
    if (ofSubject >= (perSubject ?? Number.POSITIVE_INFINITY)) return 'own';
    if (ofGroup >= (perGroup ?? Number.POSITIVE_INFINITY)) return 'own';
    if (all >= places) return 'full';
    this.#last += 1;
    this.#taken.set(this.#last, { name, holder });
    return this.#last;
  }

  /** A second call does nothing. */
  leave(token: number): void {
    this.#taken.delete(token);
  }
}
