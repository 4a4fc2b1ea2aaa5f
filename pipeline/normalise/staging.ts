import { rm, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { sqlLiteral } from '../../snapshot/sql/connection.ts';
import type { JsonForm } from '../../snapshot/sql/fields.ts';
import type { Database } from '../store/database.ts';

/** Lines are collected up to about this many bytes and then loaded at once. */
const CHUNK_BYTES = 32_000_000;
/** DuckDB's default limit for one JSON object; raised only where lines that came together are longer. */
const DEFAULT_OBJECT_BYTES = 16_777_216;
/** Escapes that JSON.stringify writes for half a surrogate pair and for NUL; DuckDB's JSON reader refuses both. */
const UNLOADABLE = /\\u(?:d[89a-f]|0000)/;

function loadable(_key: string, value: unknown): unknown {
  return typeof value === 'string' ? value.toWellFormed().replaceAll('\u0000', '\ufffd') : value;
}

/** A row as one line of newline-delimited JSON that DuckDB can load, with its line feed. */
export function jsonLine(row: Record<string, unknown>): string {
  const plain = JSON.stringify(row);
  return `${plain.includes('\\u') && UNLOADABLE.test(plain) ? JSON.stringify(row, loadable) : plain}\n`;
}

/** Loads rows into a temporary table through newline-delimited JSON, with the column types of that table. */
export class StagingTable {
  readonly #database: Database;
  readonly #file: string;
  readonly #name: string;
  readonly #columns: string;
  readonly #keys: string;
  #lines: Uint8Array[] = [];
  #bytes = 0;
  #longest = 0;

  private constructor(database: Database, name: string, file: string, { keys, columns }: JsonForm) {
    this.#database = database;
    this.#name = name;
    this.#file = file;
    const values = Object.entries(columns).map(([column, value]) => `${value} AS "${column}"`);
    const types = Object.entries(keys).map(([key, type]) => `${sqlLiteral(key)}: ${sqlLiteral(type)}`);
    this.#columns = values.join(', ');
    this.#keys = types.join(', ');
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
    form: JsonForm = { keys: {}, columns: {} },
  ): Promise<StagingTable> {
    await database.run(`CREATE OR REPLACE TEMP TABLE ${name} AS ${shape} LIMIT 0`);
    const described = await database.all(`SELECT column_name, column_type FROM (DESCRIBE ${name})`);
    const keys: Record<string, string> = { ...form.keys };
    const columns: Record<string, string> = { ...form.columns };
    for (const { column_name, column_type } of described) {
      const column = String(column_name);
      if (columns[column] !== undefined) continue;
      keys[column] = String(column_type);
      columns[column] = `"${column}"`;
    }
    return new StagingTable(database, name, join(directory, `${name}.ndjson`), { keys, columns });
  }

  async add(row: Record<string, unknown>): Promise<void> {
    await this.addLines(Buffer.from(jsonLine(row)));
  }

  /** Takes whole lines that `jsonLine` made, and loads the held ones where they are many. */
  async addLines(lines: Uint8Array): Promise<void> {
    if (lines.length === 0) return;
    this.#lines.push(lines);
    this.#bytes += lines.length;
    this.#longest = Math.max(this.#longest, lines.length);
    if (this.#bytes >= CHUNK_BYTES) await this.flush();
  }

  /** Loads the held lines. */
  async flush(): Promise<void> {
    if (this.#lines.length === 0) return;
    await writeFile(this.#file, this.#lines);
    const objectBytes = Math.max(DEFAULT_OBJECT_BYTES, this.#longest);
    await this.#database.run(
      `INSERT INTO ${this.#name} BY NAME SELECT ${this.#columns}
       FROM read_json(${sqlLiteral(this.#file)}, format = 'newline_delimited', columns = {${this.#keys}},
         maximum_object_size = ${objectBytes})`,
    );
    await rm(this.#file);
    this.#lines = [];
    this.#bytes = 0;
    this.#longest = 0;
  }
}
