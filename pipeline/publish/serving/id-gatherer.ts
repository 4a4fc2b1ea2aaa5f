import { ArrowFile, BINARY, binaryData, numberData, UINT8, UINT32 } from '../../../serving-image/arrow-file.ts';
import { ByteColumn, Growable } from '../../../serving-image/growable.ts';
import { foldId, ID_STANDINGS, type IdStanding } from '../../../snapshot-format/serving-columns.ts';
import { sortUtf8 } from './byte-order.ts';
import type { TrialParts } from './trial-parts.ts';

/** ids.arrow of a parent's image, and the new row of each of its rows (-1 for none). */
export interface InheritedIds {
  bytes: Buffer;
  offsets: Int32Array;
  standings: Uint8Array;
  rows: Uint32Array;
  rowMap: Int32Array;
}

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

  /**
   * Writes ids.arrow sorted by key bytes, then standing, then row: what was gathered, and the entries of a parent's image
   * whose rows are taken over. Rows taken over keep their order, so its entries are in order already.
   */
  write(path: string, inherited: InheritedIds | null): void {
    const fresh = this.#sorted();
    const keys = new ByteColumn();
    const standings = new Growable(Uint8Array);
    const rows = new Growable(Uint32Array);
    let next = 0;
    const enter = (key: Uint8Array, standing: number, row: number): void => {
      keys.appendBytes(key);
      standings.push(standing);
      rows.push(row);
    };
    const enterFreshBefore = (key: Buffer | null, standing: number, row: number): void => {
      for (let entry = fresh[next]; entry !== undefined; entry = fresh[++next]) {
        const order =
          key === null ? -1 : Buffer.compare(entry.key, key) || entry.standing - standing || entry.row - row;
        if (order > 0) return;
        enter(entry.key, entry.standing, entry.row);
      }
    };
    const held = inherited?.standings.length ?? 0;
    for (let place = 0; place < held; place++) {
      const { bytes, offsets, standings: heldStandings, rows: heldRows, rowMap } = inherited as InheritedIds;
      const row = rowMap[heldRows[place] as number] as number;
      if (row < 0) continue;
      const key = bytes.subarray(offsets[place], offsets[place + 1]);
      enterFreshBefore(key, heldStandings[place] as number, row);
      enter(key, heldStandings[place] as number, row);
    }
    enterFreshBefore(null, 0, 0);
    using file = new ArrowFile(path, { key: BINARY, standing: UINT8, row: UINT32 });
    file.write([binaryData(keys.take()), numberData(standings.view()), numberData(rows.view())]);
    file.close();
  }

  /** Keys hold no white space, and a blank sorts before every other character of a key. */
  #sorted(): { key: Buffer; standing: number; row: number }[] {
    return sortUtf8(this.#entries).map((entry) => {
      const [key, standing, row] = entry.split(' ') as [string, string, string];
      return { key: Buffer.from(key), standing: Number(standing), row: Number(row) };
    });
  }
}
