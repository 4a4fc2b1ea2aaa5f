import { describe, expect, inject, it } from 'vitest';
import { OPERATIONS } from '../../contract/operations.ts';
import { onPostgres, verifyAt } from '../support/board/store.ts';
import { storedRows, tableNames } from '../support/board/stored-rows.ts';
import { ofFile } from '../support/of-file.ts';
import { openOrigin } from '../support/origin.ts';
import type { Door, DoorKind } from './doors/door.ts';
import { HTTP_DOOR, httpDoorOf } from './doors/http.ts';
import { CASES } from './every-case.ts';
import { concerns, runCase } from './run-case.ts';

/**
 * Declares the tests of one interface: every case that concerns it must be answered as another origin answers it over HTTP,
 * but for those that it answers otherwise, by title, each with the reason. In the project `postgres` its board is on
 * PostgreSQL and the other's in a file.
 */
export function holdCases(kind: DoorKind, otherwise: Record<string, string> = {}): void {
  const cases = CASES.filter((one) => concerns(kind, one) && !Object.hasOwn(otherwise, one.title));
  const isCompared = kind !== HTTP_DOOR || inject('store') === 'postgres';
  describe(`through ${kind.name}`, () => {
    const door = ofFile<Door>(() => kind.open());
    const reference = isCompared
      ? ofFile<Door>(async () => httpDoorOf(await openOrigin({}, { store: 'sqlite' })))
      : null;

    it('every operation that it offers has a case', () => {
      const called = new Set(cases.flatMap(({ steps }) => steps.map(({ operation }) => operation)));
      expect(OPERATIONS.filter((one) => kind.offers(one) && !called.has(one.id)).map(({ id }) => id)).toEqual([]);
      expect(Object.keys(otherwise).filter((title) => !CASES.some((one) => one.title === title))).toEqual([]);
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
