import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, test } from 'vitest';
import { argumentsOf } from './arguments.ts';
import { exampleArguments } from './examples.ts';
import { OPERATIONS } from './operations.ts';
import { unknownCallsIn } from './test-support.ts';
import { REFERENCE, WORKFLOWS } from './workflows.ts';

const byId = new Map(OPERATIONS.map((operation) => [operation.id, operation]));

describe('every operation', () => {
  test('is found by a search for its URL: one file declares the path as one literal', () => {
    const folder = join(import.meta.dirname, 'operations');
    const texts = readdirSync(folder).map((name) => readFileSync(join(folder, name), 'utf8'));
    for (const { id, path } of OPERATIONS) {
      expect(texts.filter((text) => text.includes(`\n  path: '${path}',\n`)).length, id).toBe(1);
    }
  });

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

describe('the workflows', () => {
  test('have an id, a title and steps of operations that exist, with arguments that these know', () => {
    expect(new Set(WORKFLOWS.map(({ id }) => id)).size).toBe(WORKFLOWS.length);
    for (const { id, steps } of WORKFLOWS) {
      for (const step of steps) {
        const operation = byId.get(step.operation);
        const known = operation ? argumentsOf(operation) : [];
        const unknown = Object.keys(step.arguments).filter((name) => !known.some((argument) => argument.name === name));
        const missing = known.filter(({ name, required }) => required && !(name in step.arguments));
        expect({ found: operation !== undefined, unknown, missing }, `${id}: ${step.operation}`).toEqual({
          found: true,
          unknown: [],
          missing: [],
        });
        expect(unknownCallsIn(step.why)).toEqual([]);
      }
    }
  });

  test('refer only to steps before', () => {
    for (const { id, steps } of WORKFLOWS) {
      const known = new Set<string>();
      for (const step of steps) {
        for (const value of Object.values(step.arguments)) {
          if (typeof value !== 'string' || !value.startsWith('$')) continue;
          expect(known, `${id}: ${value}`).toContain(REFERENCE.exec(value)?.[1]);
        }
        if (step.as !== undefined) known.add(step.as);
      }
    }
  });
});
