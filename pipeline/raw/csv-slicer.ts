import { CsvDays } from './csv-days.ts';
import { type Part, type Slice, SliceError, Slicer } from './slice.ts';

const NEWLINE = 0x0a;
const CARRIAGE_RETURN = 0x0d;
const QUOTE = 0x22;
const COMMA = 0x2c;

/** A row from its first byte up to its line end, or up to the end of the buffer. */
interface Row {
  end: number;
  cells: number;
  state: 'ended' | 'open' | 'quoted';
}

/**
 * Cuts CSV (RFC 4180) into records of the head line and one row each, so that a record can be read alone. A line break
 * between quotes belongs to its row; empty rows are skipped. A file whose last row has fewer cells than its head was cut,
 * and so was one whose last row has no line end: the registry's export ends each row with one. Days that may be read
 * wrongly refuse the file (CsvDays).
 */
export class CsvSlicer extends Slicer {
  readonly #days = new CsvDays();
  #head: Buffer | null = null;
  #headCells = 0;
  /** Cells of the last row that had any text. */
  #lastCells = 0;

  protected override next(buf: Buffer, at: number): Part | null {
    const row = rowAt(buf, at);
    if (row.state !== 'ended') return null;
    const bytes = buf.subarray(at, buf[row.end - 1] === CARRIAGE_RETURN && row.end > at ? row.end - 1 : row.end);
    return { end: row.end + 1, slice: bytes.length === 0 ? null : this.#record(bytes, row.cells) };
  }

  protected override finish(rest: Buffer): Slice[] {
    const row = rowAt(rest, 0);
    if (row.state === 'quoted') throw new SliceError('truncated', 'its last row is cut between quotes');
    const last = rest.length > 0 ? row.cells : this.#lastCells;
    if (last < this.#headCells) {
      throw new SliceError('truncated', `its last row has ${last} cells where the head has ${this.#headCells}`);
    }
    if (rest.length > 0) {
      throw new SliceError('truncated', 'its last row has no line end, which every row of the export has');
    }
    this.#days.end();
    return [];
  }

  /** Null for the head line. */
  #record(bytes: Buffer, cells: number): Slice | null {
    this.#lastCells = cells;
    if (this.#head === null) {
      this.#headCells = cells;
      this.#head = Buffer.from(bytes);
      return null;
    }
    const record = Buffer.concat([this.#head, Buffer.from('\n'), bytes]);
    this.#days.note(record.toString('utf8'));
    return { ok: true, bytes: record };
  }
}

function rowAt(buf: Buffer, at: number): Row {
  let isQuoted = false;
  let cells = 1;
  for (let i = at; i < buf.length; i += 1) {
    // A doubled quote, which stands for one, turns this off and on again.
    if (buf[i] === QUOTE) isQuoted = !isQuoted;
    if (isQuoted) continue;
    if (buf[i] === COMMA) cells += 1;
    if (buf[i] === NEWLINE) return { end: i, cells, state: 'ended' };
  }
  return { end: buf.length, cells, state: isQuoted ? 'quoted' : 'open' };
}
