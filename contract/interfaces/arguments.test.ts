import { describe, expect, it } from 'vitest';
import type { Operation } from '../operation.ts';
import { OPERATIONS } from '../operations.ts';
import { ArgumentFault, argumentsOf, argumentsSchema, httpInput, refuseUnknown } from './arguments.ts';

const operation = (id: string): Operation => OPERATIONS.find((candidate) => candidate.id === id)!;

describe('flat arguments', () => {
  it('go to path, query, body and header as the operation wants them', () => {
    expect(
      httpInput(operation('finding-link'), {
        fromId: 'fnd_a b',
        toId: 'fnd_c',
        relation: 'extends',
        note: 'n',
        agentName: 'a',
        idempotencyKey: 'key-00001',
      }),
    ).toEqual({
      path: '/api/v1/findings/fnd_a%20b/link',
      headers: { 'idempotency-key': 'key-00001' },
      body: { toId: 'fnd_c', relation: 'extends', note: 'n', agentName: 'a' },
    });
    expect(
      httpInput(operation('trials-search'), {
        q: 'type 1',
        phase: ['phase2', 'phase3'],
        resultsAvailable: true,
        page: 2,
      }),
    ).toEqual({
      path: '/api/v1/trials/search?q=type+1&phase=phase2%2Cphase3&resultsAvailable=true&page=2',
      headers: {},
      body: undefined,
    });
  });

  it('that are null or undefined count as left out of a query, and only undefined of a body', () => {
    expect(httpInput(operation('trials-search'), { q: null, sponsor: undefined }).path).toBe('/api/v1/trials/search');
    expect(httpInput(operation('claims-create'), { objectiveId: null, questionId: undefined }).body).toEqual({
      objectiveId: null,
    });
  });

  it('that the operation does not know are sent, for its answer to name them', () => {
    expect(httpInput(operation('trials-stats'), { nonsense: 1 }).path).toBe('/api/v1/trials/stats?nonsense=1');
    expect(httpInput(operation('claims-create'), { nonsense: 1 }).body).toEqual({ nonsense: 1 });
  });

  it.each([
    ['a dot segment', 'trials-detail', { canonicalId: '..' }, 'canonicalId'],
    ['an empty path value', 'trials-detail', { canonicalId: '' }, 'canonicalId'],
    ['a missing path value', 'finding-review', {}, 'findingId'],
    ['an object in a query', 'trials-search', { q: {} }, 'q'],
    ['half a character', 'trials-search', { q: '\ud800' }, 'q'],
    ['a line break in a header', 'claims-create', { idempotencyKey: 'abcdefgh\r\nX: y' }, 'idempotencyKey'],
  ])('are refused by name when no request can carry them: %s', (_title, id, given, argument) => {
    expect(() => httpInput(operation(id), given)).toThrow(ArgumentFault);
    expect(() => httpInput(operation(id), given)).toThrow(expect.objectContaining({ argument }));
  });

  it('are taken under their name over REST too, which no schema shows', () => {
    const related = operation('trials-related');
    for (const name of ['canonicalId', 'id', 'registryId']) {
      expect(httpInput(related, { [name]: 'NCT00000102' }).path).toBe('/api/v1/trials/NCT00000102/related');
      expect(() => refuseUnknown(related, { [name]: 'x' })).not.toThrow();
    }
    expect(Object.keys(argumentsSchema(related).properties as object)).toEqual([
      'canonicalId',
      'include',
      'limit',
      'detail',
      'fields',
    ]);
    const link = { relation: 'extends', note: 'n', agentName: 'a', toId: 'fnd_b' };
    for (const name of ['fromId', 'id']) {
      expect(httpInput(operation('finding-link'), { ...link, [name]: 'fnd_a' }).path).toBe(
        '/api/v1/findings/fnd_a/link',
      );
    }
  });

  it('may be repeated under another name with the same value; a second value is refused by name', () => {
    const claim = operation('claims-detail');
    expect(httpInput(claim, { claimId: 'clm_a', id: 'clm_a' }).path).toBe('/api/v1/claims/clm_a');
    expect(httpInput(claim, { id: null, claimId: 'clm_a' }).path).toBe('/api/v1/claims/clm_a');
    expect(httpInput(claim, { claimId: undefined, id: 'clm_a' }).path).toBe('/api/v1/claims/clm_a');
    expect(() => httpInput(claim, { claimId: 'clm_a', id: 'clm_b' })).toThrow(
      expect.objectContaining({ argument: 'id', expected: 'one value under all of its names: claimId, id' }),
    );
  });

  it('name each thing in one way: an id that a tool takes says what it is an id of', () => {
    const vague = OPERATIONS.filter(({ names }) => names?.mcp !== undefined).filter((candidate) =>
      argumentsOf(candidate).some(({ name }) => name === 'id'),
    );
    // The identifier that is to be resolved may be of any registry.
    expect(vague.map(({ id }) => id)).toEqual(['trials-registrations']);
  });

  it('have one argument for each name, also for the names that are not shown', () => {
    for (const candidate of OPERATIONS) {
      const names = argumentsOf(candidate).flatMap(({ name, aliases }) => [name, ...aliases]);
      expect({ id: candidate.id, names }).toEqual({ id: candidate.id, names: [...new Set(names)] });
    }
  });
});
