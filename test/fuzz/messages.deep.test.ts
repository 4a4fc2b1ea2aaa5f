import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { verifyFile } from '../../board-server/store/sqlite/verify-file.ts';
import { DOORS, doorOf } from '../../contract/interfaces/doors.ts';
import { PAGES } from '../../contract/interfaces/pages.ts';
import type { Operation } from '../../contract/operation.ts';
import { OPERATIONS } from '../../contract/operations.ts';
import { trialFilterParameters } from '../../contract/trial-filters.ts';
import { failureFaults } from '../support/checks/answer-shape.ts';
import { ofFile } from '../support/of-file.ts';
import { deep } from '../support/runner/amount.ts';
import { A2A_EXAMPLES, MCP_EXAMPLES } from './examples.ts';
import { FUZZ_SEED, fuzzCases, openFuzzOrigin } from './fuzz-origin.ts';
import type { FuzzedAnswer, FuzzedRequest } from './fuzzed-request.ts';
import { a2aRequests, mcpRequests } from './messages.ts';
import { mutationsOf } from './mutations.ts';
import { PROTOTYPE_NAMES } from './values.ts';

/**
 * Number of messages for each door. They are fewer than requests, since each call makes a server object of the
 * protocol's own package.
 */
const RUNS = Math.ceil(fuzzCases() / 5);
/** The examples are tried beside the cases. */
const optionsOf = (examples: readonly FuzzedRequest[]) => ({
  ...{ numRuns: RUNS + examples.length, seed: FUZZ_SEED },
  examples: examples.map((one): [FuzzedRequest] => [one]),
});

/** Filters of searches, which pages take too. */
const FILTERS = Object.keys(trialFilterParameters);

interface Answered {
  jsonrpc?: string;
  error?: unknown;
  result?: {
    isError?: boolean;
    structuredContent?: unknown;
    content?: { text: string }[];
    status?: { state: string };
    artifacts?: { name: string; parts: { kind: string; data?: unknown }[] }[];
  };
}

const byName = (door: 'mcp' | 'a2a', name: unknown): Operation | null =>
  OPERATIONS.find(({ names }) => names?.[door] !== undefined && names[door] === name) ?? null;

/**
 * The door refuses some requests before it reads a message, as REST does: for their size, or because their body cannot
 * be decompressed.
 */
const PROTOCOL_DOOR = { id: 'a door of another protocol', errors: ['BODY_TOO_LARGE', 'INVALID_BODY'] } as const;

/** Faults of any answer of such a door. A sound answer is no 5xx, and is JSON-RPC, a refusal as over REST, or empty. */
function faultsAtDoor(request: FuzzedRequest, { status, headers, body }: FuzzedAnswer): string[] {
  if (status >= 500) return [`status ${status}: ${body.toString('utf8').slice(0, 300)}`];
  if (!headers['x-correlation-id']) return ['no X-Correlation-Id'];
  if (body.length === 0) return request.method === 'POST' && ![202, 204].includes(status) ? ['no body'] : [];
  if (request.method !== 'POST' && status < 400) return [];
  return [parsed(body)].flat().flatMap((one) => {
    if (one.jsonrpc === '2.0') return 'result' in one || 'error' in one ? [] : ['neither a result nor an error'];
    return failureFaults(PROTOCOL_DOOR, status, one);
  });
}

const parsed = (body: Buffer): Answered | Answered[] => JSON.parse(body.toString('utf8')) as Answered | Answered[];

/** The tool that the call names after it was changed. */
function sentTool({ body }: FuzzedRequest): unknown {
  try {
    return (JSON.parse(body?.toString('utf8') ?? '') as { params: { name: string } }).params.name;
  } catch {
    return undefined;
  }
}

/** Of an answer in its concise form no schema is promised, but data and `_meta`. */
function contentFaults(operation: Operation | null, content: unknown, words: 'mcp' | 'a2a', failed: boolean): string[] {
  if (operation === null) return ['an operation ran that nobody named'];
  if (failed) return failureFaults(operation, null, content, words);
  const { data, _meta } = content as { data?: unknown; _meta?: unknown };
  return operation.envelope === false || (data !== undefined && _meta !== undefined) ? [] : ['no data or no _meta'];
}

function mcpFaults(request: FuzzedRequest, answer: FuzzedAnswer): string[] {
  const faults = faultsAtDoor(request, answer);
  const type = answer.headers['content-type'] ?? '';
  if (faults.length > 0 || answer.body.length === 0 || !type.startsWith('application/json')) return faults;
  const operation = byName('mcp', sentTool(request));
  return [parsed(answer.body)].flat().flatMap(({ result }) => {
    if (result?.structuredContent === undefined || operation === null) return [];
    const { structuredContent, isError = false, content } = result;
    if (!isError) succeeded.mcp.add(operation.id);
    const isReadable = typeof content?.[0]?.text === 'string';
    return [
      ...(isReadable ? [] : ['no text beside the structured content']),
      ...contentFaults(operation, structuredContent, 'mcp', isError),
    ];
  });
}

function a2aFaults(request: FuzzedRequest, answer: FuzzedAnswer): string[] {
  const faults = faultsAtDoor(request, answer);
  if (faults.length > 0 || answer.body.length === 0 || request.method !== 'POST') return faults;
  return [parsed(answer.body)].flat().flatMap(({ result }) => {
    const state = result?.status?.state;
    if (state !== 'completed' && state !== 'failed') return [];
    const [artifact] = result?.artifacts ?? [];
    const data = artifact?.parts.find(({ kind }) => kind === 'data')?.data;
    // The artifact's name is `<skill> result` or `<skill> error`.
    const operation = byName('a2a', artifact?.name.split(' ')[0]);
    if (state === 'completed' && operation) succeeded.a2a.add(operation.id);
    return contentFaults(operation, state === 'failed' ? { error: data } : data, 'a2a', state === 'failed');
  });
}

/** Operations that were answered with a success, by door. */
const succeeded = { mcp: new Set<string>(), a2a: new Set<string>() };

describe('any message', () => {
  const fuzz = ofFile(() => openFuzzOrigin());

  it(`to MCP gets a sound answer (${RUNS} cases)`, () =>
    fc.assert(
      fc.asyncProperty(mcpRequests(fuzz.planted), async (one) => void (await fuzz.hold(one, mcpFaults))),
      optionsOf(MCP_EXAMPLES),
    ));

  it(`to A2A gets a sound answer (${RUNS} cases)`, () =>
    fc.assert(
      fc.asyncProperty(a2aRequests(fuzz.planted), async (one) => void (await fuzz.hold(one, a2aFaults))),
      optionsOf(A2A_EXAMPLES),
    ));

  it('to any page, feed or other interface is answered, and never with a 5xx', async () => {
    const paths = [...PAGES, ...DOORS].map(({ path }) => path);
    const others = paths.filter((path) => ![doorOf('mcp').path, doorOf('a2a').path].includes(path));
    const plain = fc
      .tuple(fc.constantFrom(...others), fc.constantFrom('x', ...PROTOTYPE_NAMES), fc.constantFrom('', ...FILTERS))
      .map(([path, name, filter]): FuzzedRequest => {
        const address = path.replaceAll(/\{\w+\}/g, name) + (filter && `?${filter}=${name}`);
        return { method: 'GET', path: address, headers: {}, body: null };
      });
    const changed = fc.tuple(plain, mutationsOf(fuzz.planted)).map(([request, change]) => change(request));
    const sound = async (request: FuzzedRequest): Promise<void> => {
      await fuzz.hold(request, (_sent, { status }) => (status >= 500 ? [`status ${status}`] : []));
    };
    await fc.assert(fc.asyncProperty(fc.oneof(plain, changed), sound), optionsOf([]));
  });

  deep.only(() => {
    it('reaches most tools and skills as far as their success', () => {
      expect(succeeded.mcp.size).toBeGreaterThan(15);
      expect(succeeded.a2a.size).toBeGreaterThan(10);
    });
  });

  it('leaves the chain of events whole', async () => {
    expect((await verifyFile(fuzz.origin.board.path)).problems).toEqual([]);
  });

  it('writes nothing unexpected into the log', () => expect(fuzz.unexpected).toEqual([]));
});
