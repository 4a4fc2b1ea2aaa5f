import type { RegistryId } from '../../contract/ids.ts';
import { isRealDate } from '../../snapshot/format/words/dates.ts';
import { csvRow, isIsrctnCsv, isoDay } from './csv.ts';
import type { DumpDay } from './fetch-log.ts';
import type { Slice } from './slice.ts';

/** Places of days in a record: a text that is found fast, and the pattern that reads the day from there on. */
const CTGOV_UPDATE = ['"lastUpdatePostDateStruct"', /^.[^{]*\{[^{}]*?"date"\s*:\s*"(\d{4}-\d{2}-\d{2})"/] as const;
/** The day of the registry's data that a record of ClinicalTrials.gov was served from; ISRCTN states none. */
const CTGOV_DATA = ['"versionHolder"', /^"versionHolder"\s*:\s*"(\d{4}-\d{2}-\d{2})"/] as const;
const ISRCTN_UPDATE = ['lastUpdated=', /^lastUpdated=["'](\d{4}-\d{2}-\d{2})[T"']/] as const;
/** Characters after the text in which its day stands. */
const REACH = 400;

function dayAt(payload: Buffer, [text, pattern]: readonly [string, RegExp]): string {
  const at = payload.indexOf(text);
  return at === -1 ? '' : (pattern.exec(payload.toString('latin1', at, at + REACH))?.[1] ?? '');
}

/** The day of an ISRCTN record's last update; empty where it states none. */
function isrctnUpdate(payload: Buffer): string {
  if (!isIsrctnCsv(payload.toString('latin1', 0, 16))) return dayAt(payload, ISRCTN_UPDATE);
  const row = csvRow(payload.toString('utf8'));
  return row instanceof Map ? isoDay(row.get('Record last updated') ?? '') : '';
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

  note(slice: Slice): void {
    if (!slice.ok) return;
    const isCtgov = this.#registry === 'clinicaltrials_gov';
    if (isCtgov) this.#stated = this.#newer(this.#stated, dayAt(slice.bytes, CTGOV_DATA));
    const update = isCtgov ? dayAt(slice.bytes, CTGOV_UPDATE) : isrctnUpdate(slice.bytes);
    this.#update = this.#newer(this.#update, update);
  }

  /** Null when no record states a day. */
  day(): DumpDay | null {
    if (this.#stated === '' && this.#update === '') return null;
    return this.#stated >= this.#update
      ? { day: this.#stated, from: 'stated' }
      : { day: this.#update, from: 'newest-update' };
  }

  #newer(known: string, day: string): string {
    return day > known && day <= this.#today && isRealDate(day) ? day : known;
  }
}

/** The first instant of a dump's day, which stands for the time at which its file was read. */
export function instantOf({ day }: DumpDay): string {
  return `${day}T00:00:00.000Z`;
}
