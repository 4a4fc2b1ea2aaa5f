import http, { type IncomingMessage } from 'node:http';
import https from 'node:https';
import { isIP, type LookupFunction } from 'node:net';
import { RequestFilteringHttpAgent, RequestFilteringHttpsAgent } from 'request-filtering-agent';
import { WEBHOOK_REPLY_MAX_BYTES, WEBHOOK_REPLY_SECONDS } from '../../contract/limits/limits.ts';
import { type CheckedTarget, type TargetPolicy, TargetRefused } from './target.ts';

/** Why an attempt got no answer. */
export interface DialFailure {
  status: null;
  reason: 'timeout' | 'unreachable' | 'refused';
}

/** What one POST came to. `reply` is empty where nobody asked for it. */
export type DialResult = { status: number; retryAfter: string | null; reply: string } | DialFailure;

export interface Post {
  headers: Record<string, string>;
  body: string;
  /** Only a challenge needs the reply; of any other message the status is all. */
  wantsReply: boolean;
}

/** Both steps end when `signal` is aborted, which then says why. Neither rejects. */
export interface Dialer {
  /** Resolves the host once and checks all of its addresses; `turn` chooses which of them this attempt goes to. */
  locate(url: string, turn: number, signal: AbortSignal): Promise<CheckedTarget | DialFailure>;
  post(target: CheckedTarget, message: Post, signal: AbortSignal): Promise<DialResult>;
}

/**
 * Posts to targets of the policy. A target is dialled at just the one address that was checked and whose turn was taken;
 * the agent checks it again as it connects. Redirects are not followed. The connection is closed as soon as the status is
 * known; a reply that is asked for is read up to WEBHOOK_REPLY_MAX_BYTES and for WEBHOOK_REPLY_SECONDS.
 */
export function dialer(policy: TargetPolicy, replyMs: number = WEBHOOK_REPLY_SECONDS * 1000): Dialer {
  return {
    async locate(text, turn, signal) {
      try {
        const url = policy.parse(text);
        return await unlessAborted(signal, policy.locate(url, turn));
      } catch (error) {
        return failure(error, signal);
      }
    },
    async post(target, message, signal) {
      try {
        return await post(target, message, replyMs, signal);
      } catch (error) {
        return failure(error, signal);
      }
    },
  };
}

function failure(error: unknown, signal: AbortSignal): DialFailure {
  if (error instanceof TargetRefused) return { status: null, reason: 'refused' };
  const timedOut = signal.aborted && (signal.reason as Error).name === 'TimeoutError';
  return { status: null, reason: timedOut ? 'timeout' : 'unreachable' };
}

async function unlessAborted<T>(signal: AbortSignal, work: Promise<T>): Promise<T> {
  const aborted = new Promise<never>((_, reject) => {
    if (signal.aborted) reject(signal.reason as Error);
    signal.addEventListener('abort', () => reject(signal.reason as Error), { once: true });
  });
  return Promise.race([work, aborted]);
}

function post(
  { url, address, isAllowedPrivate }: CheckedTarget,
  { headers, body, wantsReply }: Post,
  replyMs: number,
  signal: AbortSignal,
): Promise<DialResult> {
  const secure = url.protocol === 'https:';
  // The agent's list has the very address that the operator's ranges let through: it takes no mixed ranges quietly.
  const filter = { allowIPAddressList: isAllowedPrivate ? [address] : [], keepAlive: false };
  const agent = secure ? new RequestFilteringHttpsAgent(filter) : new RequestFilteringHttpAgent(filter);
  const payload = Buffer.from(body);
  return new Promise((resolve, reject) => {
    const request = (secure ? https : http).request(
      url,
      {
        method: 'POST',
        agent,
        lookup: pinned(address),
        signal,
        headers: { ...headers, 'content-type': 'application/json', 'content-length': payload.length },
      },
      (response) => resolve(answered(response, wantsReply ? replyMs : 0)),
    );
    request.on('error', reject);
    request.end(payload);
  });
}

function pinned(address: string): LookupFunction {
  const family = isIP(address);
  return (_host, options, callback) => {
    if (options.all) callback(null, [{ address, family }]);
    else callback(null, address, family);
  };
}

/** The status counts as soon as it is there; a reply that breaks off or never ends is taken as far as it came. */
async function answered(response: IncomingMessage, replyMs: number): Promise<DialResult> {
  const reply = replyMs > 0 ? await replyOf(response, replyMs) : '';
  response.on('error', () => undefined).destroy();
  return { status: response.statusCode ?? 0, retryAfter: response.headers['retry-after'] ?? null, reply };
}

async function replyOf(response: IncomingMessage, replyMs: number): Promise<string> {
  const chunks: Buffer[] = [];
  let size = 0;
  const enough = setTimeout(() => response.destroy(), replyMs);
  try {
    for await (const chunk of response as AsyncIterable<Buffer>) {
      chunks.push(chunk);
      size += chunk.length;
      if (size >= WEBHOOK_REPLY_MAX_BYTES) break;
    }
  } catch {
    // The caller takes the reply as far as it came.
  } finally {
    clearTimeout(enough);
  }
  return Buffer.concat(chunks).subarray(0, WEBHOOK_REPLY_MAX_BYTES).toString('utf8');
}
