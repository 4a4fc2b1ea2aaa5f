import { BYTE_ORDER_MARK, Collector, type Slice, SliceError, type Slicer } from './slice.ts';

const NEWLINE = 0x0a;
const CARRIAGE_RETURN = 0x0d;
const QUOTE = 0x22;

/**
 * Cuts CSV (RFC 4180) into records of the head line and one row each, so that a record can be read alone. A line break
 * between quotes belongs to its row; empty rows are skipped.
 */
export class CsvSlicer implements Slicer {
  readonly #collector = new Collector();
  #head: Buffer | null = null;
  #quoted = false;

  statedTotal(): null {
    return null;
  }

  push(chunk: Buffer): Slice[] {
    const slices: Slice[] = [];
    let from = 0;
    for (let at = 0; at < chunk.length; at += 1) {
      // A doubled quote, which stands for one, turns this off and on again.
      if (chunk[at] === QUOTE) this.#quoted = !this.#quoted;
      if (chunk[at] !== NEWLINE || this.#quoted) continue;
      this.#collector.add(chunk.subarray(from, at));
      slices.push(...this.#takeRow());
      from = at + 1;
    }
    if (from < chunk.length) this.#collector.add(chunk.subarray(from));
    return slices;
  }

  end(): Slice[] {
    if (this.#quoted) throw new SliceError('truncated', 'its last row is cut between quotes');
    return this.#takeRow();
  }

  /** Nothing for the head line and for an empty row. */
  #takeRow(): Slice[] {
    const row = this.#collector.take();
    if (!row.ok) return [row];
    const bytes = row.bytes.at(-1) === CARRIAGE_RETURN ? row.bytes.subarray(0, -1) : row.bytes;
    if (bytes.length === 0) return [];
    if (this.#head !== null) return [{ ok: true, bytes: Buffer.concat([this.#head, Buffer.from('\n'), bytes]) }];
    this.#head = Buffer.from(bytes.subarray(0, 3).equals(BYTE_ORDER_MARK) ? bytes.subarray(3) : bytes);
    return [];
  }
}
