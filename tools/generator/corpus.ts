import type { RegistryId } from '../../contract/ids.ts';
import { eudractNumber, isrctnId, MAX_CTGOV, MAX_ISRCTN, nctId } from './ids.ts';
import { Random, STREAM } from './random.ts';
import type { Change, RecordPlan } from './record-plan.ts';
import { readTemplates, type Templates } from './templates.ts';
import { varyStudy } from './vary-study.ts';
import { varyTrial } from './vary-trial.ts';

export interface CorpusOptions {
  /** Any 32-bit integer; the same options give the same bytes on every machine. */
  seed: number;
  /** Studies of ClinicalTrials.gov on day 0. */
  ctgov: number;
  /** Trials of ISRCTN on day 0. */
  isrctn: number;
  /** `small` (default): as in the sample, about 4 kB a study; `real`: the registries' long-tailed sizes, about 17 kB on average. */
  bodySize?: 'small' | 'real';
  /** 1: the same corpus a day later, see `changed`. */
  day?: 0 | 1;
}

/** Share of ISRCTN trials that ClinicalTrials.gov holds as well (38 of 270 trials counted by hand in a public study). */
const OVERLAP = 0.14;
/** Share of records that the second day changes. */
const CHANGED = 0.005;
/** Share of records that the second day adds, at least one in each registry. */
const ADDED = 0.0004;
const CHANGES: readonly Change[] = ['status', 'enrolment', 'dates'];

/**
 * A synthetic corpus in the registries' own formats: record i is a record of the sample, drawn and varied by (seed, i)
 * alone, so nothing is kept and any part can be made without the rest. Throws RangeError for counts it cannot serve.
 */
export class Corpus {
  /** Number of records of each registry on this day. */
  readonly counts: { ctgov: number; isrctn: number };
  readonly #options: CorpusOptions;
  readonly #templates: Templates;
  /** Trial j of ISRCTN may meet study j * stride. */
  readonly #stride: number;

  constructor(options: CorpusOptions) {
    checkCount('ctgov', options.ctgov, MAX_CTGOV);
    checkCount('isrctn', options.isrctn, MAX_ISRCTN);
    const added = (count: number): number => (options.day === 1 ? Math.max(1, Math.round(count * ADDED)) : 0);
    this.#options = options;
    this.#templates = readTemplates();
    this.#stride = Math.max(1, Math.floor(options.ctgov / Math.max(1, options.isrctn)));
    this.counts = { ctgov: options.ctgov + added(options.ctgov), isrctn: options.isrctn + added(options.isrctn) };
  }

  /** One API v2 study as JSON text each. */
  *ctgov(): Generator<string> {
    for (let index = 0; index < this.counts.ctgov; index++) yield this.study(index);
  }

  /** One `<fullTrial>…</fullTrial>` each. */
  *isrctn(): Generator<string> {
    for (let index = 0; index < this.counts.isrctn; index++) yield this.trial(index);
  }

  study(index: number): string {
    const plan = this.#plan('clinicaltrials_gov', index);
    return varyStudy(plan.random.pick(this.#templates.studies), plan);
  }

  trial(index: number): string {
    const plan = this.#plan('isrctn', index);
    return varyTrial(plan.random.pick(this.#templates.trials), plan);
  }

  /** Places of the records that are new or changed on day 1. */
  changed(registry: RegistryId): number[] {
    const { known, all } = this.#sizes(registry);
    return Array.from({ length: all }, (_, index) => index).filter(
      (index) => index >= known || this.#changeOf(registry, index) !== null,
    );
  }

  #sizes(registry: RegistryId): { known: number; all: number } {
    const name = registry === 'isrctn' ? 'isrctn' : 'ctgov';
    return { known: this.#options[name], all: this.counts[name] };
  }

  #plan(registry: RegistryId, index: number): RecordPlan {
    const { known, all } = this.#sizes(registry);
    if (!Number.isInteger(index) || index < 0 || index >= all)
      throw new RangeError(`place ${index}: the corpus has places 0 to ${all - 1}`);
    return {
      random: new Random(this.#options.seed, STREAM[registry], index),
      id: registry === 'isrctn' ? isrctnId(index) : nctId(index),
      link: registry === 'isrctn' ? this.#linkOfTrial(index) : this.#linkOfStudy(index),
      change: this.#options.day === 1 && index < known ? this.#changeOf(registry, index) : null,
      isNew: index >= known,
      real: this.#options.bodySize === 'real',
      sentences: this.#templates.sentences,
    };
  }

  #changeOf(registry: RegistryId, index: number): Change | null {
    const random = new Random(this.#options.seed, STREAM.change + STREAM[registry], index);
    return random.chance(CHANGED) ? random.pick(CHANGES) : null;
  }

  /** Most links are declared by ISRCTN alone, some by both, some by an EudraCT number that both state; the shares are a guess. */
  #overlapKind(trial: number): 'declared' | 'mutual' | 'eudract' | null {
    if (trial >= this.#options.isrctn || trial * this.#stride >= this.#options.ctgov) return null;
    const random = new Random(this.#options.seed, STREAM.overlap, trial);
    if (!random.chance(OVERLAP)) return null;
    const share = random.fraction();
    return share < 0.74 ? 'declared' : share < 0.92 ? 'mutual' : 'eudract';
  }

  #linkOfTrial(trial: number): RecordPlan['link'] {
    const kind = this.#overlapKind(trial);
    if (kind === null) return {};
    return kind === 'eudract' ? { eudract: eudractNumber(trial) } : { other: nctId(trial * this.#stride) };
  }

  #linkOfStudy(study: number): RecordPlan['link'] {
    if (study % this.#stride !== 0) return {};
    const trial = study / this.#stride;
    const kind = this.#overlapKind(trial);
    if (kind === 'eudract') return { eudract: eudractNumber(trial) };
    return kind === 'mutual' ? { other: isrctnId(trial) } : {};
  }
}

function checkCount(name: string, count: number, most: number): void {
  // The second day needs a few numbers beyond the first.
  if (!Number.isInteger(count) || count < 0 || count > most - 2000)
    throw new RangeError(`${name} ${count}: give a whole number from 0 to ${most - 2000}`);
}
