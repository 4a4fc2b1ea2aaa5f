import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { WORKFLOWS } from '../../contract/declared/workflows.ts';
import { FIXED_RESOURCES, RESOURCE_TEMPLATES } from '../../contract/interfaces/resources.ts';
import { isWrite } from '../../contract/operation.ts';
import { OPERATIONS } from '../../contract/operations.ts';
import { inWordsOf } from '../../gateway/door-words/in-words-of.ts';
import { openRateLimiter } from '../../server-kit/limits/limits.ts';
import { CLAIM } from '../support/board/board-writes.ts';
import { FINDING } from '../support/board/findings.ts';
import { openOrigin, type TestOrigin } from '../support/origin.ts';

/** What the MCP door offers beside tools: resources, templates with completion, and prompts. */

const PATH = '/api/v1/mcp';
let origin: TestOrigin;
let canonicalId: string;
let version: string;
let findingId: string;
let claimId: string;
beforeAll(async () => {
  origin = await openOrigin();
  const { body } = await origin.get('/api/v1/trials/search?pageSize=1');
  canonicalId = body.data.trials[0].canonicalId;
  version = body._meta.snapshot;
  findingId = (await origin.send('/api/v1/findings', FINDING)).body.data.id;
  claimId = (await origin.send('/api/v1/claims', CLAIM)).body.data.id;
});
afterAll(() => origin[Symbol.asyncDispose]());

async function send(method: string, params: object = {}, path = PATH, to = origin) {
  const accept = 'application/json, text/event-stream';
  return (await to.send(path, { jsonrpc: '2.0', id: 1, method, params }, { accept })).body;
}

const read = async (uri: string) => (await send('resources/read', { uri })).result.contents[0];

describe('the resources', () => {
  it('are listed with names of their own, and each can be read', async () => {
    const { resources } = (await send('resources/list')).result;
    expect(resources.map(({ uri }: { uri: string }) => uri)).toEqual([
      'trial-board://glossary',
      'trial-board://curriculum',
      'trial-board://snapshots',
    ]);
    for (const { uri, mimeType } of resources) expect(await read(uri)).toMatchObject({ uri, mimeType });
    const names = [...FIXED_RESOURCES, ...RESOURCE_TEMPLATES].map(({ name }) => name);
    expect(names).toEqual([...new Set(names)]);
  });

  it('are answers of reads that exist, with the arguments that the templates name', () => {
    for (const { operation: id, template, completes } of RESOURCE_TEMPLATES) {
      const operation = OPERATIONS.find((candidate) => candidate.id === id)!;
      expect(isWrite(operation)).toBe(false);
      const names = [...template.matchAll(/\{(\w+)\}/g)].map(([, name]) => name!);
      expect(Object.keys(completes)).toEqual(names);
      const known = [...Object.keys(operation.params ?? {}), ...Object.keys(operation.query ?? {})];
      expect(names.filter((name) => !known.includes(name))).toEqual([]);
    }
  });

  it('of templates are what the tools answer', async () => {
    const condition = 'type 2 diabetes';
    const pairs: [uri: string, id: string, given: object][] = [
      [`trials/${canonicalId}`, 'trials-detail', { canonicalId }],
      [`findings/${findingId}`, 'finding', { id: findingId }],
      [`snapshots/${version}`, 'snapshot', { version }],
      ['curriculum/map-one-disease', 'curriculum', { id: 'map-one-disease' }],
      [
        'conditions/type%202%20diabetes/countries/United%20Kingdom',
        'trials-coverage',
        { condition, country: 'United Kingdom' },
      ],
      ['capabilities/claims', 'capabilities', { topic: 'claims', form: 'full' }],
    ];
    for (const [uri, id, given] of pairs) {
      const answer = JSON.parse((await read(`trial-board://${uri}`)).text);
      const { result } = await send('tools/call', {
        name: 'call_operation',
        arguments: { id, arguments: { detail: 'full', ...given } },
      });
      // A resource is read and not acted on: it has no next calls, and its calls are those of REST.
      const { nextCalls, ...data } = result.structuredContent.data;
      expect([uri, inWordsOf('mcp', answer.data)]).toEqual([uri, data]);
    }
  });

  it.each([
    'trial-board://none',
    'trial-board://trials/',
    'trial-board://trials/%ff',
    'https://example.org',
    'trial-board://trials/wt_000000000000',
  ])('%s is not found, and the answer names it', async (uri) => {
    const { error } = await send('resources/read', { uri });
    expect([error.code, error.data]).toEqual([-32602, { uri }]);
  });

  it('are charged as their operation, once', async () => {
    await using limiter = await openRateLimiter('memory');
    await using limited = await openOrigin({ limiter });
    const remaining = async () =>
      (await limited.get('/api/v1/usage')).body.data.buckets.find(({ id }: { id: string }) => id === 'read').remaining;
    const taken: number[] = [];
    const acts: [string, object][] = [
      ['resources/read', { uri: 'trial-board://curriculum' }],
      ['resources/read', { uri: 'trial-board://glossary' }],
      ['resources/read', { uri: 'trial-board://none' }],
      ['resources/list', {}],
      ['prompts/get', { name: 'count-trials' }],
      [
        'completion/complete',
        {
          ref: { type: 'ref/resource', uri: RESOURCE_TEMPLATES[0]!.template },
          argument: { name: 'canonicalId', value: '' },
        },
      ],
      ['completion/complete', { ref: { type: 'ref/prompt', name: 'none' }, argument: { name: 'a', value: '' } }],
    ];
    for (const [method, params] of acts) {
      const before = await remaining();
      await send(method, params, PATH, limited);
      taken.push(before - (await remaining()) - 1);
    }
    expect(taken).toEqual(acts.map(() => 1));
  });
});

describe('completion', () => {
  const ofTemplate = (name: string) => ({
    type: 'ref/resource',
    uri: RESOURCE_TEMPLATES.find((template) => template.name === name)!.template,
  });
  const complete = async (ref: object, name: string, value: string) =>
    (await send('completion/complete', { ref, argument: { name, value } })).result.completion;

  it('knows conditions and countries by how a word begins, those with the most trials first', async () => {
    const conditions = await complete(ofTemplate('condition'), 'condition', 'Diab');
    expect(conditions.values.length).toBeGreaterThan(0);
    expect(conditions.values.every((value: string) => /\bdiab/.test(value))).toBe(true);
    expect(await complete(ofTemplate('condition-in-country'), 'country', 'united k')).toEqual({
      values: ['United Kingdom'],
      total: 1,
      hasMore: false,
    });
  });

  it('knows ids: of trials by what they are about, of findings, claims, snapshots and objectives by how they begin', async () => {
    const trials = await complete(ofTemplate('trial'), 'canonicalId', 'diabetes');
    const searched = (await origin.get('/api/v1/trials/search?q=diabetes&pageSize=20')).body.data.trials;
    expect(trials.values).toEqual(searched.map((trial: { canonicalId: string }) => trial.canonicalId));
    expect((await complete(ofTemplate('finding'), 'id', '')).values).toEqual([findingId]);
    expect((await complete(ofTemplate('finding'), 'id', 'x')).values).toEqual([]);
    expect((await complete({ type: 'ref/prompt', name: 'give-back' }, 'claimId', '')).values).toEqual([claimId]);
    expect((await complete(ofTemplate('snapshot'), 'version', version.slice(0, 4))).values).toContain(version);
    for (const name of ['__proto__', 'constructor', 'toString'])
      expect((await complete(ofTemplate('trial'), name, 'x')).values).toEqual([]);
    expect((await complete(ofTemplate('objective'), 'id', 'map')).values).toContain('map-one-disease');
    const number = await complete({ type: 'ref/prompt', name: 'resolve-identifier' }, 'id', '');
    expect(number.values.some((value: string) => /^NCT\d{8}$/.test(value))).toBe(true);
  });

  it('has nothing for an argument that can be anything, and refuses what does not exist', async () => {
    expect(await complete({ type: 'ref/prompt', name: 'do-a-slice' }, 'agentName', 'a')).toEqual({
      values: [],
      total: 0,
    });
    const { error } = await send('completion/complete', {
      ref: { type: 'ref/resource', uri: 'trial-board://none/{id}' },
      argument: { name: 'id', value: '' },
    });
    expect(error.code).toBe(-32602);
  });
});

describe('the prompts', () => {
  it('are the workflows, and those that write are left out where nothing may', async () => {
    const names = async (path?: string) =>
      (await send('prompts/list', {}, path)).result.prompts.map(({ name }: { name: string }) => name);
    expect(await names()).toEqual(WORKFLOWS.map(({ id }) => id));
    expect(await names(`${PATH}/readonly`)).toEqual(['count-trials', 'resolve-identifier', 'follow-the-board']);
  });

  it('say which tools to call, with the values of who asks in place of the examples', async () => {
    const { messages } = (await send('prompts/get', { name: 'count-trials', arguments: { words: 'asthma' } })).result;
    expect(messages).toHaveLength(1);
    const lines = messages[0].content.text.split('\n');
    expect(lines[0]).toBe('Count trials honestly. A number of trials is to be quoted.');
    expect(lines[3]).toMatch(/^2\. get_trial_coverage \{"q":"asthma"\} \(call it coverage\): Quote `distinct`/);
  });

  it('that do not exist are refused with those that are near', async () => {
    const { error } = await send('prompts/get', { name: 'count-trial' });
    expect([error.code, error.message]).toEqual([-32602, expect.stringContaining('count-trials')]);
  });
});
