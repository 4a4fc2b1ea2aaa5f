import { ArrowFile, BINARY, binaryData } from '../../../snapshot/image/arrow-file.ts';
import { ByteColumn } from '../../../snapshot/image/growable.ts';

/** An image file of binary columns, written batch by batch; a file without a row has one empty batch. */
export class BinaryFile implements Disposable {
  readonly #file: ArrowFile;
  readonly #columns: ByteColumn[];
  readonly #rowsPerBatch: number;
  #rows = 0;

  constructor(path: string, columns: readonly string[], rowsPerBatch: number) {
    this.#file = new ArrowFile(path, Object.fromEntries(columns.map((name) => [name, BINARY])));
    this.#columns = columns.map(() => new ByteColumn());
    this.#rowsPerBatch = rowsPerBatch;
  }

  get bytes(): number {
    return this.#file.bytes;
  }

  /** Adds a row of values in the order of the columns. */
  add(values: readonly (string | Uint8Array)[]): void {
    if (this.#rows > 0 && this.#rows % this.#rowsPerBatch === 0) this.#flush();
    for (const [place, value] of values.entries()) {
      if (typeof value === 'string') this.#columns[place]!.appendText(value);
      else this.#columns[place]!.appendBytes(value);
    }
    this.#rows += 1;
  }

  /** Writes the last batch. */
  close(): void {
    this.#flush();
    this.#file.close();
  }

  /** Closes the file that a failure left half written. */
  [Symbol.dispose](): void {
    this.#file[Symbol.dispose]();
  }

  #flush(): void {
    this.#file.write(this.#columns.map((column) => binaryData(column.view())));
    for (const column of this.#columns) column.clear();
  }
}
