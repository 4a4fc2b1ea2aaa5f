import { z } from 'zod';
import { asksForAdvice, NO_CLINICAL_ADVICE } from '../../contract/clinical-advice.ts';
import { PROTOCOL } from '../../contract/declared/protocol.ts';
import { WORKFLOWS, type Workflow } from '../../contract/declared/workflows.ts';
import { ERRORS, type ErrorCode } from '../../contract/errors/errors.ts';
import { IDEMPOTENCY_CONTRACT } from '../../contract/errors/protocol.ts';
import { exampleArguments } from '../../contract/examples.ts';
import { type Argument, argumentsOf, argumentsSchema } from '../../contract/interfaces/arguments.ts';
import { DOORS } from '../../contract/interfaces/doors.ts';
import { PAGES } from '../../contract/interfaces/pages.ts';
import { searchTools } from '../../contract/interfaces/tool-search.ts';
import * as limits from '../../contract/limits/limits.ts';
import { nearestNames } from '../../contract/nearest-names.ts';
import { isWrite, type Operation, type OperationOutput } from '../../contract/operation.ts';
import type {
  CAPABILITY_OPERATIONS,
  describeTool,
  listCapabilities,
} from '../../contract/operations/service/capabilities.ts';
import { OPERATIONS } from '../../contract/operations.ts';
import { DOOR_CODES } from '../../contract/schemas/envelope.ts';
import { API_NAME, COORDINATION_CONTRACT_VERSION } from '../../contract/version.ts';
import type { Handlers } from '../../server-kit/mount.ts';
import { refuseParameter } from '../../server-kit/parameters.ts';
import { exampleCalls, toolCall } from '../description/example-calls.ts';
import { groupOf, tagDescription, topicOf } from '../description/groups.ts';
import { usedBuckets } from '../description/llms-text.ts';
import { outlined } from '../description/schema-outline.ts';
import { namesOf } from '../description/tool-names.ts';
import { slim } from '../mcp/tools.ts';

type Capabilities = OperationOutput<typeof listCapabilities>;
type Described = OperationOutput<typeof describeTool>;

const HOW_TO_READ_INDEX = [
  'Each name is a tool, or the id of an operation that is reached by call_operation {id, arguments}.',
  'topic gives the endpoints of one topic whole; query finds by what you want to do; describe_tool has schemas, errors and an example.',
  'A workflow is a piece of work as calls in order, whole here with form=full.',
];
const HOW_TO_READ = [
  'Each endpoint says when to use it and, in next, the ids that usually follow. tool, skill and sdk are its names over MCP, A2A and the SDK; an endpoint without one is called over REST.',
  'describe_tool, GET /api/v1/capabilities/{tool}, has the schemas, errors, rate limit and example calls of one of them.',
  'A workflow is carried out step by step. Its arguments are one flat object, as tools, skills and SDK methods take it; over REST they go into path, query, body or headers, as the entry of the endpoint says. $claim.id stands for data.id in the answer of the step called claim.',
  'Every answer is {data, _meta} or {error}. Branch on error.code and follow error.hint. Writes take an Idempotency-Key (idempotencyKey); make a fresh UUID for each.',
];

/** Addresses of the capabilities answer, by the names that a reader would look for. */
const URL_IDS: Record<string, string> = {
  openapi: 'openapi',
  contract: 'contract',
  sdk: 'sdk',
  errors: 'errors',
  protocol: 'protocol',
  mcp: 'mcp',
  a2a: 'a2a',
  'agent-card': 'agentCard',
  'page-docs': 'docs',
  llms: 'llms',
};

const BY_NAME: ReadonlyMap<string, Operation> = new Map(
  OPERATIONS.flatMap((operation) => namesOf(operation).map((name) => [name, operation] as const)),
);

const widely = (operation: Operation): string => groupOf(operation, OPERATIONS);
const narrowly = (operation: Operation): string => topicOf(operation, OPERATIONS);
/** The parts of the index have topics of their own beside the topic of the whole. */
const TOPICS = [...new Set(OPERATIONS.flatMap((operation) => [widely(operation), narrowly(operation)]))];
const WIDE_TOPICS = new Set(OPERATIONS.map(widely));

export const capabilityHandlers: Handlers<typeof CAPABILITY_OPERATIONS, null> = {
  capabilities: ({ query: { query, topic, form } }, context, _services, fail) => {
    if (topic !== undefined && !TOPICS.includes(topic)) {
      refuseParameter('topic', `one of ${TOPICS.join(', ')}`, fail);
    }
    if (query !== undefined) return found(query, context.applied);
    const linked = [...OPERATIONS, ...DOORS, ...PAGES].filter(({ id }) => id in URL_IDS);
    const urls = Object.fromEntries(linked.map(({ id, path }) => [URL_IDS[id]!, `${context.baseUrl}${path}`]));
    const topics = Object.fromEntries(TOPICS.map((name) => [name, tagDescription(name)]));
    const listed = form === 'index' ? listedShortly(topic) : listedWhole(topic);
    return { data: { service: API_NAME, topics, ...listed, urls }, meta: { filters: context.applied } };
  },

  capability: ({ params, query: { form = 'full' } }, context, _services, fail) => {
    const operation = BY_NAME.get(params.tool);
    if (operation) return { data: described(operation, form === 'short', context.baseUrl) };
    const nearest = nearestNames(params.tool, [...BY_NAME.keys()]).join(', ');
    return fail('NOT_FOUND', { message: `No operation has this name. The nearest names are ${nearest}.` });
  },

  protocol: () => ({
    data: {
      version: COORDINATION_CONTRACT_VERSION,
      laws: PROTOCOL.laws,
      claim: PROTOCOL.claim,
      finding: PROTOCOL.finding,
      tokens: PROTOCOL.tokens,
      idempotency: IDEMPOTENCY_CONTRACT,
      limits: PROTOCOL_LIMITS,
      rates: usedBuckets().map(({ id, perMinute, scope, appliesTo }) => ({
        bucket: id,
        perMinute,
        countedBy: scope,
        appliesTo,
      })),
      refused: PROTOCOL.refused,
      public: PROTOCOL.public,
      notPublic: PROTOCOL.notPublic,
    },
  }),
};

type Listed = Pick<Capabilities, 'howToRead' | 'index' | 'workflowIndex' | 'endpoints' | 'workflows'>;

function listedWhole(topic: string | undefined): Listed {
  const topicIn = topic === undefined || WIDE_TOPICS.has(topic) ? widely : narrowly;
  const shown = OPERATIONS.filter((operation) => topic === undefined || topicIn(operation) === topic);
  return {
    howToRead: HOW_TO_READ,
    endpoints: shown.map((operation) => endpointOf(operation, topicIn(operation))),
    workflows: workflowsOf(shown).map(({ id, title, when, steps }) => ({
      id,
      title,
      when,
      steps: steps.map((step) => ({ ...step, arguments: { ...step.arguments } })),
    })),
  };
}

/** Names and a few words; of one topic, which is then the narrow one, its endpoints whole. */
function listedShortly(topic: string | undefined): Listed {
  const shown = OPERATIONS.filter((operation) => topic === undefined || narrowly(operation) === topic);
  const workflowIndex = Object.fromEntries(workflowsOf(shown).map(({ id, when }) => [id, when]));
  const common = { howToRead: HOW_TO_READ_INDEX, workflowIndex, workflows: [] };
  if (topic !== undefined) return { ...common, endpoints: shown.map((operation) => endpointOf(operation, topic)) };
  const wordsOf = ({ id, names, tool, summary }: Operation) => [names?.mcp ?? id, tool?.title ?? summary];
  const index = Object.fromEntries(
    [...Map.groupBy(shown, narrowly)].map(([name, all]) => [name, Object.fromEntries(all.map(wordsOf))]),
  );
  return { ...common, index, endpoints: [] };
}

/** The workflows that use one of the operations. */
function workflowsOf(operations: readonly Operation[]): Workflow[] {
  const ids = new Set(operations.map(({ id }) => id));
  return WORKFLOWS.filter(({ steps }) => steps.some(({ operation }) => ids.has(operation)));
}

const FOUND_MAX_ITEMS = 5;
const FOUND_WORDS_MAX_CHARACTERS = 250;
const HOW_TO_CALL =
  'A tool of your list is called by its name, any other by call_operation {id, arguments}. describe_tool has its whole schema.';

const BY_ID: ReadonlyMap<string, Operation> = new Map(OPERATIONS.map((operation) => [operation.id, operation]));

/** The endpoints that fit the words best, and nothing else. */
function found(wish: string, filters: Record<string, string>) {
  const likeliest = searchTools(wish, OPERATIONS, 'whole').slice(0, FOUND_MAX_ITEMS);
  const endpoints = likeliest.map((id) => foundOf(BY_ID.get(id)!));
  const others = { topics: {}, workflows: [], urls: {} };
  return {
    data: { service: API_NAME, howToRead: [HOW_TO_CALL], ...others, endpoints },
    meta: { filters, ...(asksForAdvice(wish) && { notices: [NO_CLINICAL_ADVICE] }) },
  };
}

function foundOf(operation: Operation): Capabilities['endpoints'][number] {
  const { tool, summary, description } = operation;
  const does = tool?.description ?? `${summary}. ${description}`;
  return {
    ...endpointOf(operation, narrowly(operation)),
    purpose: does.length > FOUND_WORDS_MAX_CHARACTERS ? `${does.slice(0, FOUND_WORDS_MAX_CHARACTERS - 1)}…` : does,
    required: argumentsOf(operation).flatMap(({ name, required }) => (required ? [name] : [])),
    writes: isWrite(operation),
    exampleCall: toolCall(operation, exampleFor(operation)),
  };
}

/** A body that runs as it is printed, where it is short; else what a call begins with. */
function exampleFor(operation: Operation): Record<string, unknown> {
  const whole = exampleArguments(operation);
  const isShort = JSON.stringify(whole).length <= EXAMPLE_CALL_MAX_CHARACTERS;
  return operation.exampleBody !== undefined && isShort ? whole : startOf(operation);
}

const EXAMPLE_CALL_MAX_CHARACTERS = 500;

/** What an example call begins with: the required arguments, long ones as places to fill. */
function startOf(operation: Operation): Record<string, unknown> {
  const example = exampleArguments(operation);
  const needed = argumentsOf(operation).filter(({ required }) => required);
  return Object.fromEntries(
    needed.map(({ name }) => {
      const value = example[name];
      const short = value !== undefined && JSON.stringify(value).length <= EXAMPLE_VALUE_MAX_CHARACTERS;
      return [name, short ? value : `<${name}>`];
    }),
  );
}

const EXAMPLE_VALUE_MAX_CHARACTERS = 40;

const PROTOCOL_LIMITS: Record<string, number> = {
  findingBodyMaxBytes: limits.FINDING_BODY_MAX_BYTES,
  otherBodyMaxBytes: limits.COORDINATION_BODY_MAX_BYTES,
  claimLeaseHours: limits.CLAIM_LEASE_HOURS,
  claimMaxRenewals: limits.CLAIM_MAX_RENEWALS,
  claimScopeMinCharacters: limits.CLAIM_SCOPE_MIN_CHARACTERS,
  claimIntentMinCharacters: limits.CLAIM_INTENT_MIN_CHARACTERS,
  messageBodyMinCharacters: limits.MESSAGE_BODY_MIN_CHARACTERS,
  messageAgentNameMinCharacters: limits.MESSAGE_AGENT_NAME_MIN_CHARACTERS,
  agentNameMaxCharacters: limits.AGENT_NAME_MAX_CHARACTERS,
  reviewNoteMinCharacters: limits.REVIEW_NOTE_MIN_CHARACTERS,
  reviewsPerAgentAndFinding: 1,
  idempotencyKeyMinCharacters: limits.IDEMPOTENCY_KEY_MIN_CHARACTERS,
  idempotencyKeyMaxCharacters: limits.IDEMPOTENCY_KEY_MAX_CHARACTERS,
  idempotencyKeptHours: limits.IDEMPOTENCY_KEPT_HOURS,
  listMaxItems: limits.LIST_MAX_ITEMS,
  changesWindowDays: limits.CHANGES_WINDOW_DAYS,
  changesMaxItems: limits.CHANGES_MAX_ITEMS,
  webhooksPerAddressMaxItems: limits.WEBHOOK_MAX_PER_ADDRESS,
};

function endpointOf(operation: Operation, topic: string): Capabilities['endpoints'][number] {
  const { id, catalogueId, method, path, summary, whenToUse = '', next = [], names = {} } = operation;
  return {
    id,
    ...(catalogueId === undefined ? {} : { catalogueId }),
    topic,
    method,
    path,
    purpose: summary,
    whenToUse,
    next: [...next],
    ...(names.mcp === undefined ? {} : { tool: names.mcp }),
    ...(names.a2a === undefined ? {} : { skill: names.a2a }),
    ...(names.sdk === undefined ? {} : { sdk: names.sdk }),
  };
}

function described(operation: Operation, short: boolean, baseUrl: string): Described {
  const { names = {}, whenToUse = '', next = [] } = operation;
  const { $schema: _, ...outputSchema } = z.toJSONSchema(operation.output, {
    io: 'output',
    unrepresentable: 'any',
    override: ({ jsonSchema }) => slim(jsonSchema),
  });
  return {
    id: operation.id,
    catalogueId: operation.catalogueId ?? null,
    names: { mcp: names.mcp ?? null, a2a: names.a2a ?? null, sdk: names.sdk ?? null },
    method: operation.method,
    path: operation.path,
    summary: operation.summary,
    description: operation.description,
    whenToUse,
    next: [...next],
    writes: isWrite(operation),
    inputSchema: argumentsSchema(operation),
    arguments: argumentsOf(operation)
      .filter((argument) => !short || !standsPlainly(operation, argument))
      .map(({ name, place, target }) => ({ name, in: place, as: target })),
    ...(short ? outlined(outputSchema) : { outputSchema, outputOutlined: false }),
    envelope: operation.envelope !== false,
    streams: [...(operation.streams ?? [])],
    errors: operation.errors.map(errorOf),
    doorErrors: [...DOOR_CODES],
    rate: rateOf(operation),
    bodyMaxBytes: operation.bodyMaxBytes ?? null,
    cache: operation.cache ?? null,
    example: exampleCalls(operation, baseUrl),
  };
}

/** Whether an argument goes over REST where most do, under its own name. */
function standsPlainly({ body }: Operation, { name, place, target }: Argument): boolean {
  return name === target && place === (body === undefined ? 'query' : 'body');
}

function errorOf(code: ErrorCode): Described['errors'][number] {
  const { status, retryable, cause, hint } = ERRORS[code];
  return { code, status, retryable, cause, hint };
}

function rateOf({ bucket, method, names }: Operation): Described['rate'] {
  const own = limits.RATE_BUCKETS.find(({ id }) => id === bucket);
  if (!own) return null;
  const skillWrites = method !== 'GET' && names?.a2a !== undefined;
  const alsoCounts = [
    ...(bucket === 'read' ? ['with an API key in read-keyed instead, at the rate of the key'] : []),
    ...(skillWrites ? ['over A2A in a2a-write too'] : []),
  ];
  return { bucket: own.id, perMinute: own.perMinute, countedBy: own.scope, alsoCounts };
}
