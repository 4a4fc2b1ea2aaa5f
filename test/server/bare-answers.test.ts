import { H3 } from 'h3';
import { pino } from 'pino';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { mountIndex } from '../../index-server/routes.ts';
import { ASKED_BARE_HEADER, asksBare } from '../../server-kit/answer/asked-bare.ts';
import { openGateway, TEST_NOW, type TestGateway } from '../support/gateway.ts';

/** A gateway makes pages of these answers: their figures are those of the whole answer. */

const HEADERS = { [ASKED_BARE_HEADER]: 'true' };

describe('an answer of figures alone', () => {
  let gateway: TestGateway;
  let index: H3;
  beforeAll(async () => {
    gateway = await openGateway();
    const common = { log: pino({ level: 'silent' }), now: () => TEST_NOW, baseUrl: null };
    index = new H3({ silent: true });
    mountIndex(index, { ...common, services: gateway.index, isBare: asksBare });
  });
  afterAll(() => gateway[Symbol.asyncDispose]());

  const ask = async (path: string, headers: Record<string, string>) => {
    const response = await index.fetch(new Request(`http://index.invalid/api/v1/trials/${path}`, { headers }));
    return (await response.json()) as { data: Record<string, unknown>; _meta: Record<string, unknown> };
  };

  it.each([
    'search?topic=diabetes&match=concepts&sort=start&pageSize=3',
    'search?q=asthmma&pageSize=1',
    'facets?topic=diabetes&match=concepts&facet=status,condition,country',
    'trend?condition=Asthma&split=phase',
    'changes?country=Germany&limit=3',
  ])('to %s has the data, filters and pages of the whole answer', async (path) => {
    const [whole, bare] = [await ask(path, {}), await ask(path, HEADERS)];
    expect(bare.data).toEqual(whole.data);
    const { correlationId, generatedAt, ...kept } = bare._meta;
    expect(whole._meta).toMatchObject(kept);
    for (const name of ['matching', 'alsoMatching', 'hints', 'receipt', 'nextCalls']) {
      expect(bare._meta).not.toHaveProperty(name);
    }
  });

  it('of the results gap lacks the shares by every clock', async () => {
    const path = 'results-gap?topic=diabetes&match=concepts';
    const [whole, bare] = [await ask(path, {}), await ask(path, HEADERS)];
    expect(bare.data).toEqual({ ...whole.data, clocks: [] });
    expect(whole.data.clocks).toHaveLength(4);
    expect(await ask(path, {})).toMatchObject({ data: { clocks: whole.data.clocks } });
  });

  it('is given to no client of the gateway', async () => {
    const path = '/api/v1/trials/search?q=asthmma';
    const [whole, asked] = [await gateway.get(path), await gateway.get(path, { headers: HEADERS })];
    expect(Object.keys(asked.body._meta)).toEqual(Object.keys(whole.body._meta));
    expect(asked.body._meta).toMatchObject({
      receipt: whole.body._meta.receipt,
      nextCalls: whole.body._meta.nextCalls,
    });
    expect(whole.body._meta.hints.map(({ cause }: { cause: string }) => cause)).toContain('spelling');
  });
});
