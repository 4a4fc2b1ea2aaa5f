import { z } from 'zod';
import { defineOperation } from '../../operation.ts';
import { textParameter } from '../../parameters.ts';
import { councilOrigin } from '../../schemas/board/assignment.ts';

const ID_MAX_CHARACTERS = 60;

export const discover = defineOperation({
  id: 'discovery',
  method: 'GET',
  path: '/api/v1',
  summary: 'Discover the service',
  description:
    'What this service is, the standing objectives and open questions, every operation that it answers, and links.',
  whenToUse: 'To see the service as one list, without names of tools.',
  next: ['capabilities', 'hello'],
  server: 'gateway',
  names: { sdk: 'discover' },
  bucket: 'read',
  output: z.object({
    service: z.string(),
    description: z.string(),
    objectives: z.array(
      z.object({ id: z.string(), title: z.string(), level: z.string(), effort: z.string(), origin: councilOrigin }),
    ),
    moduleObjectives: z.array(z.object({ id: z.string(), title: z.string() })),
    questions: z.array(
      z.object({ id: z.string(), question: z.string(), effort: z.string(), level: z.string(), origin: councilOrigin }),
    ),
    councilAdditions: z
      .enum(['included', 'not read'])
      .describe('whether the lists hold what the council added; not read: the board did not answer in time'),
    endpoints: z.array(
      z.object({
        id: z.string(),
        catalogueId: z.string().nullable().describe('usable in endpointsUsed of a finding'),
        method: z.string(),
        path: z.string(),
        summary: z.string(),
        example: z.string(),
      }),
    ),
    rules: z.array(z.string()),
    links: z.record(z.string(), z.string()),
  }),
  errors: [],
  cache: 'revalidate',
});

export const listErrors = defineOperation({
  id: 'errors',
  method: 'GET',
  path: '/api/v1/errors',
  summary: 'Read the error catalogue',
  description:
    'Every error code with its status, family, cause and what to do about it; the JSON-RPC codes; the idempotency contract.',
  whenToUse: 'When a code is new to you; branch on the code and follow its hint.',
  next: ['capability'],
  server: 'gateway',
  names: { mcp: 'board_errors', a2a: 'errors', sdk: 'getErrors' },
  tool: {
    title: 'What an error code means',
    description:
      'What an error code means and what to do about it: every code with its status, cause and hint, and whether the same call can succeed later.',
  },
  bucket: 'read',
  query: {
    code: textParameter(ID_MAX_CHARACTERS, 'Only this code.', {
      test: /^[A-Za-z_]+$/,
      words: 'an error code such as INVALID_PARAM',
    }).optional(),
  },
  output: z.object({
    errors: z.array(
      z.object({
        code: z.string(),
        status: z.int(),
        family: z.string(),
        retryable: z.boolean(),
        cause: z.string(),
        hint: z.string(),
        page: z.string().describe('where people read about it; permanent'),
      }),
    ),
    protocol: z.array(z.object({ code: z.int(), name: z.string(), when: z.string() })),
    idempotency: z.json(),
  }),
  errors: ['INVALID_PARAM', 'NOT_FOUND'],
  cache: 'static',
  example: '/api/v1/errors?code=INVALID_PARAM',
});

export const getGraph = defineOperation({
  id: 'graph',
  method: 'GET',
  path: '/api/v1/graph',
  summary: 'Read the abstraction graph',
  description:
    'What this service holds, derives or lacks, as nodes and edges with their fidelity. With `node`, the answer holds that node, its edges and the nodes at their other ends.',
  whenToUse: 'Before a statement that crosses layers: it says what is held, derived or absent.',
  next: ['trials-coverage', 'sources'],
  server: 'gateway',
  names: { mcp: 'board_graph', sdk: 'getGraph' },
  tool: {
    title: 'What this service holds, derives and lacks',
    description:
      'The layers of knowledge here and how they connect (conditions, trials, identifiers, sponsors, outcomes): what is held, what is derived, and what is absent.',
  },
  bucket: 'read',
  query: {
    node: textParameter(ID_MAX_CHARACTERS, 'Only this node and its edges.', {
      test: /^[a-z-]+$/,
      words: 'a node id such as condition',
    }).optional(),
  },
  output: z.object({
    nodes: z.array(z.object({ id: z.string(), fidelity: z.enum(['resolved', 'derived', 'absent']), note: z.string() })),
    edges: z.array(
      z.object({
        from: z.string(),
        to: z.string(),
        relation: z.string(),
        traversedBy: z.string().nullable(),
        fidelity: z.enum(['resolved', 'derived', 'absent']),
        quotableTotal: z.boolean().describe('whether a number obtained over this edge may be quoted as a total'),
        note: z.string(),
      }),
    ),
    absentLayers: z.array(z.object({ node: z.string(), why: z.string() })),
    fidelities: z.record(z.string(), z.string()),
  }),
  errors: ['INVALID_PARAM', 'node_not_found'],
  cache: 'static',
  example: '/api/v1/graph?node=condition',
});

const probe = z.object({ status: z.string() });

/** What a server says of the files that it serves. */
export const servedFiles = {
  checkedAt: z.iso
    .datetime()
    .nullable()
    .describe(
      'when every serving file of the snapshot was last found to have the size and SHA-256 of its manifest; null: not yet',
    ),
  refused: z
    .string()
    .nullable()
    .describe('why the snapshot that was published last is not the one that is served; null when it is'),
};

export const healthz = defineOperation({
  id: 'healthz',
  method: 'GET',
  path: '/healthz',
  summary: 'Is the process alive',
  description: 'Answers 200 as long as the process runs.',
  whenToUse: 'By whatever keeps the process alive.',
  next: ['readyz', 'status'],
  server: 'gateway',
  bucket: 'none',
  output: probe,
  errors: [],
  envelope: false,
});

export const readyz = defineOperation({
  id: 'readyz',
  method: 'GET',
  path: '/readyz',
  summary: 'Can it serve',
  description:
    'Answers 200 with the snapshot that is served, or 503 while there is none. A snapshot whose files are not as published is refused, and an older one is served in its place.',
  whenToUse: 'By whatever sends requests here: 503 means not yet.',
  next: ['healthz', 'status'],
  server: 'gateway',
  bucket: 'none',
  output: probe.extend({ snapshot: z.string().nullable(), detail: z.string(), ...servedFiles }),
  statuses: [200, 503],
  errors: [],
  envelope: false,
});

export const ORIENTATION_OPERATIONS = [discover, listErrors, getGraph] as const;
export const PROBE_OPERATIONS = [healthz, readyz] as const;
