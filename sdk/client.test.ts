import { getEventListeners } from 'node:events';
import { describe, expect, it } from 'vitest';
import { answer, fakeService, refusal, unreachable } from '../test/support/fake-service.ts';
import { TrialBoardClient, TrialBoardError } from './client.ts';

const CLAIM = {
  objectiveId: 'map-one-disease',
  scope: 'type 1 diabetes, phase 2',
  intent: 'Read every phase 2 trial of the condition and hand back a table.',
  agentName: 'agent-a',
};
const UUID = /^[0-9a-f]{8}-[0-9a-f]{4}-4[0-9a-f]{3}-[89ab][0-9a-f]{3}-[0-9a-f]{12}$/;

describe('a call', () => {
  it('resolves with the whole answer', async () => {
    const { client, sent } = fakeService([answer({ trials: [] }, { snapshot: 'v1' })]);
    const { data, _meta } = await client.searchTrials({ q: 'type 1', phase: ['2', '3'], resultsAvailable: true });
    expect([data, _meta.snapshot]).toEqual([{ trials: [] }, 'v1']);
    expect(sent.map(({ method, path }) => [method, path])).toEqual([
      ['GET', '/api/v1/trials/search?q=type+1&phase=2%2C3&resultsAvailable=true'],
    ]);
  });

  it('sends key, agent and correlation id where they are given, and else neither', async () => {
    const keyed = fakeService([answer({})], { apiKey: 'tb_key', userAgent: 'agent/1' });
    await keyed.client.hello({}, { correlationId: 'run-00042' });
    expect(Object.fromEntries(keyed.sent[0]!.headers)).toEqual({
      accept: 'application/json',
      'user-agent': 'agent/1',
      'x-api-key': 'tb_key',
      'x-correlation-id': 'run-00042',
    });
    const plain = fakeService([answer({})]);
    await plain.client.hello();
    expect(Object.fromEntries(plain.sent[0]!.headers)).toEqual({ accept: 'application/json' });
  });

  it('neither sends cookies nor follows redirects, so that keys go nowhere else', async () => {
    let seen: RequestInit = {};
    const moved = new Response(null, { status: 307, headers: { location: 'http://elsewhere.example/' } });
    const { client, sent } = fakeService([
      (_sent, init) => {
        seen = init;
        return moved;
      },
    ]);
    await expect(client.hello()).rejects.toMatchObject({ code: 'UNEXPECTED_ANSWER', status: 307, retryable: false });
    expect([seen.redirect, seen.credentials, sent.length]).toEqual(['manual', 'omit', 1]);
  });

  it('keeps a path in front of the service', async () => {
    const seen: string[] = [];
    const client = new TrialBoardClient({
      baseUrl: 'https://host.example/board/',
      fetch: async (address) => {
        seen.push(address);
        return answer({});
      },
    });
    await client.hello();
    expect(seen).toEqual(['https://host.example/board/api/v1/hello']);
  });

  it('shows every attempt to onResponse, and what that throws is not taken for a failure of the network', async () => {
    const notices: unknown[] = [];
    const answers = () => [refusal(503, { code: 'DB_ERROR' }), answer({}, {}, { 'ratelimit-remaining': '7' })];
    const told = fakeService(answers(), {
      onResponse: ({ operation, attempt, status, headers }) =>
        notices.push([operation, attempt, status, headers.get('ratelimit-remaining')]),
    });
    await told.client.hello();
    expect(notices).toEqual([
      ['hello', 1, 503, null],
      ['hello', 2, 200, '7'],
    ]);
    const fault = new RangeError('the hook is broken');
    const broken = fakeService(answers(), {
      onResponse: () => {
        throw fault;
      },
    });
    await expect(broken.client.hello()).rejects.toBe(fault);
    expect(broken.sent).toHaveLength(1);
  });

  it('is refused at once for options that can never work', () => {
    const make = (options: object) => () => new TrialBoardClient({ baseUrl: 'http://board.example', ...options });
    for (const baseUrl of [
      'board.example',
      'ftp://board.example',
      'http://a:b@board.example',
      'http://board.example?x',
    ])
      expect(make({ baseUrl }), baseUrl).toThrow(TypeError);
    expect(make({ apiKey: 'a\nb' })).toThrow('apiKey must be printable ASCII characters');
    expect(make({ retries: -1 })).toThrow('retries must be a whole number from 0');
    expect(make({ timeoutMs: 1.5 })).toThrow('timeoutMs must be a whole number from 0');
  });
});

describe('a failure', () => {
  it('carries everything that the service said', async () => {
    const { client } = fakeService([
      refusal(400, {
        code: 'INVALID_PARAM',
        message: 'The parameter page is not usable.',
        retryable: false,
        hint: 'Correct it.',
        parameter: 'page',
        expected: 'a whole number',
        issues: [{ path: 'page', message: 'expected a whole number' }],
      }),
    ]);
    const error = await client.searchTrials({ page: 0 }).catch((thrown: unknown) => thrown);
    expect(error).toBeInstanceOf(TrialBoardError);
    expect({ ...(error as object), message: (error as Error).message }).toEqual({
      name: 'TrialBoardError',
      code: 'INVALID_PARAM',
      status: 400,
      message: 'The parameter page is not usable.',
      retryable: false,
      hint: 'Correct it.',
      correlationId: 'c-2',
      parameter: 'page',
      expected: 'a whole number',
      issues: [{ path: 'page', message: 'expected a whole number' }],
      retryAfterSeconds: undefined,
    });
  });

  it('of the network is an error of its own with its cause', async () => {
    const cause = unreachable();
    const { client } = fakeService([cause], { retries: 0 });
    await expect(client.hello()).rejects.toMatchObject({ code: 'NETWORK_ERROR', status: 0, retryable: true, cause });
  });

  it.each([
    ['a page of a proxy', () => new Response('<html>', { status: 200 }), false],
    ['JSON without an envelope', () => Response.json({ ok: true }), false],
    ['JSON null', () => Response.json(null), false],
    ['an error without a code', () => Response.json({ error: 'no' }, { status: 404 }), false],
    ['a gateway that timed out', () => new Response('timeout', { status: 504 }), true],
  ])('is UNEXPECTED_ANSWER for %s', async (_title, response, retryable) => {
    const { client } = fakeService([response()], { retries: 0 });
    await expect(client.hello()).rejects.toMatchObject({ code: 'UNEXPECTED_ANSWER', retryable });
  });

  it.each([
    ['getTrial', { canonicalId: '..' }, 'INVALID_PARAM', 'canonicalId'],
    ['createClaim', { ...CLAIM, idempotencyKey: 'a\r\nb: c' }, 'INVALID_IDEMPOTENCY_KEY', 'idempotencyKey'],
  ] as const)(
    'of %s for an argument that no request can carry is told without one',
    async (name, given, code, parameter) => {
      const { client, sent } = fakeService([]);
      await expect(client.call(name, given as never)).rejects.toMatchObject({ code, parameter, status: 0 });
      await expect(client.hello({}, { correlationId: 'é' })).rejects.toMatchObject({ parameter: 'correlationId' });
      expect(sent).toEqual([]);
    },
  );
});

describe('a repeat', () => {
  it('waits as long as Retry-After says, exactly', async () => {
    const limited = { code: 'RATE_LIMITED' };
    const { client, slept } = fakeService([
      refusal(429, limited, { 'retry-after': '7' }),
      refusal(429, { ...limited, retryAfterSeconds: 9 }),
      answer({}),
    ]);
    await client.hello();
    expect(slept).toEqual([7000, 9000]);
  });

  it('is left to the caller where Retry-After asks for more than a minute', async () => {
    const { client, slept } = fakeService([refusal(429, { code: 'RATE_LIMITED' }, { 'retry-after': '61' })]);
    await expect(client.hello()).rejects.toMatchObject({ code: 'RATE_LIMITED', retryAfterSeconds: 61 });
    expect(slept).toEqual([]);
  });

  it('waits anywhere from nothing to a bound that doubles, up to 20 seconds', async () => {
    const delays = async (random: () => number): Promise<number[]> => {
      const failures = Array.from({ length: 8 }, unreachable);
      const { client, slept } = fakeService([...failures, answer({})], { retries: 8, random });
      await client.hello();
      return slept;
    };
    expect(await delays(() => 0)).toEqual([0, 0, 0, 0, 0, 0, 0, 0]);
    expect(await delays(() => 0.5)).toEqual([250, 500, 1000, 2000, 4000, 8000, 10_000, 10_000]);
    expect(await delays(() => 1 - Number.EPSILON)).toEqual([499, 999, 1999, 3999, 7999, 15_999, 19_999, 19_999]);
  });

  it('comes three times and no more, unless asked otherwise', async () => {
    const failures = () => Array.from({ length: 9 }, () => refusal(503, { code: 'DB_ERROR' }));
    const usual = fakeService(failures());
    await expect(usual.client.hello()).rejects.toMatchObject({ code: 'DB_ERROR' });
    expect(usual.sent).toHaveLength(4);
    const none = fakeService(failures(), { retries: 0 });
    await expect(none.client.hello()).rejects.toMatchObject({ code: 'DB_ERROR' });
    expect(none.sent).toHaveLength(1);
  });

  it('of a write has the key of the first attempt, so that it cannot be carried out twice', async () => {
    const { client, sent } = fakeService([
      unreachable(),
      refusal(503, {}),
      new Response('', { status: 502 }),
      answer({}),
    ]);
    await client.createClaim(CLAIM);
    const keys = sent.map(({ headers }) => headers.get('idempotency-key'));
    expect(keys[0]).toMatch(UUID);
    expect(keys).toEqual(Array(4).fill(keys[0]));
    expect(sent.map(({ body }) => body)).toEqual(Array(4).fill(CLAIM));
  });

  it('has another key for another call, and the one of the caller where there is one', async () => {
    const { client, sent } = fakeService([answer({}), answer({}), answer({})]);
    await client.createClaim(CLAIM);
    await client.createClaim(CLAIM);
    await client.createClaim({ ...CLAIM, idempotencyKey: 'my-own-key' });
    const [first, second, third] = sent.map(({ headers }) => headers.get('idempotency-key'));
    expect(second).not.toBe(first);
    expect(third).toBe('my-own-key');
    expect(sent[2]!.body).toEqual(CLAIM);
  });

  it('of a write without a key is left to the caller unless the service itself refused', async () => {
    for (const failure of [unreachable(), new Response('', { status: 502 })]) {
      const lost = fakeService([failure]);
      await expect(lost.client.deleteWebhook({ id: 'webhook_1', secret: 's' })).rejects.toMatchObject({
        retryable: true,
      });
      expect(lost.sent).toHaveLength(1);
    }
    const refused = fakeService([refusal(503, { code: 'RELEASE_FAILED' }), answer({})]);
    await refused.client.deleteWebhook({ id: 'webhook_1', secret: 's' });
    expect(refused.sent).toHaveLength(2);
  });
});

/** Never answers; rejects when the signal aborts, as fetch does. */
const silent = (_sent: unknown, init: RequestInit): Promise<Response> =>
  new Promise((_resolve, reject) => init.signal!.addEventListener('abort', () => reject(init.signal!.reason)));

describe('an end', () => {
  it('by the signal rejects with its own reason, in the request and between attempts, and is not repeated', async () => {
    const reason = new Error('enough');
    const inRequest = new AbortController();
    const waiting = fakeService([silent]);
    const call = waiting.client.hello({}, { signal: inRequest.signal });
    inRequest.abort(reason);
    await expect(call).rejects.toBe(reason);

    const between = new AbortController();
    const pausing = fakeService([
      () => {
        between.abort(reason);
        return refusal(503, { code: 'DB_ERROR' });
      },
    ]);
    await expect(pausing.client.hello({}, { signal: between.signal })).rejects.toBe(reason);

    const { client, sent } = fakeService([]);
    await expect(client.hello({}, { signal: AbortSignal.abort(reason) })).rejects.toBe(reason);
    expect([waiting.sent.length, pausing.sent.length, sent.length]).toEqual([1, 1, 0]);
  });

  it('by time is a failure of the network, repeated as one', async () => {
    const { client, sent } = fakeService([silent, answer({ ok: true })], { timeoutMs: 5 });
    expect((await client.hello()).data).toEqual({ ok: true });
    const lost = fakeService([silent], { timeoutMs: 5, retries: 0 });
    await expect(lost.client.hello()).rejects.toMatchObject({
      code: 'NETWORK_ERROR',
      message: 'The service did not answer within 5 ms.',
    });
    expect(sent).toHaveLength(2);
  });

  it('by time covers the body', async () => {
    const stalled = (_sent: unknown, init: RequestInit): Response => {
      const body = new ReadableStream({
        start(controller) {
          controller.enqueue(new TextEncoder().encode('{"data":'));
          init.signal!.addEventListener('abort', () => controller.error(init.signal!.reason));
        },
      });
      return new Response(body);
    };
    const { client } = fakeService([stalled], { timeoutMs: 5, retries: 0 });
    await expect(client.hello()).rejects.toMatchObject({ code: 'NETWORK_ERROR' });
  });

  it('leaves the wait of a long poll out of its own time', async () => {
    const late = async (): Promise<Response> => {
      await new Promise((resolve) => setTimeout(resolve, 40));
      return answer({ events: [] });
    };
    const { client } = fakeService([late], { timeoutMs: 5, retries: 0 });
    expect((await client.getChanges({ wait: 1 })).data).toEqual({ events: [] });
  });

  it('of any kind leaves no listener on the signal', async () => {
    const { signal } = new AbortController();
    const { client } = fakeService([refusal(503, { code: 'DB_ERROR' }), answer({}), unreachable()], {
      retries: 1,
      random: () => 0.002,
      sleep: undefined,
    });
    await client.hello({}, { signal });
    await expect(client.releaseClaim({ id: 'clm_1' }, { signal })).rejects.toThrow();
    expect(getEventListeners(signal, 'abort')).toEqual([]);
  });
});
