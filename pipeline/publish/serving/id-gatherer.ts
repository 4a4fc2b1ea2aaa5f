import { ArrowFile, BINARY, binaryData, numberData, UINT8, UINT32 } from '../../../serving-image/arrow-file.ts';
import { ByteColumn, Growable } from '../../../serving-image/growable.ts';
import { foldId, ID_STANDINGS, type IdStanding } from '../../../snapshot-format/serving-columns.ts';
import { sortUtf8 } from './byte-order.ts';
import type { TrialParts } from './trial-parts.ts';

/** An entry of ids.arrow. */
export interface IdEntry {
  key: Buffer;
  standing: number;
  row: number;
}

/**
 * Gathers every id that leads to a trial. An NCT or ISRCTN number that a record declares leads to the trial that holds its
 * record, and to the trial that declares it only while nobody holds that record.
 */
export class IdGatherer {
  /** `<folded id> <standing> <row>` with padded numbers: sorted by bytes, the strings are in the file's order. */
  readonly #entries: string[] = [];

  add({ row, trial, registrations, identifiers }: TrialParts): void {
    const seen = new Set<string>();
    const enter = (id: string, standing: IdStanding): void => {
      const key = foldId(id);
      if (key === '' || seen.has(key)) return;
      seen.add(key);
      this.#entries.push(`${key} ${ID_STANDINGS.indexOf(standing)} ${String(row).padStart(10, '0')}`);
    };
    enter(trial.canonical_id, 'canonical');
    for (const alias of trial.aliases) enter(alias, 'alias');
    for (const registration of registrations) {
      enter(registration.id, 'registration');
      for (const alias of registration.aliases) enter(alias, 'registration');
    }
    for (const { type, value, role, inIndex } of identifiers) {
      const namesRecord = type === 'nct' || type === 'isrctn';
      if (role === 'declared' && !(namesRecord && inIndex)) enter(value, 'declared');
    }
    for (const { own } of registrations) for (const code of own.sponsorCodes) enter(code, 'sponsor-code');
  }

  /** Writes ids.arrow, sorted by key bytes, then standing, then row. The `reused` entries come in this order too. */
  write(path: string, reused: Iterable<IdEntry>): void {
    const fresh = this.#sorted();
    const keys = new ByteColumn();
    const standings = new Growable(Uint8Array);
    const rows = new Growable(Uint32Array);
    const enter = ({ key, standing, row }: IdEntry): void => {
      keys.appendBytes(key);
      standings.push(standing);
      rows.push(row);
    };
    let next = 0;
    for (const entry of reused) {
      for (let own = fresh[next]; own !== undefined && compareEntries(own, entry) < 0; own = fresh[++next]) enter(own);
      enter(entry);
    }
    for (const entry of fresh.slice(next)) enter(entry);
    using file = new ArrowFile(path, { key: BINARY, standing: UINT8, row: UINT32 });
    file.write([binaryData(keys.take()), numberData(standings.view()), numberData(rows.view())]);
    file.close();
  }

  /** Keys hold no white space, and a blank sorts before every character of a key. */
  #sorted(): IdEntry[] {
    return sortUtf8(this.#entries).map((entry) => {
      const [key, standing, row] = entry.split(' ') as [string, string, string];
      return { key: Buffer.from(key), standing: Number(standing), row: Number(row) };
    });
  }
}

function compareEntries(a: IdEntry, b: IdEntry): number {
  return Buffer.compare(a.key, b.key) || a.standing - b.standing || a.row - b.row;
}
