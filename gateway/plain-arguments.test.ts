import { describe, expect, it } from 'vitest';
import { OPERATIONS } from '../contract/operations.ts';
import { plainArguments, plainObject } from './plain-arguments.ts';

const read = (id: string, given: Record<string, unknown>) =>
  plainArguments(OPERATIONS.find((operation) => operation.id === id)!, given);

describe('an argument of a client that writes JSON as text', () => {
  it.each([
    ['trials-search', { status: '["completed"]' }, { status: ['completed'] }],
    [
      'trials-search',
      { status: 'completed,terminated', pageSize: '5' },
      { status: 'completed,terminated', pageSize: 5 },
    ],
    ['council-propose', { proposal: '{"statement":"Say so."}' }, { proposal: { statement: 'Say so.' } }],
    ['beta-cell-run', { durationWeeks: '104', graftProtection: '0.5' }, { durationWeeks: 104, graftProtection: 0.5 }],
    [
      'beta-cell-run',
      { customDataset: { arms: [{ points: [{ week: '0', value: '8e-1' }] }] } },
      { customDataset: { arms: [{ points: [{ week: 0, value: 0.8 }] }] } },
    ],
    ['trials-detail', { canonicalId: 'NCT1', includeRaw: 'True' }, { canonicalId: 'NCT1', includeRaw: true }],
  ])('of %s is read as what it can only mean: %j', (id, given, expected) => {
    expect(read(id, given)).toEqual({ given: expected, leftOut: [] });
  });

  it.each([
    ['trials-search', { q: null, status: null }, {}, []],
    [
      'claims-create',
      { agentContact: '', questionId: null, scope: '' },
      { scope: '', questionId: null },
      ['agentContact'],
    ],
    ['beta-cell-run', { customDataset: null, recoveryRate: null, dataset: ' ' }, {}, ['dataset']],
    ['trials-search', { sponsor: '', phase: '' }, {}, ['sponsor', 'phase']],
  ])('of %s that is optional and empty is left out: %j', (id, given, expected, leftOut) => {
    const { given: left, leftOut: named } = read(id, given);
    expect(Object.fromEntries(Object.entries(left).filter(([, value]) => value !== null))).toEqual(
      Object.fromEntries(Object.entries(expected).filter(([, value]) => value !== null)),
    );
    expect(named).toEqual(leftOut);
  });

  it('stays as it is where it cannot be read, so that the operation refuses it with all other faults', () => {
    for (const endpointsUsed of ['["trials-search"', 'trials-search', '{"a":1}', '7']) {
      expect(read('finding-submit', { endpointsUsed }).given).toEqual({ endpointsUsed });
    }
    expect(read('beta-cell-run', { durationWeeks: 'a year', recoveryRate: '1e999' }).given).toEqual({
      durationWeeks: 'a year',
      recoveryRate: '1e999',
    });
    const deep = `${'['.repeat(5_000)}${']'.repeat(5_000)}`;
    expect(read('finding-submit', { endpointsUsed: deep }).given).toEqual({ endpointsUsed: deep });
  });

  it.each(['["completed"', '{"status":"completed"}', '[completed]'])('of a query is refused by name: %s', (status) => {
    expect(() => read('trials-search', { status })).toThrow(
      'The argument status is not usable: send a JSON array, not its text.',
    );
  });

  it('never reaches what every object has of itself', () => {
    const given = JSON.parse('{"__proto__":"1","constructor":"[]","customDataset":{"toString":"1"}}');
    expect(JSON.stringify(read('beta-cell-run', given).given)).toBe(JSON.stringify(given));
  });
});

it('the arguments of a call may be an object, its text, or nothing', () => {
  expect([{ a: 1 }, '{"a":1}', null, '', undefined].map(plainObject)).toEqual([{ a: 1 }, { a: 1 }, {}, {}, {}]);
  expect(['text', '[1]', 7, [1]].map(plainObject)).toEqual([undefined, undefined, undefined, undefined]);
});
