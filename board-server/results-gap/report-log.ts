import type { Independence } from '../../contract/independence.ts';
import type { Reader } from '../store/reader.ts';
import { CHECKS_PAGE, checksAfter } from './report-store.ts';
import { type CheckedReport, type ConfirmedReport, confirmations, isTied } from './state.ts';

/** What is known of one trial that was reported on. */
export interface TrialStanding {
  reports: readonly CheckedReport[];
  /** Reports that are confirmed, in the order in which they came. */
  confirmed: readonly ConfirmedReport[];
  /** Whether a publication is confirmed. */
  reconnected: boolean;
  /** Whether the literature ties a confirmed publication to the trial; agreement of agents alone does not. */
  tied: boolean;
  /** Whether it is confirmed that searches find nothing. */
  nothingPublished: boolean;
  /** Reports that wait for another agent; none once a publication is confirmed. */
  openLeads: readonly CheckedReport[];
}

/**
 * The standing of every trial that was reported on, computed from the stored reports. It keeps what it has read, as
 * reports and checks are only ever added: a shortcut, never the only copy.
 */
export class ReportLog {
  readonly independence: Independence;
  readonly #standings = new Map<string, TrialStanding>();
  readonly #reportsOf = new Map<string, Map<string, CheckedReport>>();
  readonly #agents = new Set<string>();
  readonly #groups = new Set<string>();
  #reports = 0;
  #upTo = 0;
  #reading: Promise<void> | null = null;

  constructor(independence: Independence) {
    this.independence = independence;
  }

  /** Reads what was stored since the last time. Rejects as the store does. */
  refresh(db: Reader): Promise<void> {
    // A refresh under way may have begun before the caller's own write: it is waited for, then another is made.
    const after = this.#reading ?? Promise.resolve();
    const reading = after.catch(() => undefined).then(() => this.#read(db));
    this.#reading = reading;
    return reading;
  }

  /** Changes whenever a standing does. */
  get version(): number {
    return this.#upTo;
  }

  get reports(): number {
    return this.#reports;
  }

  get agents(): number {
    return this.#agents.size;
  }

  get groups(): number {
    return this.#groups.size;
  }

  standings(): IterableIterator<[nctId: string, TrialStanding]> {
    return this.#standings.entries();
  }

  /** Undefined for a trial without a report. */
  standingOf(nctId: string): TrialStanding | undefined {
    return this.#standings.get(nctId);
  }

  async #read(db: Reader): Promise<void> {
    const touched = new Set<string>();
    for (let isLast = false; !isLast; ) {
      const page = await checksAfter(db, this.#upTo);
      for (const { row: _row, latest: _latest, number: _number, ...report } of page) {
        touched.add(report.nctId);
        this.#keep(report);
      }
      this.#upTo = page.at(-1)?.check ?? this.#upTo;
      isLast = page.length < CHECKS_PAGE;
      for (const nctId of touched) {
        this.#standings.set(nctId, standing([...this.#reportsOf.get(nctId)!.values()], this.independence));
      }
      touched.clear();
    }
  }

  #keep(report: CheckedReport): void {
    const known = this.#reportsOf.get(report.nctId) ?? new Map<string, CheckedReport>();
    this.#reportsOf.set(report.nctId, known);
    if (!known.has(report.id)) this.#reports += 1;
    known.set(report.id, report);
    this.#agents.add(report.agentKey);
    this.#groups.add(report.group);
  }
}

export function standing(reports: readonly CheckedReport[], independence: Independence): TrialStanding {
  const confirmedById = confirmations(reports, independence);
  const confirmed = [...confirmedById.values()];
  const reconnected = confirmed.some(({ report }) => report.outcome === 'publication');
  return {
    reports,
    confirmed,
    reconnected,
    tied: confirmed.some(({ report }) => isTied(report)),
    nothingPublished: confirmed.length > 0 && !reconnected,
    openLeads: reconnected ? [] : reports.filter(({ id }) => !confirmedById.has(id)),
  };
}
