import { open } from 'node:fs/promises';

/**
 * The order of a Parquet file's rows, written into its footer as `sorting_columns`, by which readers skip and merge. DuckDB 1.5 sorts
 * the rows but does not say so. The footer is a struct of Thrift's compact protocol behind the pages, so only the end of the
 * file is written anew. https://github.com/apache/parquet-format, https://github.com/apache/thrift (thrift-compact-protocol)
 */

/** A value of Thrift: what is not read here stays as its bytes. */
type Value = Buffer | ThriftList | ThriftStruct;
interface ThriftList {
  of: number;
  items: Value[];
}
interface ThriftStruct {
  fields: Map<number, { type: number; value: Value }>;
}

const TYPE = { true: 1, false: 2, byte: 3, i16: 4, i32: 5, i64: 6, double: 7, binary: 8, list: 9, set: 10, struct: 12 };

/** Ids of fields in parquet.thrift. */
const ROW_GROUPS = 4;
const GROUP = { columns: 1, sortingColumns: 4 };
const CHUNK_META = 3;
const PATH = 3;

const MAGIC = 'PAR1';

/** Writes into the file at `path` that its rows are in ascending order of `columns`, nulls last. */
export async function stateOrder(path: string, columns: readonly string[]): Promise<void> {
  const file = await open(path, 'r+');
  try {
    const { size } = await file.stat();
    const end = Buffer.alloc(8);
    await file.read(end, 0, end.length, Math.max(0, size - end.length));
    if (end.toString('latin1', 4) !== MAGIC) throw new Error(`${path} does not end like a Parquet file`);
    const footer = Buffer.alloc(end.readUInt32LE(0));
    const start = size - end.length - footer.length;
    await file.read(footer, 0, footer.length, start);
    const ordered = withOrder(footer, columns);
    end.writeUInt32LE(ordered.length, 0);
    const written = Buffer.concat([ordered, end]);
    // The system may take less than it is given, as when a disk is nearly full.
    for (let done = 0; done < written.length; )
      done += (await file.write(written, done, written.length - done, start + done)).bytesWritten;
    await file.truncate(start + written.length);
  } finally {
    await file.close();
  }
}

/** The footer with the order in each row group. */
export function withOrder(footer: Buffer, columns: readonly string[]): Buffer {
  const metadata = new Reader(footer).struct();
  for (const group of listAt(metadata, ROW_GROUPS)) {
    const paths = listAt(group as ThriftStruct, GROUP.columns).map((chunk) =>
      listAt(structAt(chunk as ThriftStruct, CHUNK_META), PATH)
        .map(String)
        .join('.'),
    );
    const items = columns.map((column) => sortingColumn(paths.indexOf(column), column));
    (group as ThriftStruct).fields.set(GROUP.sortingColumns, { type: TYPE.list, value: { of: TYPE.struct, items } });
  }
  return Buffer.concat(structBytes(metadata));
}

/** A `SortingColumn`: number of the column in the group, not descending, nulls not first. */
function sortingColumn(at: number, column: string): ThriftStruct {
  if (at < 0) throw new Error(`the Parquet file has no column ${column} to be sorted by`);
  const none = Buffer.alloc(0);
  return {
    fields: new Map([
      [1, { type: TYPE.i32, value: varint(at * 2) }],
      [2, { type: TYPE.false, value: none }],
      [3, { type: TYPE.false, value: none }],
    ]),
  };
}

function listAt({ fields }: ThriftStruct, id: number): Value[] {
  const value = fields.get(id)?.value;
  if (value === undefined || !('items' in value)) throw new Error(`field ${id} of a Parquet footer is not a list`);
  return value.items;
}

function structAt({ fields }: ThriftStruct, id: number): ThriftStruct {
  const value = fields.get(id)?.value;
  if (value === undefined || !('fields' in value)) throw new Error(`field ${id} of a Parquet footer is not a struct`);
  return value;
}

class Reader {
  readonly #bytes: Buffer;
  #at = 0;

  constructor(bytes: Buffer) {
    this.#bytes = bytes;
  }

  struct(): ThriftStruct {
    const fields: ThriftStruct['fields'] = new Map();
    for (let id = 0; ; ) {
      const head = this.#byte();
      if (head === 0) return { fields };
      const type = head & 15;
      const step = head >> 4;
      id = step === 0 ? unzigzag(this.#number()) : id + step;
      // A boolean of a struct stands in its type.
      fields.set(id, { type, value: type <= TYPE.false ? Buffer.alloc(0) : this.#value(type) });
    }
  }

  #value(type: number): Value {
    if (type === TYPE.struct) return this.struct();
    if (type === TYPE.list || type === TYPE.set) return this.#list();
    const from = this.#at;
    if (type <= TYPE.byte) this.#at += 1;
    else if (type <= TYPE.i64) this.#number();
    else if (type === TYPE.double) this.#at += 8;
    else if (type === TYPE.binary) {
      const length = this.#number();
      this.#at += length;
      // Its length is written again.
      return this.#bytes.subarray(this.#at - length, this.#at);
    } else throw new Error(`a Parquet footer has a value of the unknown type ${type}`);
    return this.#bytes.subarray(from, this.#at);
  }

  #list(): ThriftList {
    const head = this.#byte();
    const length = head >> 4 === 15 ? this.#number() : head >> 4;
    const of = head & 15;
    return { of, items: Array.from({ length }, () => this.#value(of)) };
  }

  #byte(): number {
    if (this.#at >= this.#bytes.length) throw new Error('a Parquet footer is cut off');
    return this.#bytes[this.#at++] as number;
  }

  /** An unsigned varint; of 64 bits only its length counts here. */
  #number(): number {
    let value = 0;
    for (let scale = 1; ; scale *= 128) {
      const byte = this.#byte();
      value += (byte & 127) * scale;
      if (byte < 128) return value;
    }
  }
}

function structBytes({ fields }: ThriftStruct): Buffer[] {
  const parts: Buffer[] = [];
  let before = 0;
  for (const [id, { type, value }] of [...fields].sort(([a], [b]) => a - b)) {
    const step = id - before;
    parts.push(step <= 15 ? Buffer.of((step << 4) | type) : Buffer.concat([Buffer.of(type), varint(id * 2)]));
    parts.push(...valueBytes(type, value));
    before = id;
  }
  return [...parts, Buffer.of(0)];
}

function valueBytes(type: number, value: Value): Buffer[] {
  if ('fields' in value) return structBytes(value);
  if ('items' in value) {
    const { of, items } = value;
    const { length } = items;
    const head = length < 15 ? [Buffer.of((length << 4) | of)] : [Buffer.of(0xf0 | of), varint(length)];
    return [...head, ...items.flatMap((item) => valueBytes(of, item))];
  }
  return type === TYPE.binary ? [varint(value.length), value] : [value];
}

function varint(value: number): Buffer {
  const bytes: number[] = [];
  let rest = value;
  for (; rest > 127; rest = Math.floor(rest / 128)) bytes.push((rest % 128) | 128);
  return Buffer.of(...bytes, rest);
}

function unzigzag(value: number): number {
  return value % 2 === 0 ? value / 2 : -(value + 1) / 2;
}
