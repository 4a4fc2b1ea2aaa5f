import { pino } from 'pino';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { createBoardApp } from '../../board-server/app.ts';
import { DOORS } from '../../contract/interfaces/doors.ts';
import { PAGES } from '../../contract/interfaces/pages.ts';
import { routesOf } from '../../gateway/description/contract-check.ts';
import { ASSET_PATHS } from '../../gateway/pages/assets.ts';
import { type FuzzOrigin, openFuzzOrigin } from '../fuzz/fuzz-origin.ts';
import { plantedFor } from '../fuzz/planted.ts';
import { KNOWN_CALLS } from '../support/contract-texts.ts';
import type { TestOrigin } from '../support/origin.ts';

interface Listed {
  id: string;
  method: string;
  path: string;
  example: string;
}

const BLANK = /\{([A-Za-z]+)\}/g;
/** A call without the names of its placeholders, so that calls compare equal. */
const unnamed = (call: string): string => call.replaceAll(BLANK, '{}');
const asListed = (path: string): string => path.replaceAll(/:([A-Za-z]+)/g, '{$1}');

let walked: FuzzOrigin;
let origin: TestOrigin;
let listed: Listed[];
let bodies: Map<string, unknown>;
beforeAll(async () => {
  walked = await openFuzzOrigin();
  origin = walked.origin;
  listed = (await origin.get('/api/v1')).body.data.endpoints;
  const { paths } = (await origin.get('/api/v1/openapi.json')).body;
  bodies = new Map(
    listed.map(({ id, method, path }) => [
      id,
      paths[path]?.[method.toLowerCase()]?.requestBody?.content['application/json'].example,
    ]),
  );
});
afterAll(() => walked[Symbol.asyncDispose]());

/** The example's address with ids of objects that exist. */
function address({ path, example }: Listed): string {
  return example.replaceAll(BLANK, (_blank, name: string) => {
    const [known] = plantedFor(walked.planted, name, path);
    if (known === undefined) throw new Error(`nothing is planted for ${name} of ${path}`);
    return encodeURIComponent(String(known));
  });
}

describe('discovery', () => {
  it('lists each endpoint once', () => {
    const calls = listed.map(({ method, path }) => `${method} ${path}`);
    expect(calls).toEqual([...new Set(calls)]);
  });

  it('lists every endpoint that the interface names', () => {
    const calls = new Set(listed.map(({ method, path }) => unnamed(`${method} ${path}`)));
    const doors = new Set<string>(DOORS.flatMap(({ methods, path }) => methods.map((method) => `${method} ${path}`)));
    expect(Object.keys(KNOWN_CALLS).filter((call) => !calls.has(unnamed(call)) && !doors.has(call))).toEqual([]);
  });

  it('leaves out none that the servers answer', () => {
    const log = pino({ level: 'silent' });
    const boardApp = createBoardApp({
      log,
      now: origin.board.clock.now,
      baseUrl: null,
      services: origin.board.services,
    });
    const known = new Set([
      ...listed.map(({ method, path }) => `${method} ${path}`),
      ...DOORS.flatMap(({ methods, path }) => methods.map((method) => `${method} ${path}`)),
      ...[...PAGES.map(({ path }) => path), ...ASSET_PATHS].map((path) => `GET ${path}`),
    ]);
    const paths = new Set([...known].map((call) => call.split(' ')[1]));
    const unlisted = [...routesOf(origin.gateway.app), ...routesOf(boardApp)]
      .map(({ method, path }) => ({ method: method === 'HEAD' ? 'GET' : method, path: asListed(path) }))
      .filter(({ path }) => path !== '/**' && !path.startsWith('/internal/'))
      .filter(({ method, path }) => (method === '' ? !paths.has(path) : !known.has(`${method} ${path}`)));
    expect(unlisted).toEqual([]);
  });

  it('leads to endpoints that all answer: reads with 200, writes by what they declare', async () => {
    const failures: string[] = [];
    for (const endpoint of listed) {
      const { method } = endpoint;
      const path = address(endpoint);
      const body = method === 'GET' ? null : JSON.stringify(bodies.get(endpoint.id) ?? {});
      const answer = await fetch(`${origin.url}${path}`, {
        method,
        ...(body === null ? {} : { body, headers: { 'content-type': 'application/json' } }),
      });
      const text = await answer.text();
      const error = answer.headers.get('content-type')?.startsWith('application/json')
        ? JSON.parse(text).error
        : undefined;
      const fine = method === 'GET' ? answer.status === 200 : answer.status < 500 && answer.status !== 405;
      // A read that needs a credential exists, and answers AUTH_REQUIRED.
      if (!fine && error?.code !== 'AUTH_REQUIRED') failures.push(`${method} ${path}: ${answer.status} ${text}`);
    }
    expect(failures).toEqual([]);
  });
});
