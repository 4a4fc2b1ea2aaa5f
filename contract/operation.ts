import type { z } from 'zod';
import type { ErrorCode } from './errors/errors.ts';
import type { CatalogueId } from './ids.ts';
import type { RateBucketId } from './limits/limits.ts';

/**
 * One operation is one value. Routes, validation, discovery, OpenAPI, MCP tools, A2A skills, the SDK and the docs are
 * loops over the list of these values; nothing about an operation is written anywhere else.
 */

export type Method = 'GET' | 'POST' | 'PATCH' | 'DELETE';
export type ServerName = 'index' | 'board' | 'gateway';

/** Query and path parameters: each a zod schema over the one string that was sent, made by `parameters.ts`. */
export type ParameterShape = Record<string, z.ZodType>;

export interface Operation {
  id: string;
  method: Method;
  /** With `{name}` for path parameters. One literal string, so that a search for the URL finds the declaration. */
  path: string;
  summary: string;
  description: string;
  /** When a caller should reach for it, in one sentence. */
  whenToUse?: string;
  /** Ids of the operations that are usually called afterwards. */
  next?: readonly string[];
  server: ServerName;
  /** Id in the endpoint catalogue, where it has one. */
  catalogueId?: CatalogueId;
  /** Names under which the other doors offer it. */
  names?: {
    mcp?: string;
    a2a?: string;
    sdk?: string;
  };
  /** What a list of tools shows instead of summary and description, in everyday words of what an agent wants. */
  tool?: {
    title: string;
    /** At most 250 characters. */
    description: string;
    /** Arguments that a list of tools shows, where it does not show all; every one can be sent and is in `describe_tool`. */
    shown?: readonly string[];
  };
  /** Arguments that a tool call has where it states none of them: what is short enough for a model. */
  toolDefaults?: Readonly<Record<string, z.core.util.JSONType>>;
  /** Names of path and query parameters in the flat object of arguments, where they differ; `contract/interfaces/arguments.ts`. */
  argumentNames?: Record<string, string>;
  /** Further names of arguments that are taken and not shown, by the name that is shown. */
  argumentAliases?: Readonly<Record<string, readonly string[]>>;
  /** Headers that only this operation reads, by the name of their flat argument. */
  headers?: Record<string, { header: string; description: string }>;
  /** A POST that computes: it stores nothing and the same body gives the same answer, so it takes no Idempotency-Key. */
  computes?: true;
  /** What a write can do beside adding; nothing of it is true of a write without this. */
  effects?: {
    /** Ends, replaces or takes away for good what stands; every DELETE does. */
    ends?: true;
    /** Each repeat of a call has a further effect; without it a repeat finds what the first call left. */
    repeats?: true;
  };
  /** Asks services outside, or sends to addresses of its callers. */
  reachesOutside?: true;
  /** Longest time for which it asks outside services before it answers. */
  asksOutsideSeconds?: number;
  /** Rate bucket that a call is charged to. */
  bucket: RateBucketId | 'none';
  /** Whether it is refused first while the service is overloaded: always, or where a parameter contains a text. */
  costly?: true | { parameter: string; contains: string };
  params?: ParameterShape;
  query?: ParameterShape;
  /** An unknown parameter is refused without naming it, instead of dropped and named: it might be about a person. */
  unknownParameters?: 'refused';
  body?: z.ZodType;
  bodyMaxBytes?: number;
  /** A body that fits the schema. Ids and tokens in it stand for the caller's own, and so do statements: own-words.ts refuses them. */
  exampleBody?: Record<string, z.core.util.JSONType>;
  /** Code of a body that is JSON but does not fit its schema; INVALID_BODY where there is no code of its own. */
  rejection?: ErrorCode;
  /** Schema of `data` in the envelope. */
  output: z.ZodType;
  /**
   * Statuses of answers that carry its output; 200 alone where left out. A creation answers 201, and 200 where the
   * object existed already; a replay answers as the first time. A file answers 206 with a part of it, 412 and 416 with none.
   */
  statuses?: readonly (200 | 201 | 206 | 412 | 416 | 503)[];
  /** The only codes that its handler may fail with. */
  errors: readonly ErrorCode[];
  /**
   * Whether a cache may keep the answer. `snapshot` answers carry a strong ETag made of the snapshot and the query;
   * `revalidate` answers carry an ETag too, and a cache must ask again each time. It does not cover what `_meta` says of the single answer.
   */
  cache?: 'snapshot' | 'static' | 'revalidate';
  /** Media types of answers that are streams, instead of the envelope or beside it. */
  streams?: readonly string[];
  /** False for probes that answer plain JSON without an envelope. */
  envelope?: false;
  /** A request that answers successfully against any snapshot, for docs and tests. */
  example: string;
}

type Values<Shape> = Shape extends ParameterShape
  ? { [Name in keyof Shape]: z.output<Shape[Name]> }
  : Record<string, never>;

export interface OperationInput<Options extends Operation> {
  params: Values<Options['params']>;
  query: Values<Options['query']>;
  body: Options['body'] extends z.ZodType ? z.output<Options['body']> : undefined;
}

export type OperationError<Options extends Operation> = Options['errors'][number];
export type OperationOutput<Options extends Operation> = z.output<Options['output']>;

/** Whether a call changes data that others can read. */
export function isWrite({ method, computes }: Pick<Operation, 'method' | 'computes'>): boolean {
  return method !== 'GET' && computes !== true;
}

/** What a caller may want to know of calls before it allows them. */
export interface Reach {
  writes: boolean;
  /** Whether something that stands may be ended, replaced or taken away. */
  ends: boolean;
  /** Whether the same call may have a further effect each time. */
  repeats: boolean;
  /** Whether services or addresses outside of this service are asked or sent to. */
  outside: boolean;
}

/** What can be done by any of the operations. */
export function reachOf(operations: readonly Operation[]): Reach {
  return {
    writes: operations.some(isWrite),
    ends: operations.some(({ method, effects }) => method === 'DELETE' || effects?.ends === true),
    repeats: operations.some(({ effects }) => effects?.repeats === true),
    outside: operations.some(
      ({ reachesOutside, asksOutsideSeconds }) => reachesOutside === true || asksOutsideSeconds !== undefined,
    ),
  };
}

/** An operation as its file declares it; the example defaults to the path. */
type Declaration = Omit<Operation, 'example'> & { example?: string };

/**
 * Keeps the literal types of one declaration, so that its handler's input, output and codes are checked. What has an MCP tool
 * is an A2A skill too, by the tool's name where the interface gives the skill none of its own.
 */
export function defineOperation<const Options extends Declaration>(options: Options): Options & { example: string } {
  const { names, example = options.path } = options;
  const a2a = names?.a2a ?? names?.mcp;
  return { ...options, ...(a2a === undefined ? {} : { names: { ...names, a2a } }), example };
}
