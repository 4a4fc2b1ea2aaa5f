import type pg from 'pg';

/** What the server said of a statement. */
export interface Answer {
  rows: Record<string, unknown>[];
  /** Its first word, such as INSERT. */
  command: string;
  /** Rows that it gave or changed. */
  count: number;
  /** Whether it gives rows, be it none of them. */
  givesRows: boolean;
}

export interface Statement {
  text: string;
  /** As the server reads them. */
  values: readonly (string | null)[];
  /** Under which the server keeps it; empty where it does not. */
  name: string;
  resolve(answer: Answer): void;
  reject(error: unknown): void;
}

type Columns = readonly { name: string; parse: (text: string) => unknown }[];

/** What the server keeps for one connection, by name, with the columns of an answer, which are told once; null before. */
export type Kept = Map<string, Columns | null>;

/**
 * Statements that go to the server in one message and come back in one. They run one after the other; after one that
 * fails the server runs none of the rest, so that all of those fail by the same error. In the words of the protocol: one
 * Sync. Outside of a transaction they are a transaction of their own.
 */
export class Batch implements pg.Submittable {
  readonly #statements: readonly Statement[];
  readonly #kept: Kept;
  readonly #types: pg.CustomTypesConfig;
  readonly #onEnd: (error: unknown, unanswered: readonly Statement[]) => void;
  /** The one that the server speaks of, and what it said. */
  #at = 0;
  #columns: Columns | null = null;
  #rows: Record<string, unknown>[] = [];

  /** `onEnd` is called once: with null, or with what a statement failed by, and with that statement and those after it. */
  constructor(
    statements: readonly Statement[],
    kept: Kept,
    types: pg.CustomTypesConfig,
    onEnd: (error: unknown, unanswered: readonly Statement[]) => void,
  ) {
    this.#statements = statements;
    this.#kept = kept;
    this.#types = types;
    this.#onEnd = onEnd;
  }

  submit(connection: pg.Connection): void {
    const parsed = new Set<string>();
    connection.stream.cork();
    for (const { text, name, values } of this.#statements) {
      if (name === '' || !(this.#kept.has(name) || parsed.has(name))) {
        connection.parse({ name, text, types: [] }, true);
        parsed.add(name);
      }
      connection.bind({ statement: name, values: values as (string | null)[] }, true);
      if (!this.#kept.get(name)) connection.describe({ type: 'P', name: '' }, true);
      connection.execute(null, true);
    }
    connection.sync();
    connection.stream.uncork();
    this.#begin();
  }

  /** Of the statement at hand. No listener of `pg` has it for one of ours. */
  handleParseComplete(): void {
    const { name } = this.#statements[this.#at]!;
    if (name !== '') this.#kept.set(name, null);
  }

  handleRowDescription({ fields }: { fields: readonly pg.FieldDef[] }): void {
    this.#columns = fields.map(({ name, dataTypeID }) => ({
      name,
      parse: this.#types.getTypeParser(dataTypeID, 'text') as (text: string) => unknown,
    }));
  }

  handleDataRow({ fields }: { fields: readonly (string | null)[] }): void {
    const row: Record<string, unknown> = {};
    const columns = this.#columns!;
    for (let place = 0; place < columns.length; place += 1) {
      const { name, parse } = columns[place]!;
      const text = fields[place]!;
      row[name] = text === null ? null : parse(text);
    }
    this.#rows.push(row);
  }

  handleCommandComplete({ text }: { text: string }): void {
    const { name, resolve } = this.#statements[this.#at]!;
    const columns = this.#columns ?? [];
    if (name !== '') this.#kept.set(name, columns);
    const [command = '', ...numbers] = text.split(' ');
    resolve({ rows: this.#rows, command, count: Number(numbers.at(-1)) || 0, givesRows: columns.length > 0 });
    this.#at += 1;
    this.#begin();
  }

  handleError(error: unknown): void {
    this.#onEnd(error, this.#statements.slice(this.#at));
  }

  handleReadyForQuery(): void {
    this.#onEnd(null, []);
  }

  #begin(): void {
    const next = this.#statements[this.#at];
    this.#columns = next === undefined ? null : (this.#kept.get(next.name) ?? null);
    this.#rows = [];
  }
}
