import type { ErrorCode } from '../errors/errors.ts';
import type { ParameterShape } from '../operation.ts';
import { TAKEN_DOORS, TRIAL_FILES } from './take-away.ts';

/**
 * What the public origin serves beside the operations: the doors for other protocols and the texts that lead to them.
 * None has the envelope.
 */
export interface Door {
  readonly id: string;
  readonly path: string;
  readonly methods: readonly ('GET' | 'POST')[];
  /** Media type of a successful GET, or of the answers of the protocol. */
  readonly mediaType: string;
  readonly summary: string;
  /** Further media types of a successful GET, by what its path asks for. */
  readonly furtherMediaTypes?: readonly string[];
  /** The protocol of its messages, where it has one. */
  readonly protocol?: 'mcp' | 'a2a';
  /** The rate bucket of a request. A door whose requests carry operations is charged for each of those instead. */
  readonly bucket: 'read' | 'export' | 'none' | 'by message';
  /** Parameters of its path that it reads itself. */
  readonly params?: ParameterShape;
  /** Parameters of its query, where it takes some. */
  readonly query?: ParameterShape;
  /** Where it refuses, by name, a parameter that it does not know; else such a parameter is ignored. */
  readonly unknownParameters?: 'named';
  /** Codes with which it may refuse them. */
  readonly errors?: readonly ErrorCode[];
  /** Whether it is made of reads of operations, which are not charged beside it. */
  readonly isMadeOfReads?: true;
}

/** A file of a whole result. */
function file<const File extends (typeof TRIAL_FILES)[number]>({
  id,
  path,
  summary,
  bucket,
  streams,
  query,
  errors,
}: File) {
  return {
    ...{ id: id as File['id'], path: path as File['path'], summary, bucket, query, errors },
    methods: ['GET'],
    mediaType: streams[0],
  } as const satisfies Door;
}

/** A text of docs/ that an auditor needs beside the answers. */
function document<Name extends string>(name: Name, summary: string) {
  return {
    id: `document-${name}`,
    path: `/docs/${name}.md`,
    methods: ['GET'],
    mediaType: 'text/plain',
    summary,
    bucket: 'read',
  } as const satisfies Door;
}

export const DOORS = [
  {
    id: 'mcp',
    path: '/api/v1/mcp',
    methods: ['POST'],
    mediaType: 'application/json',
    summary: 'MCP over streamable HTTP: the everyday tools; call_operation reaches every operation',
    protocol: 'mcp',
    bucket: 'by message',
  },
  {
    id: 'a2a',
    path: '/api/v1/a2a',
    methods: ['GET', 'POST'],
    mediaType: 'application/json',
    summary: 'A2A 0.3.0 and 1.0 over JSON-RPC; GET answers the agent card',
    protocol: 'a2a',
    bucket: 'by message',
  },
  {
    id: 'agent-card',
    path: '/.well-known/agent-card.json',
    methods: ['GET'],
    mediaType: 'application/json',
    summary: 'A2A agent card',
    bucket: 'read',
  },
  {
    id: 'agent-card-0.2',
    path: '/.well-known/agent.json',
    methods: ['GET'],
    mediaType: 'application/json',
    summary: 'The same agent card, where A2A 0.2 looks for it',
    bucket: 'read',
  },
  {
    id: 'llms',
    path: '/llms.txt',
    methods: ['GET'],
    mediaType: 'text/plain',
    summary: 'What a language model needs to begin, as text',
    bucket: 'read',
  },
  {
    id: 'sdk-package',
    path: '/api/v1/sdk.tgz',
    methods: ['GET'],
    mediaType: 'application/gzip',
    summary: 'The typed client as a package: npm install takes this address',
    bucket: 'read',
  },
  {
    id: 'verifier',
    path: '/verify.mjs',
    methods: ['GET'],
    mediaType: 'text/javascript',
    summary: 'The verifier of proofs: one file, for Node and for browsers',
    bucket: 'read',
  },
  document('proofs', 'What a proof shows and what not, its form, and every check, to write a verifier from'),
  document('snapshots', 'The files of a snapshot, its identity and hashes, and how other tools read it'),
  document('log', 'The log of publications: its files, keys, checkpoints, and what to do where it does not fit'),
  document('dictionary', 'Every table and column of a snapshot, as text'),
  document(
    'deduplication',
    'How registrations are joined into trials, by which rules and evidence, and the limits of it',
  ),
  document('terminology', 'The names that concepts add, with their sources, years and gaps'),
  document('truth', 'Measured precision and recall of everything that is inferred'),
  document('pipeline', 'The command line: pull, verify, prove, diff and the others'),
  document('operations', 'Running a service: settings, what a server refuses, logs, metrics'),
  {
    id: 'queries',
    path: '/docs/queries.sql',
    methods: ['GET'],
    mediaType: 'text/plain',
    summary: 'Questions to a snapshot as SQL, over the views of snapshot.duckdb',
    bucket: 'read',
  },
  {
    id: 'favicon',
    path: '/favicon.svg',
    methods: ['GET'],
    mediaType: 'image/svg+xml',
    summary: 'The mark of this service, as browsers show it',
    bucket: 'read',
  },
  {
    id: 'robots',
    path: '/robots.txt',
    methods: ['GET'],
    mediaType: 'text/plain',
    summary: 'What programs that follow links may read: everything; and where the sitemap is',
    bucket: 'read',
  },
  {
    id: 'sitemap',
    path: '/sitemap.xml',
    methods: ['GET'],
    mediaType: 'application/xml',
    summary: 'The pages that stand by themselves, for search engines',
    bucket: 'read',
  },
  {
    id: 'login',
    path: '/login',
    methods: ['GET'],
    mediaType: 'text/html',
    summary: 'That there is no account, for people',
    bucket: 'read',
  },
  {
    id: 'signup',
    path: '/signup',
    methods: ['GET'],
    mediaType: 'text/html',
    summary: 'The same, where one would sign up',
    bucket: 'read',
  },
  ...TRIAL_FILES.map(file),
  ...TAKEN_DOORS.map((door) => ({ ...door, methods: ['GET'], isMadeOfReads: true }) as const),
  {
    id: 'metrics',
    path: '/metrics',
    methods: ['GET'],
    mediaType: 'text/plain',
    summary: 'Counters and timings in the Prometheus text format',
    bucket: 'none',
  },
] as const satisfies readonly Door[];
export type DoorId = (typeof DOORS)[number]['id'];

export function doorOf(id: DoorId): Door {
  return DOORS.find((door) => door.id === id)!;
}
