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
  it('has exactly the blocks of the interface', async () => {
    const { status, body } = await gateway.get(PATH);
    expect(status).toBe(200);
    expect(Object.keys(body.data)).toEqual([
      'version',
      'path',
      'page',
      'status',
      'objectiveId',
      'scope',
      'privateApi',
      'currentReferences',
      'inventorySchema',
      'dataRequirements',
      'modules',
      'branches',
      'referenceSnapshot',
      'referencePolicy',
      'tasks',
      'rules',
    ]);
    expect(body.data).toMatchObject({
      version: 't1d-private-research-1.0.0',
      path: PATH,
      page: '/patient-model',
      objectiveId: 'virtual-cell-intake',
      status: expect.any(String),
      privateApi: {
        base: '/api/patient-model',
        contract: '/api/patient-model/guide',
        login: '/login',
        signup: '/signup',
      },
      currentReferences: { path: `${PATH}/references`, reviewedOn: '2026-11-21' },
    });
  });

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

  it('holds what the interface names of each data requirement, task and branch, in its order', async () => {
    const { dataRequirements, tasks, branches, referencePolicy } = (await gateway.get(PATH)).body.data;
    expect(dataRequirements.map(({ id }: { id: string }) => id)).toEqual(KEYS);
    const said = (id: string) => JSON.stringify(dataRequirements.find((one: { id: string }) => one.id === id));
    expect(said('glucose')).toMatch(/timezone.*original unit.*device.*quality flags.*gaps.*calibration events/);
    expect(said('insulin')).toMatch(/formulation.*dose.*basal or bolus.*interruptions/);
    expect(said('context')).toMatch(/meals.*activity.*illness.*medication changes.*weight.*stay unknown/);
    expect(said('secretion')).toMatch(/stimulation protocol.*detection limit.*kidney function.*censored.*not zero/);
    expect(said('genome')).toMatch(/variant file.*reference build.*pipeline.*coverage report.*typing method/);
    expect(said('perturbation')).toMatch(/accession.*licence.*donor and stage.*batch.*controls.*survival.*units/);
    expect(said('validation')).toMatch(
      /declared beforehand.*withheld outcomes.*independent cohort.*metrics.*baselines.*leakage/,
    );
    expect(branches.map(({ id }: { id: string }) => id)).toEqual([
      'replacement-physical',
      'replacement-evasion',
      'replacement-tolerance',
      'native-restoration',
    ]);
    expect(tasks.map(({ id }: { id: string }) => id)).toEqual([
      'reference-audit',
      'data-contract',
      'absolute-secretion',
      'immune-protection',
      'functional-demand',
      'replication',
    ]);
    for (const task of tasks) {
      expect(Object.keys(task)).toEqual(['id', 'title', 'endpoints', 'deliverable', 'falsifiedIf', 'prompt']);
    }
    expect(referencePolicy).toMatchObject({
      mode: expect.any(String),
      notAutomaticallyRefreshed: true,
      refreshBeforeUse: true,
      endpoints: [
        '/api/v1/cure-lab/evidence?stage=established',
        '/api/v1/cure-lab/contradictions',
        '/api/v1/trials/search?q=<query>',
        '/api/v1/freshness',
      ],
    });
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

  it('leave out an identifier that was not confirmed', async () => {
    const { references } = (await gateway.get(`${PATH}/references`)).body.data;
    const byId = Object.fromEntries(references.map((one: { id: string }) => [one.id, one]));
    for (const id of ['ramzy-2021', 'hu-hip-2023']) {
      expect([byId[id].pmid, byId[id].doi, byId[id].url]).toEqual([undefined, undefined, undefined]);
    }
    expect(byId['up421-2025']).toMatchObject({ doi: '10.1056/NEJMoa2503822' });
    expect(byId['up421-2025'].pmid).toBeUndefined();
    expect(byId['clver-2023']).toMatchObject({
      pmid: '36826844',
      url: 'https://doi.org/10.1001/jama.2023.2064',
      supportingUrl: 'https://pubmed.ncbi.nlm.nih.gov/36826844/',
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
