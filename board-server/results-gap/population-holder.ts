import { readCurrent, snapshotPath } from '../../snapshot-format/current.ts';
import { Population } from './population.ts';

export interface PopulationHolderOptions {
  /** Holds the snapshot directories and CURRENT. */
  snapshotsDir: string;
  /** Told once of each fault; the population before it stays. */
  onFault: (error: Error) => void;
}

const POLL_INTERVAL_MS = 1000;

/** Follows CURRENT as the index does, and holds the population of the snapshot that it names. */
export class PopulationHolder implements Disposable {
  readonly #options: PopulationHolderOptions;
  #population: Population | null = null;
  #snapshot: string | null = null;
  #fault: string | null = null;
  #timer: NodeJS.Timeout | null = null;
  #checking: Promise<void> | null = null;

  constructor(options: PopulationHolderOptions) {
    this.#options = options;
  }

  /** Checks now and then once a second until disposed. */
  static async follow(options: PopulationHolderOptions): Promise<PopulationHolder> {
    const holder = new PopulationHolder(options);
    await holder.check();
    holder.#timer = setInterval(() => void holder.check(), POLL_INTERVAL_MS);
    holder.#timer.unref();
    return holder;
  }

  /** Null before the first snapshot, and for a snapshot that holds no population. */
  get current(): Population | null {
    return this.#population;
  }

  /** Never rejects: a fault is reported. */
  check(): Promise<void> {
    this.#checking ??= this.#check().finally(() => {
      this.#checking = null;
    });
    return this.#checking;
  }

  [Symbol.dispose](): void {
    if (this.#timer !== null) clearInterval(this.#timer);
  }

  async #check(): Promise<void> {
    const { snapshotsDir, onFault } = this.#options;
    try {
      const version = await readCurrent(snapshotsDir);
      if (version !== null && version !== this.#snapshot) {
        this.#population = await Population.open(snapshotPath(snapshotsDir, version), version);
        this.#snapshot = version;
      }
      this.#fault = null;
    } catch (error) {
      const fault = error instanceof Error ? error : new Error(String(error));
      if (fault.message !== this.#fault) onFault(fault);
      this.#fault = fault.message;
    }
  }
}
