import { foldId, ID_STANDINGS, type IdStanding } from '../../../snapshot/format/serving-columns.ts';
import { binaryData, numberData, writeColumns } from '../../../snapshot/image/arrow-file.ts';
import { ByteColumn, Growable } from '../../../snapshot/image/growable.ts';
import { sortUtf8 } from './byte-order.ts';
import type { TrialParts } from './trial-parts.ts';

/**
 * Gathers every id that leads to a trial. An NCT or ISRCTN number that a record declares leads to the trial that holds its
 * record, and to the trial that declares it only while nobody holds that record.
 */
export class IdGatherer {
  /** `<folded id> <standing> <row>` with padded numbers: sorted by bytes, the strings are in the file's order. */
  readonly #entries: string[] = [];

  add({ row, canonicalId, aliases, registrations, identifiers, superseded }: TrialParts): void {
    const seen = new Set<string>();
    const enter = (id: string, standing: IdStanding): void => {
      const key = foldId(id);
      if (key === '' || seen.has(key)) return;
      seen.add(key);
      this.#entries.push(`${key} ${ID_STANDINGS.indexOf(standing)} ${String(row).padStart(10, '0')}`);
    };
    enter(canonicalId, 'canonical');
    for (const alias of aliases) enter(alias, 'alias');
    const former = superseded.flatMap((one) => one.registrations);
    for (const { record } of registrations) enter(record.id, 'registration');
    for (const { record } of former) enter(record.id, 'superseded');
    const stated = [...identifiers, ...superseded.flatMap((one) => one.identifiers)];
    for (const alias of [...registrations, ...former].flatMap(({ record }) => record.aliases)) {
      const meant = stated.find(({ role, value }) => role === 'alias' && value === alias);
      if (meant === undefined || meant.canonicalId === canonicalId) enter(alias, 'registration');
      // Another trial holds the record of this number where it is in the index.
      else if (!meant.inIndex) enter(alias, 'claimed');
    }
    for (const { type, value, role, inIndex } of identifiers) {
      const namesRecord = type === 'nct' || type === 'isrctn';
      if (role === 'declared' && !(namesRecord && inIndex)) enter(value, 'declared');
    }
    for (const { sponsorCodes } of registrations) for (const code of sponsorCodes) enter(code, 'sponsor-code');
  }

  /** Writes ids.arrow, sorted by key bytes, then standing, then row. Keys hold no white space, and a blank sorts before every character of a key. */
  write(path: string): void {
    const keys = new ByteColumn();
    const standings = new Growable(Uint8Array);
    const rows = new Growable(Uint32Array);
    for (const entry of sortUtf8(this.#entries)) {
      const [key, standing, row] = entry.split(' ') as [string, string, string];
      keys.appendText(key);
      standings.push(Number(standing));
      rows.push(Number(row));
    }
    writeColumns(path, {
      key: binaryData(keys.view()),
      standing: numberData(standings.view()),
      row: numberData(rows.view()),
    });
  }
}
