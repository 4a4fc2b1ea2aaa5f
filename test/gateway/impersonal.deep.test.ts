import { mkdtemp, readdir, readFile, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, inject, it } from 'vitest';
import { isImpersonalPath, isPrivatePath } from '../../contract/impersonal-paths.ts';
import { OPERATIONS } from '../../contract/operations.ts';
import { type BareAnswer, type BareOrigin, openBareOrigin } from '../support/bare-origin.ts';
import { MCP_HEADERS, MCP_PATH, toolCall } from '../support/mcp.ts';
import { ofFile } from '../support/of-file.ts';
import { exchange } from '../support/raw-socket.ts';

import { type ServerProcess, startServer } from '../support/server-process.ts';

const GUIDE = '/api/v1/twin/patient-model';
const PRIVATE = '/api/patient-model';
const PAGE = '/patient-model';

/** Values that must not be found anywhere afterwards: invented, in the form of what someone might send. */
const PERSON = {
  name: 'Zebulon-Quimby',
  born: '1987-03-14',
  record: 'MRN-40991182',
  glucose: '13.72mmol',
  mail: 'zq@example.org',
} as const;
const SECRETS = Object.values(PERSON);
const JSON_BODY = JSON.stringify(PERSON);
const METHODS = ['GET', 'HEAD', 'POST', 'PUT', 'PATCH', 'DELETE', 'OPTIONS'];

/** Requests that carry these values in every way. */
function requests(): { path: string; method?: string; headers?: Record<string, string>; body?: string }[] {
  const query = new URLSearchParams(PERSON).toString();
  const headers = {
    'x-correlation-id': PERSON.record,
    'x-patient-name': PERSON.name,
    authorization: `Bearer ${PERSON.record}`,
    cookie: `person=${PERSON.name}`,
    'user-agent': PERSON.name,
    referer: `https://example.org/${PERSON.record}`,
    'if-none-match': `"${PERSON.record}"`,
    'idempotency-key': PERSON.record,
    'content-type': 'application/json',
    accept: 'application/json',
  };
  const guides = [GUIDE, `${GUIDE}/references`, PRIVATE, `${PRIVATE}/guide`, `${PRIVATE}/runs/1`];
  const places = [...guides, PAGE, '/login', '/signup'];
  return places.flatMap((path) => [
    { path: `${path}?${query}` },
    { path: `${path}?${PERSON.name}=available` },
    { path: `${path}?clinical=${PERSON.glucose}&${PERSON.name}=available` },
    { path, headers },
    { path: `${path}/${PERSON.record}?${query}`, headers },
    { path: `${path}/${PERSON.name}%ff`, headers },
    { path, headers: { ...headers, 'x-api-key': PERSON.record } },
    { path, headers: { ...headers, accept: 'application/problem+json' } },
    { path: `${path}?${query}`, headers: { ...headers, accept: 'text/html' } },
    { path: `${path}/${PERSON.record}`, headers: { ...headers, accept: 'text/html' } },
    ...['GET', 'POST', 'PUT', 'PATCH', 'DELETE'].map((method) => ({ path, method, headers, body: JSON_BODY })),
    { path, method: 'POST', headers: { ...headers, 'content-type': 'text/plain' }, body: `${PERSON.name} {` },
  ]);
}

const TOOL_CALLS = [
  { clinical: PERSON.glucose, [PERSON.name]: PERSON.born },
  { [PERSON.record]: { name: PERSON.name, born: PERSON.born } },
  { clinical: { value: PERSON.glucose } },
  { [PERSON.mail]: PERSON.name.repeat(1000) },
].map((given) => {
  const body = JSON.stringify(toolCall('twin_patient_model', given));
  return { path: MCP_PATH, method: 'POST', headers: MCP_HEADERS as Record<string, string>, body };
});

const found = (text: string): string[] => SECRETS.filter((secret) => text.includes(secret));

describe('a request with data of a person', () => {
  let root: string;
  let servers: ServerProcess[];
  let printed: () => string;
  beforeAll(async () => {
    root = await mkdtemp(join(tmpdir(), 'trial-board-impersonal-'));
    const chunks: Buffer[] = [];
    const started = async (entry: string, environment: Record<string, string>): Promise<ServerProcess> => {
      const snapshots = { SNAPSHOTS_DIR: inject('sampleSnapshots') };
      const common = { DATA_DIR: root, LOG_LEVEL: 'trace', RATE_LIMITS: 'off', ...snapshots };
      const server = await startServer(entry, { ...common, ...environment });
      server.child.stdout!.on('data', (chunk: Buffer) => chunks.push(chunk));
      return server;
    };
    const index = await started('index-server/main.ts', {});
    const board = await started('board-server/main.ts', { BOARD_PORT: '0' });
    const gateway = await started('gateway/main.ts', { INDEX_URL: index.url, BOARD_URL: board.url });
    servers = [gateway, index, board];
    printed = () => Buffer.concat(chunks).toString('utf8');
  });
  afterAll(async () => {
    await Promise.all(servers.map((server) => server.stop()));
    await rm(root, { recursive: true, force: true });
  });

  it('leaves no trace in an answer, in what three processes print, in metrics or in a file', async () => {
    const { url } = servers[0]!;
    const answers: { to: string; shows: string[] }[] = [];
    for (const { path, method = 'GET', headers = {}, body } of [...requests(), ...TOOL_CALLS]) {
      // Sent by hand, because fetch sends no body with a GET.
      const text = `${method} ${path} HTTP/1.1\r\nHost: a\r\nConnection: close\r\n${Object.entries({
        ...headers,
        ...(body === undefined ? {} : { 'content-length': Buffer.byteLength(body) }),
      })
        .map(([name, value]) => `${name}: ${value}\r\n`)
        .join('')}\r\n${body ?? ''}`;
      answers.push({ to: `${method} ${path.split('?')[0]}`, shows: found(await exchange(url, text)) });
    }
    const metrics = await (await fetch(`${url}/metrics`)).text();
    const status = await (await fetch(`${url}/api/v1/status`)).text();
    await Promise.all(servers.map((server) => server.stop()));
    const files = await readdir(root, { recursive: true, withFileTypes: true });
    const stored = await Promise.all(
      files.filter((file) => file.isFile()).map((file) => readFile(join(file.parentPath, file.name), 'latin1')),
    );
    expect(answers.filter(({ shows }) => shows.length > 0)).toEqual([]);
    expect(printed().split('"event":"request"').length).toBeGreaterThan(answers.length);
    expect(found(printed())).toEqual([]);
    expect(found(metrics + status)).toEqual([]);
    expect(stored.length).toBeGreaterThan(1);
    expect(stored.flatMap(found)).toEqual([]);
  });
});

describe('the patient-model paths', () => {
  const origin = ofFile(() => openBareOrigin());

  const ask = (path: string, options: Parameters<BareOrigin['ask']>[1] = {}): Promise<BareAnswer> =>
    origin.ask(path, options);

  it('refuse a parameter that is no key of the inventory, without its name', async () => {
    const { status, body, text } = await ask(`${GUIDE}?clinical=available&hba1c=7.1`);
    expect(status).toBe(400);
    expect(body.error).toMatchObject({
      code: 'INVALID_PARAM',
      parameter: 'query',
      expected:
        'no parameter but clinical, glucose, insulin, context, secretion, genome, immune, perturbation, validation',
    });
    expect(text).not.toMatch(/hba1c|7\.1/);
  });

  it('take as a correlation id a random UUID alone', async () => {
    const uuid = '6f1ed002-ab5e-4d3c-8a51-0f7c0c3ce7ad';
    const named = { headers: { 'x-correlation-id': PERSON.record } };
    expect((await ask(GUIDE, { headers: { 'x-correlation-id': uuid } })).body._meta.correlationId).toBe(uuid);
    for (const path of [GUIDE, PAGE, `${PAGE}/x`, `${PRIVATE}/x`, `/api/%70atient-model/x`, '/login']) {
      expect((await ask(path, named)).headers['x-correlation-id']).not.toBe(PERSON.record);
    }
    expect((await ask('/api/v1/sources', named)).headers['x-correlation-id']).toBe(PERSON.record);
  });

  it.each(METHODS)('refuse %s of whatever lies under the private base with AUTH_REQUIRED', async (method) => {
    const below = ['', '/', '/guide/x', '/runs?x=1'].map((rest) => PRIVATE + rest);
    for (const path of [...below, '/api/%70atient-model/a']) {
      const { status, body } = await ask(path, { method, ...(method === 'GET' ? {} : { body: JSON_BODY }) });
      expect([path, status]).toEqual([path, 401]);
      if (method !== 'HEAD') expect(body.error.code).toBe('AUTH_REQUIRED');
    }
  });

  it('are the operations that refuse what they do not know, and no others', () => {
    const refusing = OPERATIONS.filter(({ unknownParameters }) => unknownParameters === 'refused');
    expect(refusing.map(({ path }) => path)).toEqual(
      OPERATIONS.filter(({ path }) => isImpersonalPath(path)).map(({ path }) => path),
    );
    expect(refusing).toHaveLength(3);
  });
});

it.each([
  [PRIVATE, true],
  [`${PRIVATE}/%ff`, true],
  ['/api/patient%2Dmodel/x', true],
  [`${PRIVATE}s`, false],
  ['/api/v1/twin/patient-model', false],
])('a private path %s: %s', (path, expected) => {
  expect(isPrivatePath(path)).toBe(expected);
});
