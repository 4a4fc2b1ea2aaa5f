import { describe, expect, test } from 'vitest';
import { unknownCallsIn } from '../test/support/contract-texts.ts';
import { exampleArguments } from './examples.ts';
import { argumentsOf } from './interfaces/arguments.ts';
import { OPERATIONS } from './operations.ts';

const byId = new Map(OPERATIONS.map((operation) => [operation.id, operation]));

describe('every operation', () => {
  test('says in one sentence when to use it, naming only calls that exist', () => {
    for (const { id, whenToUse = '' } of OPERATIONS) {
      expect(whenToUse, id).toMatch(/^[A-Z][^\n]{15,120}\.$/);
      expect(unknownCallsIn(whenToUse), id).toEqual([]);
    }
  });

  test('leads on to others that exist, none twice', () => {
    for (const { id, next = [] } of OPERATIONS) {
      expect(next.length, id).toBeGreaterThan(0);
      expect(new Set([id, ...next]).size, id).toBe(next.length + 1);
      expect(
        next.filter((target) => !byId.has(target)),
        id,
      ).toEqual([]);
    }
  });

  test('is reached from another one, but for the bare list of all', () => {
    const reached = new Set(OPERATIONS.flatMap(({ next = [] }) => next));
    expect(OPERATIONS.map(({ id }) => id).filter((id) => !reached.has(id))).toEqual(['discovery']);
  });

  test('has an example whose arguments are known and whole', () => {
    for (const operation of OPERATIONS) {
      const given = exampleArguments(operation);
      const all = argumentsOf(operation);
      const missing = all.filter(({ name, required }) => required && !(name in given)).map(({ name }) => name);
      const unknown = Object.keys(given).filter((name) => !all.some((argument) => argument.name === name));
      expect({ missing, unknown }, operation.id).toEqual({ missing: [], unknown: [] });
    }
  });
});

test('examples are typed as the schema says, with the literal parts of a path and blanks for the others', () => {
  const given = (id: string) => exampleArguments(byId.get(id)!);
  expect(given('trials-search')).toEqual({ q: 'diabetes', pageSize: 2 });
  expect(given('webhooks-deliveries')).toEqual({ id: '<id>', failed: true });
  expect(given('trials-registrations')).toEqual({ id: '<id>' });
  expect(given('capability')).toEqual({ tool: 'search_world_trials' });
  expect(given('finding-link')).toMatchObject({ fromId: '<fromId>', relation: expect.any(String) });
});
