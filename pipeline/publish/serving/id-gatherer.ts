import { foldId, ID_STANDINGS, type IdStanding } from '../../../snapshot/format/serving-columns.ts';
import { ArrowFile, BINARY, binaryData, numberData, UINT8, UINT32 } from '../../../snapshot/image/arrow-file.ts';
import { ByteColumn, Growable } from '../../../snapshot/image/growable.ts';
import type { SortedKeys } from '../../../snapshot/image/sorted-keys.ts';
import { sortUtf8 } from './byte-order.ts';
import type { TrialParts } from './trial-parts.ts';

/** An entry of ids.arrow. */
interface IdEntry {
  key: Buffer;
  standing: number;
  row: number;
}

/** The entries of a parent's ids.arrow, in its order. */
export interface ReusedIds {
  keys: SortedKeys;
  standings: Uint8Array;
  /** In the new image; -1 for an entry that is left out. */
  rows: Int32Array;
}

/**
 * Gathers every id that leads to a trial. An NCT or ISRCTN number that a record declares leads to the trial that holds its
 * record, and to the trial that declares it only while nobody holds that record.
 */
export class IdGatherer {
  /** `<folded id> <standing> <row>` with padded numbers: sorted by bytes, the strings are in the file's order. */
  readonly #entries: string[] = [];

  /** `superseded` are the records of the trial that count no more. */
  add({ row, trial, registrations, identifiers }: TrialParts, superseded: readonly TrialParts[] = []): void {
    const seen = new Set<string>();
    const enter = (id: string, standing: IdStanding): void => {
      const key = foldId(id);
      if (key === '' || seen.has(key)) return;
      seen.add(key);
      this.#entries.push(`${key} ${ID_STANDINGS.indexOf(standing)} ${String(row).padStart(10, '0')}`);
    };
    enter(trial.canonical_id, 'canonical');
    for (const alias of trial.aliases) enter(alias, 'alias');
    const former = superseded.flatMap((record) => record.registrations);
    for (const { id } of registrations) enter(id, 'registration');
    for (const { id } of former) enter(id, 'superseded');
    const stated = [...identifiers, ...superseded.flatMap((record) => record.identifiers)];
    for (const alias of [...registrations, ...former].flatMap(({ aliases }) => aliases)) {
      const meant = stated.find(({ role, value }) => role === 'alias' && value === alias);
      if (meant === undefined || meant.canonicalId === trial.canonical_id) enter(alias, 'registration');
      // Another trial holds the record of this number where it is in the index.
      else if (!meant.inIndex) enter(alias, 'claimed');
    }
    for (const { type, value, role, inIndex } of identifiers) {
      const namesRecord = type === 'nct' || type === 'isrctn';
      if (role === 'declared' && !(namesRecord && inIndex)) enter(value, 'declared');
    }
    for (const { own } of registrations) for (const code of own.sponsorCodes) enter(code, 'sponsor-code');
  }

  /** Writes ids.arrow, sorted by key bytes, then standing, then row. */
  write(path: string, reused: ReusedIds | null): void {
    const written = new IdColumns();
    let copied = 0;
    for (const entry of this.#sorted()) {
      if (reused !== null) {
        const place = placeOf(entry, reused);
        written.copy(reused, copied, place);
        copied = place;
      }
      written.add(entry);
    }
    if (reused !== null) written.copy(reused, copied, reused.rows.length);
    written.write(path);
  }

  /** Keys hold no white space, and a blank sorts before every character of a key. */
  #sorted(): IdEntry[] {
    return sortUtf8(this.#entries).map((entry) => {
      const [key, standing, row] = entry.split(' ') as [string, string, string];
      return { key: Buffer.from(key), standing: Number(standing), row: Number(row) };
    });
  }
}

/** The columns of ids.arrow. Nearly all entries are copied, in long runs. */
class IdColumns {
  readonly #keys = new ByteColumn();
  readonly #standings = new Growable(Uint8Array);
  readonly #rows = new Growable(Uint32Array);

  add({ key, standing, row }: IdEntry): void {
    this.#keys.appendBytes(key);
    this.#standings.push(standing);
    this.#rows.push(row);
  }

  /** Copies the entries from place `from` to before `to` that are not left out. */
  copy({ keys, standings, rows }: ReusedIds, from: number, to: number): void {
    for (let at = from; at < to; at++) {
      if ((rows[at] as number) < 0) continue;
      const first = at;
      while (at < to && (rows[at] as number) >= 0) at++;
      this.#keys.appendRows(keys, first, at - first);
      this.#standings.pushAll(standings.subarray(first, at));
      this.#rows.pushAll(rows.subarray(first, at));
    }
  }

  write(path: string): void {
    using file = new ArrowFile(path, { key: BINARY, standing: UINT8, row: UINT32 });
    file.write([binaryData(this.#keys.take()), numberData(this.#standings.view()), numberData(this.#rows.view())]);
    file.close();
  }
}

/** Place of the first reused entry behind which `entry` does not come. */
function placeOf(entry: IdEntry, { keys, standings, rows }: ReusedIds): number {
  const isBefore = (place: number): boolean =>
    (Buffer.compare(keys.at(place), entry.key) || (standings[place] as number) - entry.standing) < 0;
  let low = 0;
  let high = rows.length;
  while (low < high) {
    const middle = (low + high) >>> 1;
    if (isBefore(middle)) low = middle + 1;
    else high = middle;
  }
  // Of equal keys and standings the few rows are looked through: one that is left out has lost its place among them.
  let place = low;
  while (
    place < rows.length &&
    keys.at(place).equals(entry.key) &&
    standings[place] === entry.standing &&
    (rows[place] as number) < entry.row
  )
    place++;
  return place;
}
