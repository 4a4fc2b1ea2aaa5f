import type { Session } from '../session.ts';

/** A table of a store as it is copied. */
export interface Shape {
  name: string;
  columns: readonly string[];
  /** Columns of its primary key, in their order. */
  key: readonly string[];
  /** Columns that hold whole numbers. */
  integers: ReadonlySet<string>;
  /** Tables that its rows refer to, itself left out. */
  refersTo: readonly string[];
}

interface ColumnRow {
  table_name: string;
  name: string;
  kind: string;
  /** Place in the primary key, from 1; null outside of it. */
  place: number | null;
}

interface Reference {
  from_table: string;
  to_table: string;
}

/** Tables that a copy makes anew from the others, and those that say how a store itself stands. */
const NOT_COPIED = /^(?:claims_search|claims_scope|messages_search|findings_search)(?:_|$)|^head$|^sqlite_|^copying$/;

const COLUMNS = {
  sqlite: `SELECT t.name AS table_name, c.name, lower(c.type) AS kind, nullif(c.pk, 0) AS place
    FROM sqlite_schema AS t, pragma_table_info(t.name) AS c WHERE t.type = 'table' ORDER BY t.name, c.cid`,
  postgres: `SELECT t.relname::text AS table_name, c.attname::text AS name, format_type(c.atttypid, NULL) AS kind,
      array_position(i.indkey::int2[], c.attnum) + 1 AS place
    FROM pg_class AS t JOIN pg_attribute AS c ON c.attrelid = t.oid AND c.attnum > 0 AND NOT c.attisdropped
    LEFT JOIN pg_index AS i ON i.indrelid = t.oid AND i.indisprimary
    WHERE t.relkind = 'r' AND t.relnamespace = current_schema()::regnamespace ORDER BY 1, c.attnum`,
} as const;

const REFERENCES = {
  sqlite: `SELECT DISTINCT t.name AS from_table, r."table" AS to_table
    FROM sqlite_schema AS t, pragma_foreign_key_list(t.name) AS r WHERE t.type = 'table'`,
  postgres: `SELECT DISTINCT f.relname::text AS from_table, t.relname::text AS to_table
    FROM pg_constraint AS r JOIN pg_class AS f ON f.oid = r.conrelid JOIN pg_class AS t ON t.oid = r.confrelid
    WHERE r.contype = 'f' AND f.relnamespace = current_schema()::regnamespace`,
} as const;

/** The tables of a store whose rows are copied, each after those that it refers to. */
export async function shapesOf(session: Pick<Session, 'dialect' | 'send'>): Promise<Shape[]> {
  const columns = (await session.send(COLUMNS[session.dialect])).rows as ColumnRow[];
  const references = (await session.send(REFERENCES[session.dialect])).rows as Reference[];
  const names = [...new Set(columns.map(({ table_name }) => table_name))].filter((name) => !NOT_COPIED.test(name));
  return inOrder(
    names.map((name) => {
      const own = columns.filter(({ table_name }) => table_name === name);
      const keyed = own.filter(({ place }) => place !== null).toSorted((a, b) => a.place! - b.place!);
      return {
        name,
        columns: own.map((column) => column.name),
        key: keyed.map((column) => column.name),
        integers: new Set(own.filter(({ kind }) => /^(?:integer|bigint)$/.test(kind)).map((column) => column.name)),
        refersTo: references
          .filter(({ from_table, to_table }) => from_table === name && to_table !== name)
          .map(({ to_table }) => to_table),
      };
    }),
  );
}

/** Each after those that it refers to, which a database checks. */
function inOrder(shapes: readonly Shape[]): Shape[] {
  const ordered: Shape[] = [];
  let left = [...shapes];
  while (left.length > 0) {
    const free = left.filter(({ refersTo }) => !left.some(({ name }) => refersTo.includes(name)));
    if (free.length === 0)
      throw new Error(`${left.map(({ name }) => name).join(', ')} refer to each other in a circle`);
    ordered.push(...free);
    left = left.filter((shape) => !free.includes(shape));
  }
  return ordered;
}

/** A name as both stores write it: `references` and `key` are words of SQL too. */
export function quoted(name: string): string {
  return `"${name.replaceAll('"', '""')}"`;
}

export function listed(names: readonly string[]): string {
  return names.map(quoted).join(', ');
}
