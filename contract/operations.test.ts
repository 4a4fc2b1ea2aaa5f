import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, test } from 'vitest';
import { callsIn, REFERENCE, unknownCallsIn } from '../test/support/contract-texts.ts';
import { WORKFLOWS } from './declared/workflows.ts';
import { exampleArguments } from './examples.ts';
import { CATALOGUE_IDS, type CatalogueId } from './ids.ts';
import { argumentsOf } from './interfaces/arguments.ts';
import { OPERATIONS } from './operations.ts';

const byId = new Map(OPERATIONS.map((operation) => [operation.id, operation]));

/** Position in the catalogue of the id that the entry begins with. */
const placeOf = (entry: string): number => CATALOGUE_IDS.indexOf(entry.split(' ')[0] as CatalogueId);

describe('every operation', () => {
  test('is found by a search for its URL: one file declares the path as one literal', () => {
    const folder = join(import.meta.dirname, 'operations');
    const names = readdirSync(folder, { recursive: true, encoding: 'utf8' }).filter((name) => name.endsWith('.ts'));
    const texts = names.map((name) => readFileSync(join(folder, name), 'utf8'));
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

test('the endpoint catalogue has one path under each of its ids', () => {
  const named = OPERATIONS.filter(({ catalogueId }) => catalogueId !== undefined);
  const pairs = new Set(named.map(({ catalogueId, path }) => `${catalogueId} ${path}`));
  expect([...pairs].sort((a, b) => placeOf(a) - placeOf(b))).toEqual([
    'mind /api/v1/mind',
    'hope /api/v1/hope',
    'trends /api/v1/trends',
    'batch /api/v1/batch',
    'trials-search /api/v1/trials/search',
    'trials-detail /api/v1/trials/{canonicalId}',
    'trials-related /api/v1/trials/{id}/related',
    'trials-coverage /api/v1/trials/coverage',
    'trials-landscape /api/v1/trials/landscape',
    'trials-registrations /api/v1/trials/registrations',
    'trials-stats /api/v1/trials/stats',
    'sources /api/v1/sources',
    'patient-model /api/v1/twin/patient-model',
    'findings /api/v1/findings',
    'twin-experiment /api/v1/twin/experiment',
    'twin-benchmark /api/v1/twin/benchmark',
    'beta-cell /api/v1/twin/beta-cell',
    'cure-lab-evidence /api/v1/cure-lab/evidence',
    'cure-lab-contradictions /api/v1/cure-lab/contradictions',
    'cure-lab-hypotheses /api/v1/cure-lab/hypotheses',
    'freshness /api/v1/freshness',
    'reality /api/v1/reality',
    'council /api/v1/council',
  ]);
});

test('a call that ends a sentence is read without the full stop, and a wrong one is found', () => {
  expect(callsIn('Use GET /api/v1/trials/search?q=a%20b&pageSize=5. Then stop.')).toEqual([
    {
      method: 'GET',
      path: '/api/v1/trials/search',
      query: [
        ['q', 'a b'],
        ['pageSize', '5'],
      ],
    },
  ]);
  expect(unknownCallsIn('GET /api/v1/claim, GET /api/v1/claims?stat=x and PUT /api/v1/claims')).toEqual([
    'unknown call GET /api/v1/claim',
    'unknown parameter stat of GET /api/v1/claims',
    'unknown call PUT /api/v1/claims',
  ]);
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
