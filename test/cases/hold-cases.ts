import { afterAll, beforeAll, describe, expect, inject, it } from 'vitest';
import { OPERATIONS } from '../../contract/operations.ts';
import { onPostgres, verifyAt } from '../support/board/store.ts';
import { storedRows, tableNames } from '../support/board/stored-rows.ts';
import { openOrigin } from '../support/origin.ts';
import type { Door, DoorKind } from './doors/door.ts';
import { HTTP_DOOR, httpDoorOf } from './doors/http.ts';
import { CASES } from './every-case.ts';
import { concerns, runCase } from './run-case.ts';

/**
 * Declares the tests of one door: every case that concerns it must be answered as another origin answers it over HTTP.
 * `lacks` names the operations that the door does not offer, `apart` the titles of cases that the door cannot run, each
 * with the reason. In the project `postgres` the door's board is on PostgreSQL and the other's in a file.
 */
export function holdCases(
  kind: DoorKind,
  { lacks, apart = {} }: { lacks: readonly string[]; apart?: Record<string, string> },
): void {
  const cases = CASES.filter((one) => concerns(kind, one) && !Object.hasOwn(apart, one.title));
  describe(`through ${kind.name}`, () => {
    let door: Door;
    let reference: Door | null = null;
    beforeAll(async () => {
      door = await kind.open();
      if (kind !== HTTP_DOOR || inject('store') === 'postgres')
        reference = httpDoorOf(await openOrigin({}, { store: 'sqlite' }));
    });
    afterAll(async () => {
      await door[Symbol.asyncDispose]();
      await reference?.[Symbol.asyncDispose]();
    });

    it('every operation but those named here has a case', () => {
      const concerning = CASES.filter((one) => concerns(kind, one));
      const called = new Set(concerning.flatMap(({ steps }) => steps.map(({ operation }) => operation)));
      expect(OPERATIONS.filter((operation) => !kind.offers(operation)).map(({ id }) => id)).toEqual(lacks);
      expect(OPERATIONS.filter((one) => kind.offers(one) && !called.has(one.id)).map(({ id }) => id)).toEqual([]);
      expect(Object.keys(apart).filter((title) => !CASES.some((one) => one.title === title))).toEqual([]);
    });

    it.each(cases.map((one) => [one.title, one] as const))('%s', (_title, one) => runCase(one, door, reference));

    onPostgres.it('and both stores hold the same rows afterwards', async () => {
      const [database, file] = [door.origin.board, reference!.origin.board];
      const tables = await tableNames(file.services.board);
      const expected = await storedRows(file.services.board, tables);
      expect(tables.length).toBeGreaterThan(30);
      expect(await storedRows(database.services.board, tables)).toEqual(expected);
      expect((await verifyAt(database.path)).problems).toEqual([]);
    });
  });
}
