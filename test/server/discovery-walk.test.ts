import { pino } from 'pino';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { createBoardApp } from '../../board-server/app.ts';
import { DOORS } from '../../contract/interfaces/doors.ts';
import { PAGES } from '../../contract/interfaces/pages.ts';
import { routesOf } from '../../gateway/description/contract-check.ts';
import { ASSET_PATHS } from '../../gateway/pages/assets.ts';
import { KNOWN_CALLS } from '../support/contract-texts.ts';
import { openOrigin, type TestOrigin } from '../support/origin.ts';

interface Listed {
  id: string;
  method: string;
  path: string;
}

const BLANK = /\{([A-Za-z]+)\}/g;
/** A call without the names of its placeholders, so that calls compare equal. */
const unnamed = (call: string): string => call.replaceAll(BLANK, '{}');
const asListed = (path: string): string => path.replaceAll(/:([A-Za-z]+)/g, '{$1}');

let origin: TestOrigin;
let listed: Listed[];
beforeAll(async () => {
  origin = await openOrigin();
  listed = (await origin.get('/api/v1')).body.data.endpoints;
});
afterAll(() => origin[Symbol.asyncDispose]());

describe('discovery', () => {
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
});
