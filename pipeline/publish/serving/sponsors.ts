import { foldTerm, NO_SPONSOR } from '../../../snapshot/format/serving-columns.ts';
import { ArrowFile, BINARY, binaryData } from '../../../snapshot/image/arrow-file.ts';
import { ByteColumn } from '../../../snapshot/image/growable.ts';
import type { Database } from '../../store/database.ts';

/** Sponsors by folded name, numbered by the first row that states them; that row's spelling is shown. */
export class Sponsors {
  readonly #numbers = new Map<string, number>();
  readonly #names = new ByteColumn();

  /** `names` are in the order of the first row that states each. */
  constructor(names: Iterable<string>) {
    for (const name of names) {
      const folded = foldTerm(name);
      if (this.#numbers.has(folded)) continue;
      this.#numbers.set(folded, this.#numbers.size);
      this.#names.appendText(name);
    }
  }

  /** Loads the sponsors of the trials of `openTrialTables`. */
  static async load(database: Database): Promise<Sponsors> {
    const rows = await database.all(`
      SELECT t.sponsor_name AS name FROM trials t JOIN trial_rows r USING (canonical_id)
      WHERE t.sponsor_name IS NOT NULL GROUP BY t.sponsor_name ORDER BY min(r."row")`);
    return new Sponsors(rows.map(({ name }) => String(name)));
  }

  /** NO_SPONSOR for null, and for a name that no trial states. */
  numberOf(name: string | null): number {
    return name === null ? NO_SPONSOR : (this.#numbers.get(foldTerm(name)) ?? NO_SPONSOR);
  }

  /** Writes sponsors.arrow, once. */
  write(path: string): void {
    using file = new ArrowFile(path, { name: BINARY });
    file.write([binaryData(this.#names.take())]);
    file.close();
  }
}
