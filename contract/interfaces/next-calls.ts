import type { Operation } from '../operation.ts';
import { OPERATIONS } from '../operations.ts';
import { withoutStatements } from '../own-words.ts';
import type { NextCall } from '../schemas/board/assignment.ts';
import { type Argument, ArgumentFault, httpInput, knownArguments, shownArguments } from './arguments.ts';

/**
 * What a reader of an answer would call next, made of `Operation.next` and of what the answer holds: the first trial of a
 * search, its next page, the coverage of the same query. Every read can be sent as it stands; a write leaves its statements to the caller.
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

/** Reads that lead nowhere by themselves, each with why. */
export const WITHOUT_NEXT: Readonly<Record<string, string>> = {
  errors: 'it is read for a call that failed, and the hint of each code says what comes next',
  contract: 'it is one document',
  openapi: 'it is one document',
  sdk: 'it lists files, which are no answers',
  usage: 'it is about the caller alone',
  'keys-read': 'it is about the caller alone',
  'private-patient-model-guide': 'what follows is run at home',
};
/** They describe the calls themselves, and only one of them leads to another. */
const DESCRIBING: readonly string[] = [
  ...['discovery', 'capabilities', 'capability', 'protocol', 'status'],
  ...Object.keys(WITHOUT_NEXT),
];
/** Where an answer leads to that names nothing to go on with, as an empty list. */
const ELSEWHERE: Readonly<Record<string, readonly string[]>> = {
  discovery: ['hello', 'capabilities'],
  capabilities: ['hello', 'board', 'trials-stats'],
  protocol: ['hello', 'board'],
  status: ['freshness', 'scoreboard'],
  calibration: ['findings', 'board'],
  council: ['board', 'open-questions'],
  'trials-changes': ['snapshots', 'trials-search'],
  snapshot: ['snapshots'],
  'snapshot-log': ['snapshots'],
};
const ELSEWHERE_ON_THE_BOARD = ['board', 'assignment'];
/** The one write that needs nothing but the id of what was read; another write begins with words of its own. */
const WRITES: readonly string[] = ['finding-review'];
/** Parameters that choose a part of an answer; another operation begins at its own start. */
const OF_ONE_ANSWER: readonly string[] = [
  ...['page', 'pageSize', 'limit', 'offset', 'cursor', 'since', 'wait', 'sort', 'include', 'id', 'view', 'detail'],
  ...['fields', 'text'],
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

/** `_meta.nextCalls` of a whole answer; `sent` are the parameters of its path and query as they stood there. */
export function nextCallsIn(
  operation: Operation,
  sent: Readonly<Record<string, string>>,
  answer: Envelope,
): { nextCalls?: NextCall[] } {
  if (operation.method !== 'GET' || operation.envelope === false) return {};
  const named = knownArguments(operation).flatMap(({ name, place, target }) =>
    (place === 'path' || place === 'query') && sent[target] !== undefined ? [[name, sent[target]]] : [],
  );
  const nextCalls = nextCallsOf(operation, Object.fromEntries(named), answer);
  return nextCalls.length === 0 ? {} : { nextCalls };
}

/** How an answer is shown. */
interface Shown {
  readonly concise: boolean;
  readonly fields: readonly string[] | null;
  /** Arguments of the view that a call of the same path keeps. */
  readonly kept: Fields;
  readonly path: string;
}

/**
 * An answer as it is shown, with the next calls of the whole one: among the data of a short form, whose reader goes on from
 * there, and else in `_meta`, so that the data is the object that the contract describes and nothing more.
 */
export function withNextCalls(whole: Envelope, shown: Envelope, { concise, fields, kept, path }: Shown): Envelope {
  const all = whole._meta.nextCalls;
  if (!Array.isArray(all)) return shown;
  const nextCalls = itemsOf(all).map((one) => ({ ...one, call: keeping(String(one.call), path, kept) }));
  const { nextCalls: _, ..._meta } = shown._meta;
  if (!concise) return { ...shown, _meta: { ..._meta, nextCalls } };
  if (fields !== null || !isObject(shown.data)) return { ...shown, _meta };
  return { data: { ...shown.data, nextCalls }, _meta };
}

/** The next page is shown as this one. */
function keeping(call: string, path: string, kept: Fields): string {
  const [address, query] = call.split('?');
  const added = new URLSearchParams(
    Object.entries(kept).flatMap(([name, value]) => (value == null ? [] : [[name, String(value)]])),
  ).toString();
  return added === '' || address !== `GET ${path}` ? call : `${call}${query === undefined ? '?' : '&'}${added}`;
}

function nextCallsOf(operation: Operation, given: Fields, { data, _meta: meta }: Envelope): NextCall[] {
  if (operation.id in WITHOUT_NEXT || !isObject(data) || 'nextCalls' in data) return [];
  const answered: Answered = { operation, given: shownArguments(operation, given), data, meta };
  const leading = (ids: readonly string[]) => ids.flatMap((id) => followed(byId.get(id), answered) ?? []);
  const [first, ...others] = [...spelt(meta), ...ofWhatIsNamed(answered), ...leading(operation.next ?? [])];
  const page = nextPage(answered);
  const found = [first, page, ...others].filter((call) => call !== undefined);
  const elsewhere =
    ELSEWHERE[operation.id] ?? (operation.server === 'board' && operation.next ? ELSEWHERE_ON_THE_BOARD : []);
  return (found.length > 0 ? found : leading(elsewhere.filter((id) => id !== operation.id))).slice(0, NEXT_CALLS_MAX);
}

/** Repeats the request with the nearest spelling, before calls that would repeat a word that no trial has. */
function spelt(meta: unknown): NextCall[] {
  const hints = itemsOf(isObject(meta) ? meta.hints : []);
  const near = hints.find(({ cause, sentence }) => cause === 'spelling' && /^No trial has/.test(String(sentence)));
  return near === undefined ? [] : [{ call: `GET ${near.call}`, why: String(near.sentence) }];
}

/** Calls that the answer of one operation leads to by more than the id of a next one. */
function ofWhatIsNamed({ operation, given, data }: Answered): NextCall[] {
  const to = (id: string, own: Fields, why: string): NextCall[] =>
    [callOf(byId.get(id)!, own, why)].filter((call) => call !== undefined);
  switch (operation.id) {
    case 'trials-search': {
      const word = given.condition ?? given.q;
      if (itemsOf(data.trials).length > 0 || typeof word !== 'string') return [];
      return to(
        'trials-values',
        { field: 'condition', text: word },
        'Nothing is found: conditions that are written like this',
      );
    }
    case 'capabilities': {
      const [endpoint] = given.query === undefined ? [] : itemsOf(data.endpoints);
      return endpoint === undefined ? [] : to('capability', { tool: endpoint.tool ?? endpoint.id }, 'Its arguments');
    }
    case 'capability': {
      const described = byId.get(String(data.id));
      if (described?.method !== 'GET' || described.example.includes('{')) return [];
      return [{ call: `GET ${described.example}`, why: 'A call of it that answers.' }];
    }
    case 'threads-list': {
      const { subjectType, subjectId } = { ...itemsOf(data.messages)[0], ...given };
      if (subjectType === 'claim') return to('claims-detail', { claimId: subjectId }, 'What is talked about');
      return subjectType === 'finding' ? to('finding', { findingId: subjectId }, 'What is talked about') : [];
    }
    case 'trials-results-gap': {
      const { numerator } = isObject(data.queries) ? data.queries : {};
      return isObject(numerator) ? to('trials-search', numerator, 'The trials behind the number') : [];
    }
    case 'snapshot': {
      const { version, parent } = data;
      if (typeof version !== 'string' || typeof parent !== 'string') return [];
      return to('snapshot-diff', { from: parent, to: version }, 'What changed in it');
    }
    default:
      return [];
  }
}

/** The call of one next operation; undefined where the answer does not hold what it needs. */
function followed(next: Operation | undefined, answered: Answered): NextCall | undefined {
  if (next === undefined || next.envelope === false || next.id in WITHOUT_NEXT) return undefined;
  if (DESCRIBING.includes(next.id) && !DESCRIBING.includes(answered.operation.id)) return undefined;
  if (next.method !== 'GET' && !WRITES.includes(next.id)) return undefined;
  const own = ownArguments(next, answered);
  if (own === undefined) return undefined;
  const call = callOf(next, { ...shared(next, answered), ...own }, next.tool?.title ?? next.summary);
  const { agentName } = answered.given;
  if (call?.body === undefined || typeof agentName !== 'string' || !('agentName' in call.body)) return call;
  return { ...call, body: { ...call.body, agentName } };
}

function callOf(operation: Operation, given: Fields, why: string): NextCall | undefined {
  const missing = knownArguments(operation).some(
    ({ name, place, required }) => required && place !== 'body' && given[name] === undefined,
  );
  if (missing) return undefined;
  try {
    const { path } = httpInput(operation, given);
    const body =
      operation.method === 'GET' ? {} : { body: withoutStatements(operation.exampleBody) as Record<string, string> };
    return { call: `${operation.method} ${path}`, ...body, why: `${why}.` };
  } catch (error) {
    // A value that no request can carry.
    if (error instanceof ArgumentFault) return undefined;
    throw error;
  }
}

/** What the next operation must be told of this answer; undefined where the answer does not tell it. */
function ownArguments(next: Operation, answered: Answered): Fields | undefined {
  const { operation, given, data } = answered;
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
    const id = itemsOf(data.registrations)[0]?.id ?? given.canonicalId;
    return id === undefined ? undefined : { id };
  }
  // A text chooses among the values of one facet, so that it is sent with its facet or not at all.
  if (next.id === 'trials-facets' && operation.id === 'trials-values') {
    const { field: facet, text } = given;
    return isAccepted(next, 'facet', facet) ? { facet, text } : undefined;
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
  // What describes operations has words of its own.
  if (DESCRIBING.includes(operation.id)) return {};
  const both = filtersOfBoth(operation, next).filter(({ name, target }) => isAccepted(next, target, given[name]));
  return Object.fromEntries(both.map(({ name }) => [name, given[name]]));
}

const filtersByPair = new Map<string, readonly Readonly<Argument>[]>();

/** Arguments of `next` that the operation takes too, collected once: every answer asks for them. */
function filtersOfBoth(operation: Operation, next: Operation): readonly Readonly<Argument>[] {
  const pair = `${operation.id} ${next.id}`;
  const known = filtersByPair.get(pair);
  if (known !== undefined) return known;
  const own = new Set(knownArguments(operation).flatMap(({ name, place }) => (place === 'query' ? [name] : [])));
  const both = knownArguments(next).filter(
    ({ name, place }) => place === 'query' && own.has(name) && !OF_ONE_ANSWER.includes(name),
  );
  filtersByPair.set(pair, both);
  return both;
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
