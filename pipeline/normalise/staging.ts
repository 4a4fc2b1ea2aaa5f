import { rm, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { type Database, sqlLiteral } from '../store/database.ts';

/** Lines are held until they are about this long together, then loaded at once. */
const CHUNK_CHARACTERS = 32_000_000;
/** DuckDB's own limit for one JSON object; raised only for a longer line. */
const DEFAULT_OBJECT_BYTES = 16_777_216;
/** What JSON.stringify writes for half a surrogate pair and for NUL; DuckDB's JSON reader refuses both. */
const UNLOADABLE = /\\u(?:d[89a-f]|0000)/;

type Row = Record<string, unknown>;

function loadable(_key: string, value: unknown): unknown {
  return typeof value === 'string' ? value.toWellFormed().replaceAll('\u0000', '\ufffd') : value;
}

/** Loads rows into a temporary table by way of newline-delimited JSON, with the column types of that table. */
export class StagingTable {
  readonly #database: Database;
  readonly #name: string;
  readonly #file: string;
  readonly #columns: string;
  #lines: string[] = [];
  #characters = 0;
  #longest = 0;

  private constructor(database: Database, name: string, file: string, columns: string) {
    this.#database = database;
    this.#name = name;
    this.#file = file;
    this.#columns = columns;
  }

  /** Makes the temporary table from a SELECT that gives its columns; `directory` holds the chunk while it is loaded. */
  static async create(database: Database, name: string, shape: string, directory: string): Promise<StagingTable> {
    await database.run(`CREATE OR REPLACE TEMP TABLE ${name} AS ${shape} LIMIT 0`);
    const described = await database.all(`SELECT column_name, column_type FROM (DESCRIBE ${name})`);
    const columns = described.map(
      (row) => `${sqlLiteral(String(row.column_name))}: ${sqlLiteral(String(row.column_type))}`,
    );
    return new StagingTable(database, name, join(directory, `${name}.ndjson`), `{${columns.join(', ')}}`);
  }

  add(row: Row): void {
    const plain = JSON.stringify(row);
    const line = UNLOADABLE.test(plain) ? JSON.stringify(row, loadable) : plain;
    this.#lines.push(line);
    this.#characters += line.length;
    this.#longest = Math.max(this.#longest, line.length);
  }

  /** True when it is time to flush. */
  get isFull(): boolean {
    return this.#characters >= CHUNK_CHARACTERS;
  }

  /** Loads what is held. */
  async flush(): Promise<void> {
    if (this.#lines.length === 0) return;
    await writeFile(this.#file, `${this.#lines.join('\n')}\n`);
    // A character takes at most three bytes.
    const objectBytes = Math.max(DEFAULT_OBJECT_BYTES, this.#longest * 3 + 1024);
    await this.#database.run(
      `INSERT INTO ${this.#name} SELECT * FROM read_json(${sqlLiteral(this.#file)}, format = 'newline_delimited',
         columns = ${this.#columns}, maximum_object_size = ${objectBytes})`,
    );
    await rm(this.#file);
    this.#lines = [];
    this.#characters = 0;
    this.#longest = 0;
  }
}
