import type { SnapshotImage } from '../../snapshot/snapshot-image.ts';
import { type ClassCounts, CODES_PER_ROW_LOG2, type LandscapeCodes } from './landscape-codes.ts';
import type { CountedValues } from './quantiles.ts';
import type { Tally } from './tally.ts';

/** All counts of a landscape, for one image and one day. */
export class LandscapeTally implements Tally<LandscapeTally> {
  readonly #image: SnapshotImage;
  readonly #codes: LandscapeCodes;
  trials = 0;
  readonly #classes: Uint32Array;
  readonly #presences: Uint32Array;
  /** First the trials without a sponsor, then the trials of each sponsor by its number. */
  readonly #sponsors: Uint32Array;
  readonly #enrollments: Uint32Array;

  /** The codes must be complete. */
  constructor(image: SnapshotImage, codes: LandscapeCodes, from: LandscapeTally | null = null) {
    this.#image = image;
    this.#codes = codes;
    this.trials = from?.trials ?? 0;
    this.#classes = from === null ? new Uint32Array(codes.classCount) : from.#classes.slice();
    this.#presences = from === null ? new Uint32Array(codes.presenceCount) : from.#presences.slice();
    this.#sponsors = from === null ? new Uint32Array(image.sponsorCount + 1) : from.#sponsors.slice();
    this.#enrollments = from === null ? new Uint32Array(codes.enrollmentCount) : from.#enrollments.slice();
  }

  copy(): LandscapeTally {
    return new LandscapeTally(this.#image, this.#codes, this);
  }

  count(rows: Uint32Array, step: 1 | -1): void {
    const { codes } = this.#codes;
    const classes = this.#classes;
    const presences = this.#presences;
    const sponsors = this.#sponsors;
    const enrollments = this.#enrollments;
    for (let at = 0; at < rows.length; at++) {
      // As a signed number it stays a small integer to the engine.
      const place = ((rows[at] as number) | 0) << CODES_PER_ROW_LOG2;
      const inClass = codes[place] as number;
      const presence = codes[place + 1] as number;
      const sponsor = codes[place + 2] as number;
      const enrollment = codes[place + 3] as number;
      classes[inClass] = (classes[inClass] as number) + step;
      presences[presence] = (presences[presence] as number) + step;
      sponsors[sponsor] = (sponsors[sponsor] as number) + step;
      enrollments[enrollment] = (enrollments[enrollment] as number) + step;
    }
    this.trials += step * rows.length;
  }

  /** Trials for each value of the class fields. */
  values(): ClassCounts {
    return this.#codes.unfold(this.#classes);
  }

  /** Trials of each sponsor, by the sponsor's number. */
  sponsors(): Uint32Array {
    return this.#sponsors.subarray(1);
  }

  enrollment(): CountedValues {
    return this.#codes.enrollmentOf(this.#enrollments);
  }

  /** For each of the first `fields` fields: the registrations of a registry that state it. */
  stated(registry: 0 | 1, fields: number): Uint32Array {
    const counts = new Uint32Array(fields);
    for (let number = 0; number < this.#presences.length; number++) {
      const trials = this.#presences[number] as number;
      if (trials === 0) continue;
      const mask = this.#codes.maskOf(number, registry);
      for (let bit = 0; bit < fields; bit++) {
        if (((mask >>> bit) & 1) === 1) counts[bit] = (counts[bit] as number) + trials;
      }
    }
    return counts;
  }
}
