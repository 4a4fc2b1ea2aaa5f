import { ArgumentFault, httpInput, knownArguments, shownArguments } from './arguments.ts';
import type { Operation } from './operation.ts';
import { OPERATIONS } from './operations.ts';
import type { NextCall } from './schemas/assignment.ts';

/**
 * What a reader of an answer would call next, made of `Operation.next` and of what the answer holds: the first trial of a
 * search, its next page, the coverage of the same query. Every call can be sent as it stands.
 */

const NEXT_CALLS_MAX = 3;

type Fields = Readonly<Record<string, unknown>>;

/** An answer and how it was asked for, as the rules below read it. */
interface Answered {
  readonly operation: Operation;
  /** Flat arguments of the call, under the names that are shown. */
  readonly given: Fields;
  readonly data: Fields;
  readonly meta: Fields;
}

const byId = new Map(OPERATIONS.map((operation): [string, Operation] => [operation.id, operation]));

/** They describe the calls themselves. */
const DESCRIBING: readonly string[] = [
  ...['discovery', 'capabilities', 'find-tools', 'capability', 'errors', 'protocol', 'contract', 'openapi'],
  ...['sdk', 'status', 'usage', 'keys-read', 'private-patient-model-guide'],
];
/** The one write that needs nothing but the id of what was read; another write begins with words of its own. */
const WRITES: readonly string[] = ['finding-review'];
/** Parameters that choose a part of an answer; another operation begins at its own start. */
const OF_ONE_ANSWER: readonly string[] = [
  ...['page', 'pageSize', 'limit', 'offset', 'cursor', 'since', 'wait', 'sort', 'include', 'id', 'view', 'detail'],
  'fields',
];
/** Lists of an answer that are not called as the last part of their path. */
const LISTS: Readonly<Record<string, string>> = {
  calibration: 'predictions',
  council: 'amendments',
  'dead-ends': 'deadEnds',
  decompositions: 'ladders',
  reality: 'requests',
};
/** What a message can be about, by the operation that reads one. */
const SUBJECTS: Readonly<Record<string, string>> = { 'claims-detail': 'claim', finding: 'finding' };

interface Envelope {
  data: unknown;
  _meta: Record<string, unknown>;
}

/**
 * An answer as it is shown, with `data.nextCalls`, where a GET has a sensible next and states none itself. They are read
 * from the whole answer, since what is shown may hold a part of it.
 */
export function withNextCalls(operation: Operation, given: Fields, whole: Envelope, shown: Envelope = whole): Envelope {
  const nextCalls = nextCallsOf(operation, given, whole);
  if (nextCalls.length === 0 || !isObject(shown.data)) return shown;
  return { ...shown, data: { ...shown.data, nextCalls } };
}

function nextCallsOf(operation: Operation, given: Fields, { data, _meta: meta }: Envelope): NextCall[] {
  if (operation.method !== 'GET' || DESCRIBING.includes(operation.id) || !isObject(data) || 'nextCalls' in data)
    return [];
  const answered: Answered = { operation, given: shownArguments(operation, given), data, meta };
  const following = (operation.next ?? []).flatMap((id) => followed(byId.get(id), answered) ?? []);
  const [first, ...others] = following;
  const page = nextPage(answered);
  return [first, page, ...others].filter((call) => call !== undefined).slice(0, NEXT_CALLS_MAX);
}

/** The call of one next operation; undefined where the answer does not hold what it needs. */
function followed(next: Operation | undefined, answered: Answered): NextCall | undefined {
  if (next === undefined || next.envelope === false || DESCRIBING.includes(next.id)) return undefined;
  if (next.method !== 'GET' && !WRITES.includes(next.id)) return undefined;
  const own = ownArguments(next, answered);
  if (own === undefined) return undefined;
  return callOf(next, { ...shared(next, answered), ...own }, next.tool?.title ?? next.summary);
}

function callOf(operation: Operation, given: Fields, why: string): NextCall | undefined {
  const missing = knownArguments(operation).some(
    ({ name, place, required }) => required && place !== 'body' && given[name] === undefined,
  );
  if (missing) return undefined;
  try {
    const { path } = httpInput(operation, given);
    const body = operation.method === 'GET' ? {} : { body: operation.exampleBody as Record<string, string> };
    return { call: `${operation.method} ${path}`, ...body, why: `${why}.` };
  } catch (error) {
    // A value that no request can carry.
    if (error instanceof ArgumentFault) return undefined;
    throw error;
  }
}

/** What the next operation must be told of this answer; undefined where the answer does not tell it. */
function ownArguments(next: Operation, answered: Answered): Fields | undefined {
  const { operation, data } = answered;
  const inPath = knownArguments(next).filter(({ place }) => place === 'path');
  const [only] = inPath;
  if (inPath.length > 1) return undefined;
  if (only !== undefined) {
    if (WRITES.includes(next.id) && (operation.id !== 'finding' || data.status === 'withdrawn')) return undefined;
    const value = idFor(next, only.target, answered);
    return value === undefined ? undefined : { [only.name]: value };
  }
  if (next.id === 'threads-list') return ofThread(answered);
  if (next.id === 'trials-registrations') {
    const id = itemsOf(data.registrations)[0]?.id;
    return id === undefined ? undefined : { id };
  }
  // What is published and claimed is listed beside a piece of work, an agent or the whole board, and not beside a trial.
  if (next.id === 'findings' || next.id === 'claims-list') return ofWork(answered);
  return {};
}

function ofThread({ operation, data }: Answered): Fields | undefined {
  const subjectType = SUBJECTS[operation.id];
  if (subjectType !== undefined) return { subjectType, subjectId: data.id };
  const claim = operation.id === 'claims-list' ? itemsOf(data.claims)[0]?.id : undefined;
  if (claim !== undefined) return { subjectType: 'claim', subjectId: claim };
  return operation.id === 'board' ? {} : undefined;
}

function ofWork({ operation, given, data }: Answered): Fields | undefined {
  switch (operation.id) {
    case 'curriculum':
    case 'open-questions': {
      const key = operation.id === 'curriculum' ? 'objectiveId' : 'questionId';
      return typeof given.id === 'string' ? { [key]: given.id } : undefined;
    }
    case 'agent-track-record':
      return typeof data.agentName === 'string' ? { agentName: data.agentName } : undefined;
    case 'beta-cell':
      return typeof data.objectiveId === 'string' ? { objectiveId: data.objectiveId } : undefined;
    default:
      return operation.id === 'board' ? {} : undefined;
  }
}

/** The id that goes into the path of `next`. */
function idFor(next: Operation, target: string, { operation, given, data }: Answered): unknown {
  if (next.id === 'agent-track-record') return data.agentName;
  const collection = next.path.slice(0, next.path.indexOf('/{'));
  if (operation.path.startsWith(`${collection}/{`)) {
    const own = knownArguments(operation).find(({ place }) => place === 'path');
    return data.canonicalId ?? given[own?.name ?? ''];
  }
  const referred = data[`${next.id}Id`];
  if (typeof referred === 'string') return referred;
  if (collection === '/api/v1/trials') {
    return Object.values(data)
      .map((list) => itemsOf(list)[0]?.canonicalId)
      .find((id) => typeof id === 'string');
  }
  const name = collection.slice(collection.lastIndexOf('/') + 1);
  const first = itemsOf(data[LISTS[name] ?? name])[0];
  return first?.[target] ?? first?.id;
}

/** Filters that both operations take. */
function shared(next: Operation, { operation, given }: Answered): Fields {
  const own = new Set(knownArguments(operation).flatMap(({ name, place }) => (place === 'query' ? [name] : [])));
  const both = knownArguments(next).filter(
    ({ name, place, target }) =>
      place === 'query' && own.has(name) && !OF_ONE_ANSWER.includes(name) && isAccepted(next, target, given[name]),
  );
  return Object.fromEntries(both.map(({ name }) => [name, given[name]]));
}

function isAccepted(next: Operation, target: string, value: unknown): boolean {
  if (value === undefined || value === null) return false;
  const text = Array.isArray(value) ? value.join(',') : String(value);
  return next.query?.[target]?.safeParse(text).success ?? false;
}

function nextPage({ operation, given, data, meta }: Answered): NextCall | undefined {
  const why = 'The next page';
  if (operation.id === 'changes') {
    return callOf(operation, { ...given, since: data.nextSince }, 'What is posted after this page');
  }
  const { hasMore, nextCursor, page } = isObject(meta.pagination) ? meta.pagination : {};
  if (hasMore !== true) return undefined;
  if (typeof page === 'number' && operation.query?.page !== undefined) {
    return callOf(operation, { ...given, page: page + 1 }, why);
  }
  if (typeof nextCursor !== 'string' || operation.query?.cursor === undefined) return undefined;
  const { offset, ...filters } = given;
  return callOf(operation, { ...filters, cursor: nextCursor }, why);
}

function itemsOf(value: unknown): Fields[] {
  return Array.isArray(value) ? value.filter(isObject) : [];
}

function isObject(value: unknown): value is Fields {
  return value !== null && typeof value === 'object' && !Array.isArray(value);
}
