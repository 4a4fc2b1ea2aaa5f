import { createHash } from 'node:crypto';
import { StoreFault } from '../engine.ts';
import type { Session } from '../session.ts';
import { listed, quoted, type Shape } from './shapes.ts';

export type Row = Record<string, string | number | null>;

/** The copy cannot be made; the message says what to do. */
export class CopyFault extends StoreFault {}

const DIGEST_BITS = 256n;

/** What a table holds, without its order. */
export interface Digest {
  rows: number;
  /** 64 hexadecimal digits. */
  hash: string;
}

/** All rows of a table in the order of its key, `size` of them at a time. */
export async function* chunksOf(session: Session, shape: Shape, size: number): AsyncGenerator<Row[]> {
  const { name, columns, key } = shape;
  const from = `FROM ${quoted(name)}`;
  const order = `ORDER BY ${listed(key)}`;
  let last: Row | undefined;
  const marks = key.map((_, at) => (session.dialect === 'postgres' ? `$${at + 1}` : '?')).join(', ');
  const first = `SELECT ${listed(columns)} ${from} ${order} LIMIT ${size}`;
  const next = `SELECT ${listed(columns)} ${from} WHERE (${listed(key)}) > (${marks}) ${order} LIMIT ${size}`;
  for (;;) {
    const before: Row | undefined = last;
    const sent =
      before === undefined
        ? session.send(first)
        : session.send(
            next,
            key.map((column) => before[column]),
          );
    const rows = (await sent).rows as Row[];
    if (rows.length > 0) yield rows;
    if (rows.length < size) return;
    last = rows.at(-1);
  }
}

/**
 * The SHA-256 of each row, as the JSON of its values in the order of `columns`, added up modulo 2^256. The two stores
 * do not sort every text alike (text.ts), so that the sum must not depend on the order.
 */
export async function digestOf(
  session: Session,
  shape: Shape,
  columns: readonly string[],
  size: number,
): Promise<Digest> {
  let rows = 0;
  let sum = 0n;
  for await (const chunk of chunksOf(session, shape, size)) {
    rows += chunk.length;
    for (const row of chunk) {
      const values = columns.map((column) => row[column]);
      sum += BigInt(`0x${createHash('sha256').update(JSON.stringify(values)).digest('hex')}`);
    }
    sum = BigInt.asUintN(Number(DIGEST_BITS), sum);
  }
  return { rows, hash: sum.toString(16).padStart(Number(DIGEST_BITS) / 4, '0') };
}

/** Throws CopyFault for a whole number that JavaScript cannot hold, so that it would arrive as another. */
export function refuseInexact({ name, integers }: Shape, rows: readonly Row[]): void {
  for (const row of rows) {
    for (const column of integers) {
      const value = row[column];
      if (typeof value !== 'number' || Number.isSafeInteger(value)) continue;
      throw new CopyFault(`${name}.${column} holds a number of 2^53 or more, which no board writes: correct that row`);
    }
  }
}
