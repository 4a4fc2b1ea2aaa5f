import { readFile } from 'node:fs/promises';
import type { Connection } from '../../store/database.ts';

/** Columns of a chunk of rows; the first column is the row of each part's trial. */
export type PartColumns = readonly (readonly unknown[])[];

/**
 * The columns of a query in this folder, chunk by chunk. `given` has the SQL for each {name} in the file. Until the
 * end, the connection can do nothing else.
 */
export async function* streamParts(
  connection: Connection,
  file: string,
  given: Readonly<Record<string, string>> = {},
): AsyncGenerator<PartColumns> {
  const sql = await partsQuery(file, given);
  for await (const columns of connection.streamColumns(sql)) if (columns[0]!.length > 0) yield columns;
}

/** The text of a query in this folder, with `given` for each {name} in it. */
export async function partsQuery(file: string, given: Readonly<Record<string, string>> = {}): Promise<string> {
  let sql = await readFile(new URL(file, import.meta.url), 'utf8');
  for (const [name, text] of Object.entries(given)) sql = sql.replaceAll(`{${name}}`, text);
  return sql;
}

/** Takes parts, which come in the order of their trials' rows, trial by trial. Holds a chunk or two. */
export class PartCursor {
  readonly #chunks: AsyncGenerator<PartColumns>;
  readonly #held: PartColumns[] = [];
  #at = 0;
  #readTo = -1;

  constructor(chunks: AsyncGenerator<PartColumns>) {
    this.#chunks = chunks;
  }

  /** Reads until all parts of the trials up to `row` are held. */
  async readThrough(row: number): Promise<void> {
    while (this.#readTo <= row) {
      const next = await this.#chunks.next();
      if (next.done) this.#readTo = Number.POSITIVE_INFINITY;
      else {
        this.#held.push(next.value);
        this.#readTo = next.value[0]!.at(-1) as number;
      }
    }
  }

  /**
   * Calls `handOver` with the place of each part of the trial in `row`. Call in ascending order, after `readThrough`.
   */
  take(row: number, handOver: (columns: PartColumns, place: number) => void): void {
    for (let columns = this.#held[0]; columns !== undefined; columns = this.#held[0]) {
      const rows = columns[0] as readonly number[];
      for (; this.#at < rows.length; this.#at++) {
        const next = rows[this.#at] as number;
        if (next > row) return;
        if (next < row) throw new Error(`row ${next} has parts but no registration`);
        handOver(columns, this.#at);
      }
      this.#held.shift();
      this.#at = 0;
    }
  }
}
