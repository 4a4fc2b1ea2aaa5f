import type { Agent } from 'node:http';
import { type IncomingMessage, request } from 'node:http';
import { buffer } from 'node:stream/consumers';
import { gunzipSync } from 'node:zlib';
import { CHANGES_WAIT_MAX_SECONDS } from '../../contract/limits/limits.ts';

/** A request exactly as it is sent. `path` is percent-encoded already, or deliberately not. */
export interface FuzzedRequest {
  method: string;
  path: string;
  headers: Record<string, string>;
  body: Buffer | null;
}

export interface FuzzedAnswer {
  status: number;
  headers: IncomingMessage['headers'];
  /** The body after decompression; empty for an event stream. */
  body: Buffer;
}

/** Longer than the longest poll that a changed request may ask for, with time to spare for a busy machine. */
const HANG_MS = (CHANGES_WAIT_MAX_SECONDS + 300) * 1000;

/** Sends the request and reads the answer. Closes an event stream at once. Rejects if no answer comes in time. */
export function send(url: string, agent: Agent, { method, path, headers, body }: FuzzedRequest): Promise<FuzzedAnswer> {
  return new Promise((resolve, reject) => {
    const length = body === null ? {} : { 'content-length': String(body.length) };
    const sent = request({ ...target(url), agent, method, path, headers: { ...headers, ...length } });
    const timer = setTimeout(() => sent.destroy(new Error(`no answer within ${HANG_MS} ms`)), HANG_MS);
    sent.on('error', (error) => {
      clearTimeout(timer);
      reject(error);
    });
    sent.on('response', (answer) => {
      read(answer)
        .then((bytes) => resolve({ status: answer.statusCode!, headers: answer.headers, body: bytes }), reject)
        .finally(() => clearTimeout(timer));
    });
    sent.end(body ?? undefined);
  });
}

function target(url: string): { host: string; port: string } {
  const { hostname, port } = new URL(url);
  return { host: hostname, port };
}

async function read(answer: IncomingMessage): Promise<Buffer> {
  if (answer.headers['content-type']?.startsWith('text/event-stream')) {
    answer.destroy();
    return Buffer.alloc(0);
  }
  const bytes = await buffer(answer);
  return answer.headers['content-encoding'] === 'gzip' && bytes.length > 0 ? gunzipSync(bytes) : bytes;
}

/** A shell command that sends the request again. */
export function curlOf(url: string, { method, path, headers, body }: FuzzedRequest): string {
  const quoted = (text: string): string => `$'${[...Buffer.from(text, 'latin1')].map(shellByte).join('')}'`;
  const head = Object.entries(headers).map(([name, value]) => `-H ${quoted(`${name}: ${value}`)}`);
  const parts = ['curl', '-sS', '-i', '--path-as-is', '-g', method === 'HEAD' ? '-I' : `-X ${method}`, ...head];
  const address = quoted(`${url}${path}`);
  if (body === null) return [...parts, address].join(' ');
  return [`echo ${body.toString('base64')} | base64 -d |`, ...parts, '--data-binary @-', address].join(' ');
}

function shellByte(byte: number): string {
  const plain = byte >= 0x20 && byte < 0x7f && byte !== 0x27 && byte !== 0x5c;
  return plain ? String.fromCharCode(byte) : `\\x${byte.toString(16).padStart(2, '0')}`;
}
