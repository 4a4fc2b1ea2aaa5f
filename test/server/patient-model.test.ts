import { Ajv2020 } from 'ajv/dist/2020.js';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { callsIn, KNOWN_CALLS } from '../support/contract-texts.ts';
import { openGateway, type TestGateway } from '../support/gateway.ts';

const PATH = '/api/v1/twin/patient-model';
const KEYS = [
  'clinical',
  'glucose',
  'insulin',
  'context',
  'secretion',
  'genome',
  'immune',
  'perturbation',
  'validation',
];

let gateway: TestGateway;
beforeAll(async () => {
  gateway = await openGateway();
});
afterAll(() => gateway[Symbol.asyncDispose]());

describe('the patient-model contract', () => {
  it('describes an inventory of nine optional keys with four values, and takes no other', async () => {
    const { inventorySchema } = (await gateway.get(PATH)).body.data;
    expect(Object.keys(inventorySchema.properties)).toEqual(KEYS);
    expect(inventorySchema.required).toBeUndefined();
    const valid = new Ajv2020({ strict: true }).compile(inventorySchema);
    expect(valid({})).toBe(true);
    expect(valid(Object.fromEntries(KEYS.map((key) => [key, 'structured'])))).toBe(true);
    expect(valid({ clinical: 'HbA1c 7.1' })).toBe(false);
    expect(valid({ clinical: 'available', name: 'available' })).toBe(false);
  });

  it('says of each need of a module what the request stated, unknown where it stated nothing, and no score', async () => {
    const { body } = await gateway.get(`${PATH}?clinical=structured&validation=unavailable`);
    const modules = Object.fromEntries(
      body.data.modules.map((module: { id: string; inventory: { need: string; state: string }[] }) => [
        module.id,
        module.inventory.map(({ need, state }) => `${need} ${state}`),
      ]),
    );
    expect(modules).toEqual({
      metabolism: [
        'clinical structured',
        'glucose unknown',
        'insulin unknown',
        'context unknown',
        'validation unavailable',
      ],
      islet: ['clinical structured', 'secretion unknown', 'perturbation unknown', 'validation unavailable'],
      immune: ['genome unknown', 'immune unknown', 'perturbation unknown', 'validation unavailable'],
      graft: ['perturbation unknown', 'validation unavailable'],
    });
    expect(JSON.stringify(body.data.modules)).not.toMatch(/score|ready|percent|share/i);
  });

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

  it('claim no immune isolation and no human proof of tolerance', async () => {
    const { branches } = (await gateway.get(`${PATH}/references`)).body.data;
    const byId = Object.fromEntries(branches.map((branch: { id: string }) => [branch.id, branch]));
    expect(byId['replacement-physical']).toMatchObject({
      references: ['keymeulen-2023', 'ramzy-2021', 'shapiro-vc02-2021'],
      note: expect.stringContaining('not immune isolation'),
    });
    expect(byId['replacement-tolerance']).toMatchObject({
      references: [],
      note: expect.stringContaining('No human proof was found'),
    });
  });
});
