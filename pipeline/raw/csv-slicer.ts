import { CsvDays } from './csv-days.ts';
import { BYTE_ORDER_MARK, Collector, type Slice, SliceError, type Slicer } from './slice.ts';

const NEWLINE = 0x0a;
const CARRIAGE_RETURN = 0x0d;
const QUOTE = 0x22;
const COMMA = 0x2c;

/**
 * Cuts CSV (RFC 4180) into records of the head line and one row each, so that a record can be read alone. A line break
 * between quotes belongs to its row; empty rows are skipped. A file whose last row has fewer cells than its head was cut,
 * and so was one whose last row has no line end: the registry's export ends each row with one. Days that may be read
 * wrongly refuse the file (CsvDays).
 */
export class CsvSlicer implements Slicer {
  readonly #collector = new Collector();
  readonly #days = new CsvDays();
  #head: Buffer | null = null;
  #headCells = 0;
  #quoted = false;
  /** Of the row under way. */
  #cells = 1;
  /** Of the last row that had any text. */
  #lastCells = 0;

  statedTotal(): null {
    return null;
  }

  push(chunk: Buffer): Slice[] {
    const slices: Slice[] = [];
    let from = 0;
    for (let at = 0; at < chunk.length; at += 1) {
      // A doubled quote, which stands for one, turns this off and on again.
      if (chunk[at] === QUOTE) this.#quoted = !this.#quoted;
      if (this.#quoted) continue;
      if (chunk[at] === COMMA) this.#cells += 1;
      if (chunk[at] !== NEWLINE) continue;
      this.#collector.add(chunk.subarray(from, at));
      slices.push(...this.#takeRow());
      from = at + 1;
    }
    if (from < chunk.length) this.#collector.add(chunk.subarray(from));
    return slices;
  }

  end(): Slice[] {
    if (this.#quoted) throw new SliceError('truncated', 'its last row is cut between quotes');
    const isEnded = this.#collector.size === 0;
    const rows = this.#takeRow();
    if (this.#lastCells < this.#headCells) {
      throw new SliceError(
        'truncated',
        `its last row has ${this.#lastCells} cells where the head has ${this.#headCells}`,
      );
    }
    if (!isEnded) throw new SliceError('truncated', 'its last row has no line end, which every row of the export has');
    this.#days.end();
    return rows;
  }

  /** Nothing for the head line and for an empty row. */
  #takeRow(): Slice[] {
    const row = this.#collector.take();
    const cells = this.#cells;
    this.#cells = 1;
    if (row.ok && row.bytes.at(-1) === CARRIAGE_RETURN) row.bytes = row.bytes.subarray(0, -1);
    if (row.ok && row.bytes.length === 0) return [];
    this.#lastCells = cells;
    if (!row.ok) return [row];
    const { bytes } = row;
    if (this.#head !== null) {
      const record = Buffer.concat([this.#head, Buffer.from('\n'), bytes]);
      this.#days.note(record.toString('utf8'));
      return [{ ok: true, bytes: record }];
    }
    this.#headCells = cells;
    this.#head = Buffer.from(bytes.subarray(0, 3).equals(BYTE_ORDER_MARK) ? bytes.subarray(3) : bytes);
    return [];
  }
}
