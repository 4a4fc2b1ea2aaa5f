import { foldId, ID_STANDINGS, type IdStanding } from '../../../snapshot-format/serving-columns.ts';
import { ArrowFile, BINARY, binaryData, numberData, UINT8, UINT32 } from './arrow-file.ts';
import { compareUtf8 } from './byte-order.ts';
import { ByteColumn } from './growable.ts';
import type { TrialParts } from './trial-parts.ts';

/** Gathers every id that leads to a trial. NCT and ISRCTN numbers that a record merely declares lead nowhere. */
export class IdGatherer {
  /** `<folded id> <standing> <row>`, the numbers padded, so that the byte order of the strings is the file's order. */
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
    for (const { type, value, role } of identifiers) {
      if (role === 'declared' && type !== 'nct' && type !== 'isrctn') enter(value, 'declared');
    }
  }

  /** Writes ids.arrow sorted by key bytes, then standing, then row. */
  write(path: string): void {
    // Keys hold no white space, and a blank sorts before every other character of a key.
    this.#entries.sort(compareUtf8);
    const keys = new ByteColumn();
    const standings = new Uint8Array(this.#entries.length);
    const rows = new Uint32Array(this.#entries.length);
    for (const [place, entry] of this.#entries.entries()) {
      const [key, standing, row] = entry.split(' ') as [string, string, string];
      keys.appendText(key);
      standings[place] = Number(standing);
      rows[place] = Number(row);
    }
    using file = new ArrowFile(path, { key: BINARY, standing: UINT8, row: UINT32 });
    file.write([binaryData(keys.take()), numberData(standings), numberData(rows)]);
    file.close();
  }
}
