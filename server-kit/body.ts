import { hash } from 'node:crypto';
import type { Readable } from 'node:stream';
import { promisify } from 'node:util';
import { brotliDecompress, gunzip, inflate } from 'node:zlib';
import type { H3Event } from 'h3';
import type { z } from 'zod';
import { canonicalJson } from '../contract/canonical-json.ts';
import { BODY_ISSUES_MAX_ITEMS } from '../contract/limits/limits.ts';
import { isWrite, type Operation } from '../contract/operation.ts';
import { copiedStatements, OWN_NAME, OWN_WORDS, placeholderNames } from '../contract/own-words.ts';
import { enteredJson, JsonFault, TOO_DEEP } from './entered-json.ts';
import { Problem } from './problem.ts';
import { illFormedPaths, WELL_FORMED } from './well-formed.ts';

/** By the coding that a caller names; a plain object would also know `constructor`. */
const DECODERS: ReadonlyMap<string, (bytes: Buffer, options: { maxOutputLength: number }) => Promise<Buffer>> = new Map(
  Object.entries({ gzip: promisify(gunzip), deflate: promisify(inflate), br: promisify(brotliDecompress) }),
);
const DEFAULT_MAX_BYTES = 8_000;

interface ReadBody {
  value: unknown;
  /** SHA-256 of the body's content: of its canonical JSON, in which neither blanks nor the order of names count. */
  sha256: string;
  /** Names of top-level keys that the operation does not know; they are dropped. */
  ignored: string[];
}

/** What to send in place of a text where a list or an object is wanted: many clients send its JSON as text. */
const SEND_OBJECT = 'send a JSON object, not its text';
const SEND_JSON: Readonly<Record<string, string>> = {
  array: 'send a JSON array, not its text',
  object: SEND_OBJECT,
  record: SEND_OBJECT,
};

/**
 * Reads and checks a JSON object. The operation's byte limit holds for the body as sent and as unpacked, whatever the
 * length header says. Fails with BODY_TOO_LARGE, INVALID_BODY, or the operation's `rejection` with every issue.
 */
export async function readBody(event: H3Event, operation: Operation): Promise<ReadBody> {
  const max = operation.bodyMaxBytes ?? DEFAULT_MAX_BYTES;
  const bytes = await unpackedBytes(event, max);
  // A DELETE may be complete without a body.
  const given = bytes.length === 0 && operation.method === 'DELETE' ? {} : parseObject(bytes);
  const schema = operation.body as z.ZodType;
  const result = schema.safeParse(given);
  if (!result.success) {
    throw refused(
      operation,
      result.error.issues.map((issue) => ({
        path: issue.path.join('.') || 'body',
        message: messageOf(issue, given),
      })),
    );
  }
  const printed = isWrite(operation) ? printedIn(result.data) : [];
  if (printed.length > 0) throw refused(operation, printed);
  const known = (schema as { shape?: Record<string, unknown> }).shape;
  const ignored = known ? Object.keys(given).filter((name) => !Object.hasOwn(known, name)) : [];
  return {
    value: result.data,
    sha256: hash('sha256', canonicalJson(given)),
    ignored: ignored.slice(0, 20).map((name) => name.toWellFormed().slice(0, 64)),
  };
}

/** What a body repeats of the service's own examples: statements, and the name of an agent. */
function printedIn(body: unknown): { path: string; message: string }[] {
  return [
    ...copiedStatements(body).map((path) => ({ path, message: OWN_WORDS })),
    ...placeholderNames(body).map((path) => ({ path, message: OWN_NAME })),
  ];
}

/** What is wrong with a field, and what to send instead where it is the text of JSON. */
function messageOf(issue: z.core.$ZodIssue, given: unknown): string {
  const { path, message } = issue;
  const instead = issue.code === 'invalid_type' ? SEND_JSON[issue.expected] : undefined;
  const sent = path.reduce<unknown>((value, step) => (value as Record<PropertyKey, unknown>)[step], given);
  return instead === undefined || typeof sent !== 'string' ? message : `${message}: ${instead}`;
}

/** A refusal that counts all faults and lists the first of them: a small body can have thousands. */
function refused({ rejection = 'INVALID_BODY' }: Operation, all: { path: string; message: string }[]): Problem {
  const issues = all.slice(0, BODY_ISSUES_MAX_ITEMS);
  return new Problem(rejection, {
    message: `The body has ${all.length} problem(s): ${issues
      .map(({ path, message }) => `${path}: ${message}`)
      .join('; ')
      .slice(0, 600)}`,
    issues: issues.slice(0, BODY_ISSUES_MAX_ITEMS),
  });
}

function tooLarge(max: number): Problem {
  return new Problem('BODY_TOO_LARGE', { message: `The body is over ${max} bytes.` });
}

/** JSON, or a type that is built on it. */
const JSON_TYPE = /^application\/(?:[\w.!#$&^-]+\+)?json[ \t]*(?:;|$)/i;

/**
 * The body as sent, at most `max` bytes. A body must be declared as JSON: a page of another site cannot send that type
 * through its visitor's browser without being allowed to first. Fails with BODY_TOO_LARGE or INVALID_BODY.
 */
export async function jsonBytes(event: H3Event, max: number): Promise<Buffer> {
  const bytes = await receivedBytes(event, max);
  if (bytes.length === 0 || JSON_TYPE.test(event.req.headers.get('content-type') ?? '')) return bytes;
  throw new Problem('INVALID_BODY', {
    message: 'The body is not declared as JSON: send the header Content-Type: application/json with it.',
  });
}

/** The body as sent, at most `max` bytes whatever the length header says. Fails with BODY_TOO_LARGE. */
export async function receivedBytes(event: H3Event, max: number): Promise<Buffer> {
  if (Number(event.req.headers.get('content-length') ?? 0) > max) throw tooLarge(max);
  const incoming = event.runtime?.node?.req;
  if (incoming !== undefined) return bytesFrom(incoming, max);
  const chunks: Uint8Array[] = [];
  let size = 0;
  for await (const chunk of (event.req.body ?? []) as AsyncIterable<Uint8Array>) {
    size += chunk.length;
    if (size > max) throw tooLarge(max);
    chunks.push(chunk);
  }
  return Buffer.concat(chunks);
}

/** Reads Node's own stream: a web stream around it costs more than everything else that is done with a small body. */
async function bytesFrom(incoming: Readable, max: number): Promise<Buffer> {
  if (incoming.readableEnded) return Buffer.alloc(0);
  return new Promise((resolve, reject) => {
    const chunks: Buffer[] = [];
    let size = 0;
    const take = (chunk: Buffer): void => {
      size += chunk.length;
      chunks.push(chunk);
      if (size <= max) return;
      leave();
      // The rest is read and dropped, so that the refusal can be sent.
      incoming.resume();
      reject(tooLarge(max));
    };
    const end = (): void => {
      leave();
      resolve(chunks.length === 1 ? chunks[0]! : Buffer.concat(chunks));
    };
    const gone = (): void => {
      leave();
      reject(new DOMException('The caller left.', 'AbortError'));
    };
    const leave = (): void => {
      incoming.off('data', take).off('end', end).off('error', gone).off('close', gone);
    };
    incoming.on('data', take).on('end', end).on('error', gone).on('close', gone);
    if (incoming.destroyed) gone();
  });
}

/** The unpacked body, at most `max` bytes both as sent and as unpacked. Fails with BODY_TOO_LARGE or INVALID_BODY. */
export async function unpackedBytes(event: H3Event, max: number): Promise<Buffer> {
  return unpacked(await jsonBytes(event, max), event.req.headers.get('content-encoding'), max);
}

/** A body as it was sent, unpacked. */
export async function unpacked(bytes: Buffer, encoding: string | null, max: number): Promise<Buffer> {
  const name = encoding?.trim().toLowerCase() ?? 'identity';
  if (name === 'identity' || name === '') return bytes;
  const decode = DECODERS.get(name);
  if (!decode)
    throw new Problem('INVALID_BODY', { message: 'Content-Encoding is none of gzip, deflate, br, identity.' });
  try {
    return await decode(bytes, { maxOutputLength: max });
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === 'ERR_BUFFER_TOO_LARGE') throw tooLarge(max);
    throw new Problem('INVALID_BODY', { message: `The body could not be unpacked as ${name}.` });
  }
}

function parseObject(bytes: Buffer): Record<string, unknown> {
  const { text, value } = bodyJson(bytes);
  if (value === null || typeof value !== 'object' || Array.isArray(value)) throw new Problem('INVALID_BODY');
  const issues = illFormedPaths(text, value).map((path) => ({ path, message: WELL_FORMED }));
  if (issues.length === 0) return value as Record<string, unknown>;
  const message = `The body has a text that is not usable: ${issues[0]!.path}: ${WELL_FORMED}.`;
  throw new Problem('INVALID_BODY', { message, issues });
}

function bodyJson(bytes: Buffer): { text: string; value: unknown } {
  try {
    return enteredJson(bytes);
  } catch (error) {
    if (!(error instanceof JsonFault)) throw error;
    if (error.kind === 'not-json') throw new Problem('INVALID_BODY');
    const issues = [{ path: 'body', message: `is ${TOO_DEEP}` }];
    throw new Problem('INVALID_BODY', { message: `The body is ${TOO_DEEP}.`, issues });
  }
}
