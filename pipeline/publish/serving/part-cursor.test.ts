import { describe, expect, it } from 'vitest';
import { type PartColumns, PartCursor } from './parts.ts';

async function* chunks(...rows: number[][]): AsyncGenerator<PartColumns> {
  let part = 0;
  for (const chunk of rows) yield [chunk, chunk.map(() => part++)];
}

async function taken(cursor: PartCursor, row: number): Promise<unknown[]> {
  await cursor.readThrough(row);
  const parts: unknown[] = [];
  cursor.take(row, (columns, place) => parts.push(columns[1]![place]));
  return parts;
}

describe('the parts of trials', () => {
  it('come to the trial in whose row they stand, also where they begin in one chunk and end in a later one', async () => {
    const cursor = new PartCursor(chunks([0, 0, 2], [2], [2, 5], [7]));
    expect(await taken(cursor, 0)).toEqual([0, 1]);
    expect(await taken(cursor, 1)).toEqual([]);
    expect(await taken(cursor, 2)).toEqual([2, 3, 4]);
    expect(await taken(cursor, 5)).toEqual([5]);
    expect(await taken(cursor, 7)).toEqual([6]);
    expect(await taken(cursor, 9)).toEqual([]);
  });

  it('are never passed over: a part of a trial that does not come is refused', async () => {
    await expect(taken(new PartCursor(chunks([0, 1])), 1)).rejects.toThrow('row 0 has parts but no registration');
  });
});
