import http, { type IncomingMessage } from 'node:http';
import https from 'node:https';
import { isIP, type LookupFunction } from 'node:net';
import { RequestFilteringHttpAgent, RequestFilteringHttpsAgent } from 'request-filtering-agent';
import { WEBHOOK_REPLY_MAX_BYTES, WEBHOOK_TIMEOUT_SECONDS } from '../../contract/limits.ts';
import { type CheckedAddresses, type TargetPolicy, TargetRefused } from './target.ts';

/** What one POST came to: an answer, or why there was none. */
export type DialResult =
  | { status: number; retryAfter: string | null; reply: string }
  | { status: null; reason: 'timeout' | 'unreachable' | 'refused' };

/** `stopped` gives an attempt up; it then looks like any that failed. */
export type Dial = (
  url: string,
  headers: Record<string, string>,
  body: string,
  stopped: AbortSignal,
) => Promise<DialResult>;

/**
 * Posts to targets of the policy. The host is resolved once, checked, and dialled at just these addresses; the agent
 * checks them again as it connects. Redirects are not followed, and of a reply nothing beyond WEBHOOK_REPLY_MAX_BYTES is
 * read. Never rejects.
 */
export function dialer(policy: TargetPolicy, timeoutMs: number = WEBHOOK_TIMEOUT_SECONDS * 1000): Dial {
  return async (text, headers, body, stopped) => {
    const timeout = AbortSignal.timeout(timeoutMs);
    const signal = AbortSignal.any([timeout, stopped]);
    try {
      const url = policy.parse(text);
      const checked = await unlessAborted(signal, policy.addressesOf(url));
      return await post(url, checked, headers, body, signal);
    } catch (error) {
      if (error instanceof TargetRefused) return { status: null, reason: 'refused' };
      return { status: null, reason: timeout.aborted ? 'timeout' : 'unreachable' };
    }
  };
}

async function unlessAborted<T>(signal: AbortSignal, work: Promise<T>): Promise<T> {
  const aborted = new Promise<never>((_, reject) => {
    signal.addEventListener('abort', () => reject(signal.reason as Error), { once: true });
  });
  return Promise.race([work, aborted]);
}

function post(
  url: URL,
  { addresses, allowed }: CheckedAddresses,
  headers: Record<string, string>,
  body: string,
  signal: AbortSignal,
): Promise<DialResult> {
  const secure = url.protocol === 'https:';
  // The agent's list has the very addresses that the operator's ranges let through: it takes no mixed ranges quietly.
  const filter = { allowIPAddressList: allowed, keepAlive: false };
  const agent = secure ? new RequestFilteringHttpsAgent(filter) : new RequestFilteringHttpAgent(filter);
  const payload = Buffer.from(body);
  return new Promise((resolve, reject) => {
    const request = (secure ? https : http).request(
      url,
      {
        method: 'POST',
        agent,
        lookup: pinned(addresses),
        signal,
        headers: { ...headers, 'content-type': 'application/json', 'content-length': payload.length },
      },
      (response) => resolve(answered(response)),
    );
    request.on('error', reject);
    request.end(payload);
  });
}

function pinned(addresses: string[]): LookupFunction {
  const answers = addresses.map((address) => ({ address, family: isIP(address) }));
  return (_host, options, callback) => {
    if (options.all) callback(null, answers);
    else callback(null, answers[0]!.address, answers[0]!.family);
  };
}

/** The status counts as soon as it is there; a reply that breaks off or never ends is taken as far as it came. */
async function answered(response: IncomingMessage): Promise<DialResult> {
  const chunks: Buffer[] = [];
  let size = 0;
  try {
    for await (const chunk of response as AsyncIterable<Buffer>) {
      chunks.push(chunk);
      size += chunk.length;
      if (size >= WEBHOOK_REPLY_MAX_BYTES) break;
    }
  } catch {
    // Said above.
  } finally {
    response.destroy();
  }
  const reply = Buffer.concat(chunks).subarray(0, WEBHOOK_REPLY_MAX_BYTES).toString('utf8');
  return { status: response.statusCode ?? 0, retryAfter: response.headers['retry-after'] ?? null, reply };
}
