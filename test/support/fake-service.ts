import { TrialBoardClient } from '../../sdk/client.ts';
import type { ClientOptions, Fetch } from '../../sdk/options.ts';

export interface SentRequest {
  method: string;
  /** Path and query. */
  path: string;
  headers: Headers;
  body: unknown;
}

type Scripted = Response | Error | ((sent: SentRequest, init: RequestInit) => Response | Promise<Response>);

export interface FakeService {
  client: TrialBoardClient;
  sent: SentRequest[];
  /** Milliseconds of each pause, in order. */
  slept: number[];
}

/** A client of a service that gives these answers in order, with a clock that stands still. */
export function fakeService(answers: Scripted[], options: Partial<ClientOptions> = {}): FakeService {
  const sent: SentRequest[] = [];
  const slept: number[] = [];
  const fetch: Fetch = async (address, init) => {
    const url = new URL(address);
    const request = {
      method: init.method!,
      path: `${url.pathname}${url.search}`,
      headers: new Headers(init.headers),
      body: typeof init.body === 'string' ? JSON.parse(init.body) : null,
    };
    sent.push(request);
    const next = answers.shift();
    if (next === undefined) throw new Error('the test gave no further answer');
    if (next instanceof Error) throw next;
    return typeof next === 'function' ? next(request, init) : next;
  };
  const sleep = async (milliseconds: number, signal: AbortSignal | undefined): Promise<void> => {
    slept.push(milliseconds);
    signal?.throwIfAborted();
  };
  const client = new TrialBoardClient({ baseUrl: 'http://board.example', fetch, sleep, random: () => 0.5, ...options });
  return { client, sent, slept };
}

const META = { api: 'trial-board', version: '1', schemaVersion: '1', correlationId: 'c-1', generatedAt: 'now' };

export function answer(data: unknown, meta: object = {}, headers: Record<string, string> = {}): Response {
  return Response.json({ data, _meta: { ...META, ...meta } }, { headers });
}

export function refusal(status: number, error: object, headers: Record<string, string> = {}): Response {
  const whole = { code: 'CLAIM_FAILED', message: 'm', retryable: true, hint: 'h', correlationId: 'c-2', ...error };
  return Response.json({ error: whole }, { status, headers });
}

/** A connection that was refused, as fetch reports it. */
export function unreachable(): TypeError {
  return new TypeError('fetch failed');
}
