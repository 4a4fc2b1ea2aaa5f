import { describe, expect, it } from 'vitest';
import { callsIn, KNOWN_CALLS } from '../support/contract-texts.ts';
import { openGateway } from '../support/gateway.ts';
import { ofFile } from '../support/of-file.ts';

const PATH = '/api/v1/twin/patient-model';

const gateway = ofFile(() => openGateway());

describe('the patient-model contract', () => {
  it('names in its tasks only calls that exist', async () => {
    const { tasks } = (await gateway.get(PATH)).body.data;
    const calls = callsIn(JSON.stringify(tasks)).map(({ method, path }) => `${method} ${path}`);
    expect(calls.length).toBeGreaterThan(12);
    expect(calls.filter((call) => !(call in KNOWN_CALLS))).toEqual([]);
  });

  it('is the same bytes for the same inventory, and says so with an ETag', async () => {
    const first = await gateway.get(`${PATH}?clinical=available`);
    const etag = first.headers.get('etag')!;
    const again = await gateway.get(`${PATH}?clinical=available`, { headers: { 'if-none-match': etag } });
    expect([again.status, (await gateway.get(PATH)).headers.get('etag') === etag]).toEqual([304, false]);
  });
});

describe('the references', () => {
  it('are dated, by id, each with its level, immune context, use and what it leaves open', async () => {
    const { data } = (await gateway.get(`${PATH}/references`)).body;
    expect(data.reviewedOn).toBe('2026-11-21');
    const ids = data.references.map(({ id }: { id: string }) => id);
    expect(ids).toHaveLength(25);
    expect(ids).toEqual([...ids].sort());
    for (const one of data.references) {
      for (const field of ['title', 'sourceLevel', 'finding', 'immuneContext', 'use', 'unresolved']) {
        expect([one.id, field, one[field]?.length > 3]).toEqual([one.id, field, true]);
      }
    }
    expect((await gateway.get(PATH)).body.data.referenceSnapshot).toEqual({
      id: data.id,
      reviewedOn: data.reviewedOn,
      scope: data.scope,
      references: data.references,
    });
  });
});
