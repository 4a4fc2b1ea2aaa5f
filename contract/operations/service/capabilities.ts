import { z } from 'zod';
import { protocolSchema } from '../../declared/protocol.ts';
import { defineOperation } from '../../operation.ts';
import { enumParameter, textParameter } from '../../parameters.ts';

const NAME_MAX_CHARACTERS = 60;
const WISH_MAX_CHARACTERS = 300;
/** `index` is short enough for a model to begin with. */
const CAPABILITY_FORMS = ['full', 'index'] as const;
const DESCRIPTION_FORMS = ['full', 'short'] as const;

const code = z.object({
  code: z.string(),
  status: z.int(),
  retryable: z.boolean(),
  cause: z.string(),
  hint: z.string(),
});
const jsonObject = z.record(z.string(), z.unknown());

export const listCapabilities = defineOperation({
  id: 'capabilities',
  method: 'GET',
  path: '/api/v1/capabilities',
  summary: 'Start here: what can be called, when, and what next',
  description:
    'Every endpoint with its names over MCP, A2A and the SDK, when to use it and what to call next; workflows, which are calls in order; and the address of every interface and description. With query only the five endpoints that fit your words best, each with its required arguments and a call to start from.',
  whenToUse: 'First of all, to find the few calls that you need; topic narrows it, query finds by what you want to do.',
  next: ['capability', 'hello', 'trials-search'],
  server: 'gateway',
  names: { mcp: 'list_capabilities', sdk: 'listCapabilities' },
  tool: {
    title: 'Start here: what you can do',
    description:
      'What you can do here: every tool by topic with a few words, and workflows, which are calls in order. query finds the right tool by what you want to do.',
  },
  bucket: 'read',
  query: {
    query: textParameter(
      WISH_MAX_CHARACTERS,
      'What you want to do, in a few words: only the five endpoints that fit best, whatever the topic.',
    )
      .meta({ examples: ['vote on an amendment'] })
      .optional(),
    topic: textParameter(NAME_MAX_CHARACTERS, 'Only endpoints and workflows of this topic; topics lists them.', {
      test: /^[a-z-]+$/,
      words: 'one of the topics that the answer without it lists',
    })
      .meta({ examples: ['trials'] })
      .optional(),
    form: enumParameter(
      CAPABILITY_FORMS,
      'full: every endpoint and workflow whole; index: names and a few words, endpoints whole only of a topic that is asked for.',
    ).optional(),
  },
  toolDefaults: { form: 'index' },
  output: z.object({
    service: z.string(),
    howToRead: z.array(z.string()),
    topics: z.record(z.string(), z.string()),
    index: z
      .record(z.string(), z.record(z.string(), z.string()))
      .optional()
      .describe('only in the form index: by topic, each tool name (the id where it is no tool) with a few words'),
    workflowIndex: z
      .record(z.string(), z.string())
      .optional()
      .describe('only in the form index: id and when to use it'),
    endpoints: z
      .array(
        z.object({
          id: z.string(),
          catalogueId: z.string().optional().describe('usable in endpointsUsed of a finding'),
          topic: z.string(),
          method: z.string(),
          path: z.string(),
          purpose: z.string(),
          whenToUse: z.string(),
          next: z.array(z.string()).describe('ids of endpoints'),
          tool: z.string().optional().describe('over MCP'),
          skill: z.string().optional().describe('over A2A'),
          sdk: z.string().optional().describe('method of the SDK'),
          required: z.array(z.string()).optional().describe('only with query: the arguments that it cannot do without'),
          writes: z.boolean().optional().describe('only with query'),
          exampleCall: z
            .object({ tool: z.string(), arguments: jsonObject })
            .optional()
            .describe('only with query: a call over MCP; <values> in angle brackets are yours'),
        }),
      )
      .describe('with query the likeliest first, and none where no word of yours occurs anywhere'),
    workflows: z.array(
      z.object({
        id: z.string(),
        title: z.string(),
        when: z.string(),
        steps: z
          .array(
            z.object({
              operation: z.string().describe('id of an endpoint'),
              as: z.string().optional().describe('name under which later steps refer to its data'),
              arguments: jsonObject.describe(
                'one flat object; $name.path stands for a value in the data of an earlier step',
              ),
              why: z.string(),
            }),
          )
          .describe('in order'),
      }),
    ),
    urls: z.record(z.string(), z.string()),
  }),
  errors: ['INVALID_PARAM'],
  cache: 'static',
  example: '/api/v1/capabilities?topic=trials',
});

export const describeTool = defineOperation({
  id: 'capability',
  method: 'GET',
  path: '/api/v1/capabilities/{tool}',
  summary: 'Read all about one tool',
  description:
    'One operation in full, by its MCP tool name, A2A skill, SDK method or operation id: input and output schema, errors with cause and hint, rate limit, and the same example call through every door.',
  whenToUse: 'Before the first call of a tool whose arguments or errors you do not know.',
  next: ['errors', 'capabilities'],
  server: 'gateway',
  names: { mcp: 'describe_tool', sdk: 'describeTool' },
  tool: {
    title: 'How to call one tool',
    description:
      'How to call one tool: all its arguments, its answer, its errors, its rate limit, and an example through every door.',
  },
  bucket: 'read',
  params: {
    tool: textParameter(NAME_MAX_CHARACTERS, 'Tool name, skill, SDK method or operation id.', {
      test: /^[A-Za-z][A-Za-z0-9_.-]*$/,
      words: 'a name such as search_world_trials, searchTrials or trials-search',
    }),
  },
  query: {
    form: enumParameter(
      DESCRIPTION_FORMS,
      'full: the whole output schema; short: an outline of it, of as many levels as a few thousand characters hold.',
    ).optional(),
  },
  toolDefaults: { form: 'short' },
  output: z.object({
    id: z.string(),
    catalogueId: z.string().nullable(),
    names: z.object({ mcp: z.string().nullable(), a2a: z.string().nullable(), sdk: z.string().nullable() }),
    method: z.string(),
    path: z.string(),
    summary: z.string(),
    description: z.string(),
    whenToUse: z.string(),
    next: z.array(z.string()),
    writes: z.boolean(),
    inputSchema: jsonObject.describe('JSON Schema of the one flat object of arguments'),
    arguments: z
      .array(z.object({ name: z.string(), in: z.enum(['path', 'query', 'body', 'header']), as: z.string() }))
      .describe(
        'where each argument goes over REST, and its name there; form=short leaves out those of a query, or of a body where there is one, that have their own name there',
      ),
    outputSchema: jsonObject.describe('JSON Schema of `data`; of the whole answer where envelope is false'),
    outputOutlined: z.boolean().describe('whether parts of the output schema are left out; form=full has them'),
    envelope: z.boolean().describe('whether the answer is {data, _meta}'),
    streams: z.array(z.string()).describe('media types beside or instead of JSON'),
    errors: z.array(code).describe('beside these any call may get the codes in doorErrors'),
    doorErrors: z.array(z.string()),
    rate: z
      .object({ bucket: z.string(), perMinute: z.int(), countedBy: z.string(), alsoCounts: z.array(z.string()) })
      .nullable()
      .describe('null where calls are not counted'),
    bodyMaxBytes: z.int().nullable(),
    cache: z.string().nullable(),
    example: z
      .object({
        curl: z.string(),
        mcp: jsonObject
          .nullable()
          .describe('body of a JSON-RPC request, by call_operation where it is no tool of its own'),
        a2a: jsonObject.nullable().describe('body of a JSON-RPC request; null where it is no skill'),
        sdk: z.string().nullable(),
      })
      .describe('values that only you know stand in angle brackets, or as ID in a path'),
  }),
  errors: ['INVALID_PARAM', 'NOT_FOUND'],
  cache: 'static',
  example: '/api/v1/capabilities/search_world_trials',
});

const readProtocol = defineOperation({
  id: 'protocol',
  method: 'GET',
  path: '/api/v1/protocol',
  summary: 'Read the coordination contract',
  description:
    'The laws of the board, the states of claims and findings with every transition, the rules of tokens and retries, the limits, what is refused, and what is public.',
  whenToUse: 'Before the first write, or to settle what a state, a token or a refusal means.',
  next: ['assignment', 'claims-create', 'errors'],
  server: 'gateway',
  names: { a2a: 'protocol', sdk: 'getProtocol' },
  bucket: 'read',
  output: z.object({
    version: z.string(),
    ...protocolSchema.pick({ laws: true, claim: true, finding: true, tokens: true }).shape,
    idempotency: z.record(z.string(), z.union([z.string(), z.int()])),
    limits: z.record(z.string(), z.number()).describe('the unit is the last word of each name'),
    rates: z.array(z.object({ bucket: z.string(), perMinute: z.int(), countedBy: z.string(), appliesTo: z.string() })),
    ...protocolSchema.pick({ refused: true, public: true, notPublic: true }).shape,
  }),
  errors: [],
  cache: 'static',
});

export const CAPABILITY_OPERATIONS = [listCapabilities, describeTool, readProtocol] as const;
