import { isSpace, OPEN_BRACE, OPEN_BRACKET, ValueScanner } from './json-scanner.ts';
import { tooDeep } from './json-slicer.ts';
import { BYTE_ORDER_MARK, Collector, MAX_NESTING, type Slice, SliceError, type Slicer } from './slice.ts';

const NEWLINE = 0x0a;

/** Cuts NDJSON into its lines without the white space around them; empty lines are skipped. */
export class LineSlicer implements Slicer {
  readonly #scanner = new ValueScanner();
  readonly #collector = new Collector();
  #offset = 0;
  #firstLine = true;

  statedTotal(): null {
    return null;
  }

  push(chunk: Buffer): Slice[] {
    const slices: Slice[] = [];
    let from = 0;
    for (;;) {
      const newline = chunk.indexOf(NEWLINE, from);
      if (newline === -1) break;
      this.#collector.add(chunk.subarray(from, newline));
      const slice = this.#takeLine();
      if (slice) slices.push(slice);
      from = newline + 1;
    }
    if (from < chunk.length) this.#collector.add(chunk.subarray(from));
    this.#offset += chunk.length;
    return slices;
  }

  end(): Slice[] {
    const line = this.#takeLine(true);
    return line === null ? [] : [line];
  }

  #takeLine(isLast = false): Slice | null {
    const line = this.#collector.take();
    if (!line.ok) return line;
    const bytes = this.#trimmed(line.bytes);
    if (bytes.length === 0) return null;
    this.#scanner.reset();
    const end = this.#scanner.scan(bytes, 0);
    const isStructured = bytes[0] === OPEN_BRACE || bytes[0] === OPEN_BRACKET;
    if (isLast && isStructured && end === -1) {
      throw new SliceError('truncated', `its last line is cut after ${this.#offset} bytes`);
    }
    const slice: Slice = { ok: true, bytes };
    return this.#scanner.maxDepth > MAX_NESTING ? tooDeep(slice, this.#scanner.maxDepth) : slice;
  }

  #trimmed(bytes: Buffer): Buffer {
    let from = this.#firstLine && bytes.subarray(0, 3).equals(BYTE_ORDER_MARK) ? 3 : 0;
    this.#firstLine = false;
    let to = bytes.length;
    while (from < to && isSpace(bytes[from]!)) from++;
    while (to > from && isSpace(bytes[to - 1]!)) to--;
    return bytes.subarray(from, to);
  }
}
