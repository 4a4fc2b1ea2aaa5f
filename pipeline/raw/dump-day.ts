import type { RegistryId } from '../../contract/ids.ts';
import { isRealDate } from '../../snapshot/format/words/dates.ts';
import { csvRow, isIsrctnCsv, isoDay } from './csv.ts';
import type { DumpDay } from './fetch-log.ts';
import type { Slice } from './slice.ts';

/** Where a registry writes a day into each record: `mark` finds the place fast, `pattern` reads the day there. */
interface DayMark {
  mark: string;
  pattern: RegExp;
}

/** Characters after a mark in which its day stands. */
const REACH = 400;

/** The last update of a record. */
const UPDATE: Record<RegistryId, DayMark> = {
  clinicaltrials_gov: {
    mark: '"lastUpdatePostDateStruct"',
    pattern: /^"lastUpdatePostDateStruct"\s*:\s*\{[^{}]{0,200}?"date"\s*:\s*"(\d{4}-\d{2}-\d{2})"/,
  },
  isrctn: { mark: 'lastUpdated=', pattern: /^lastUpdated=["'](\d{4}-\d{2}-\d{2})[T"']/ },
};

/** The day of the registry's data that a record of ClinicalTrials.gov was served from; ISRCTN states none. */
const HOLDER: DayMark = { mark: '"versionHolder"', pattern: /^"versionHolder"\s*:\s*"(\d{4}-\d{2}-\d{2})"/ };

/** Day of a record's last update, YYYY-MM-DD; null where it states none. */
function updateDay(registry: RegistryId, payload: Buffer): string | null {
  if (registry === 'isrctn' && isIsrctnCsv(payload.toString('latin1', 0, 16))) {
    const row = csvRow(payload.toString('utf8'));
    return (row instanceof Map && isoDay(row.get('Record last updated') ?? '')) || null;
  }
  return dayAt(payload, UPDATE[registry]);
}

function dayAt(payload: Buffer, { mark, pattern }: DayMark): string | null {
  const at = payload.indexOf(mark);
  return at === -1 ? null : (pattern.exec(payload.toString('latin1', at, at + REACH))?.[1] ?? null);
}

/** The newest days in the records of a dump. A day after its import is a fault of the record and does not count. */
export class NewestDays {
  readonly #registry: RegistryId;
  readonly #today: string;
  #stated = '';
  #update = '';

  constructor(registry: RegistryId, today: string) {
    this.#registry = registry;
    this.#today = today;
  }

  /** Returns how many slices there are. */
  note(slices: readonly Slice[]): number {
    for (const slice of slices) {
      if (!slice.ok) continue;
      if (this.#registry === 'clinicaltrials_gov') this.#stated = this.#newer(this.#stated, dayAt(slice.bytes, HOLDER));
      this.#update = this.#newer(this.#update, updateDay(this.#registry, slice.bytes));
    }
    return slices.length;
  }

  /** Null when no record states a day. */
  day(): DumpDay | null {
    if (this.#stated === '' && this.#update === '') return null;
    return this.#stated >= this.#update
      ? { day: this.#stated, from: 'stated' }
      : { day: this.#update, from: 'newest-update' };
  }

  #newer(known: string, day: string | null): string {
    return day !== null && day > known && day <= this.#today && isRealDate(day) ? day : known;
  }
}

/** The first instant of a dump's day, which stands for the time at which its file was read. */
export function instantOf({ day }: DumpDay): string {
  return `${day}T00:00:00.000Z`;
}
