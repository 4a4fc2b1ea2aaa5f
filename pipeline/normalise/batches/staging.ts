import { rm, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { sqlLiteral } from '../../../snapshot/sql/connection.ts';
import type { JsonForm } from '../../../snapshot/sql/fields.ts';
import type { Database } from '../../store/database.ts';
import { jsonLine } from './json-line.ts';

/** Lines are collected up to about this many bytes and then loaded at once. */
const CHUNK_BYTES = 32_000_000;
/** DuckDB's default limit for one JSON object; raised only for a longer line. */
const DEFAULT_OBJECT_BYTES = 16_777_216;

/** Loads rows into a temporary table through newline-delimited JSON, with the column types of that table. */
export class StagingTable {
  readonly #database: Database;
  readonly #name: string;
  readonly #file: string;
  readonly #form: JsonForm;
  #lines: Uint8Array[] = [];
  #bytes = 0;
  #longest = 0;

  private constructor(database: Database, name: string, file: string, form: JsonForm) {
    this.#database = database;
    this.#name = name;
    this.#file = file;
    this.#form = form;
  }

  /**
   * Makes the temporary table with the columns of the SELECT `shape`; `directory` holds the chunk while it is loaded. A
   * line has a key for each column; `form` names the columns that come from other keys.
   */
  static async create(
    database: Database,
    name: string,
    shape: string,
    directory: string,
    form?: JsonForm,
  ): Promise<StagingTable> {
    await database.run(`CREATE OR REPLACE TEMP TABLE ${name} AS ${shape} LIMIT 0`);
    const described = await database.all(`SELECT column_name, column_type FROM (DESCRIBE ${name})`);
    const plain = described.filter((row) => form?.columns[String(row.column_name)] === undefined);
    const read: JsonForm = {
      keys: { ...Object.fromEntries(plain.map((row) => [row.column_name, row.column_type])), ...form?.keys },
      columns: {
        ...Object.fromEntries(plain.map((row) => [row.column_name, `"${row.column_name}"`])),
        ...form?.columns,
      },
    };
    return new StagingTable(database, name, join(directory, `${name}.ndjson`), read);
  }

  add(row: Record<string, unknown>): void {
    this.addLines(Buffer.from(jsonLine(row)));
  }

  /** Takes lines that `jsonLine` made; the bytes are held until the next flush. */
  addLines(lines: Uint8Array): void {
    if (lines.length === 0) return;
    this.#lines.push(lines);
    this.#bytes += lines.length;
    this.#longest = Math.max(this.#longest, lines.length);
  }

  get isFull(): boolean {
    return this.#bytes >= CHUNK_BYTES;
  }

  /** Loads the held lines. */
  async flush(): Promise<void> {
    if (this.#lines.length === 0) return;
    await writeFile(this.#file, Buffer.concat(this.#lines, this.#bytes));
    const objectBytes = Math.max(DEFAULT_OBJECT_BYTES, this.#longest + 1024);
    const columns = Object.entries(this.#form.columns).map(([column, value]) => `${value} AS "${column}"`);
    const keys = Object.entries(this.#form.keys).map(([key, type]) => `${sqlLiteral(key)}: ${sqlLiteral(type)}`);
    await this.#database.run(
      `INSERT INTO ${this.#name} BY NAME SELECT ${columns.join(', ')}
       FROM read_json(${sqlLiteral(this.#file)}, format = 'newline_delimited', columns = {${keys.join(', ')}},
         maximum_object_size = ${objectBytes})`,
    );
    await rm(this.#file);
    this.#lines = [];
    this.#bytes = 0;
    this.#longest = 0;
  }
}
