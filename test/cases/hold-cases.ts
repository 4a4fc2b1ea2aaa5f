import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { OPERATIONS } from '../../contract/operations.ts';
import type { Door, DoorKind } from './doors/door.ts';
import { HTTP_DOOR } from './doors/http.ts';
import { CASES } from './every-case.ts';
import { concerns, runCase } from './run-case.ts';

/**
 * Declares the tests of one door: every case that concerns it must be answered as another origin answers it over HTTP.
 * `least` is the minimum number of cases, `lacks` the operations that the door does not offer, `apart` the titles of
 * cases that the door cannot run, each with the reason.
 */
export function holdCases(
  kind: DoorKind,
  { least, lacks, apart = {} }: { least: number; lacks: readonly string[]; apart?: Record<string, string> },
): void {
  const cases = CASES.filter((one) => concerns(kind, one) && !Object.hasOwn(apart, one.title));
  describe(`through ${kind.name}`, () => {
    let door: Door;
    let reference: Door | null = null;
    beforeAll(async () => {
      door = await kind.open();
      if (kind !== HTTP_DOOR) reference = await HTTP_DOOR.open();
    });
    afterAll(async () => {
      await door[Symbol.asyncDispose]();
      await reference?.[Symbol.asyncDispose]();
    });

    it(`there are at least ${least} cases, and only the operations named here are missing`, () => {
      expect(cases.length).toBeGreaterThanOrEqual(least);
      expect(OPERATIONS.filter((operation) => !kind.offers(operation)).map(({ id }) => id)).toEqual(lacks);
      expect(Object.keys(apart).filter((title) => !CASES.some((one) => one.title === title))).toEqual([]);
    });

    it.each(cases.map((one) => [one.title, one] as const))('%s', (_title, one) => runCase(one, door, reference));
  });
}
