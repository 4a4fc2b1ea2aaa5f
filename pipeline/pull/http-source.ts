import { once } from 'node:events';
import type { IncomingMessage } from 'node:http';
import got, { RequestError } from 'got';
import { retryAfterMs, userAgent } from '../raw/http-client.ts';
import { type Answer, clean, type Part, Passing, PullFault, refusal, type Source } from './downloader.ts';

export interface ServiceOptions {
  /** Address of the service, without a trailing slash. */
  url: string;
  now: () => Date;
  contact: string | undefined;
  signal: AbortSignal;
}

/** Nothing moves for so long: the request is given up. There is no limit for a whole file, which may be gigabytes. */
const SILENCE_MS = 60_000;
const CONNECT_MS = 15_000;
/** Larger than any error of a service. */
const REFUSAL_CHARACTERS = 16_384;

/** The files of a running service. */
export class HttpSource implements Source {
  readonly #options: ServiceOptions;

  constructor(options: ServiceOptions) {
    this.#options = options;
  }

  address(path: string): string {
    const [folder, ...names] = path.split('/');
    const below = folder === 'log' ? path : `${folder}/files/${names.join('/')}`;
    return `${this.#options.url}/snapshots/${below}`;
  }

  async open(path: string, part: Part | null): Promise<Answer> {
    const { contact, signal } = this.#options;
    const address = this.address(path);
    const { host } = new URL(address);
    const stream = got.stream(address, {
      headers: {
        'user-agent': userAgent(contact),
        'accept-encoding': 'identity',
        ...(part && { range: `bytes=${part.from}-`, 'if-range': `"${part.sha256}"` }),
      },
      retry: { limit: 0 },
      throwHttpErrors: false,
      decompress: false,
      maxRedirects: 3,
      timeout: { connect: CONNECT_MS, socket: SILENCE_MS, response: SILENCE_MS },
      followRedirect: (response) => new URL(response.headers.location ?? '', address).host === host,
      signal,
    });
    // The reader of the stream gets its errors too; without a listener one in between would end the process.
    stream.on('error', () => {});
    try {
      const [{ statusCode: status = 0, headers }] = (await once(stream, 'response')) as [IncomingMessage];
      if (status === 404) stream.destroy();
      else if (status !== 200 && status !== 206)
        throw refusal(
          address,
          status,
          await messageIn(stream),
          retryAfterMs(headers['retry-after'], this.#options.now()),
        );
      const { 'content-encoding': encoding = 'identity' } = headers;
      if (status !== 404 && encoding !== 'identity')
        throw new PullFault(`${address}: the service sends it packed (${clean(encoding)}), which was not asked for`);
      return {
        status,
        etag: headers.etag,
        range: headers['content-range'],
        length: Number(headers['content-length'] ?? 0),
        chunks: read(stream),
      };
    } catch (error) {
      stream.destroy();
      throw passingOf(error);
    }
  }
}

/** The body of an answer. A connection that breaks off may be tried again. */
async function* read(stream: AsyncIterable<Buffer>): AsyncGenerator<Buffer> {
  try {
    yield* stream;
  } catch (error) {
    throw passingOf(error);
  }
}

function passingOf(error: unknown): unknown {
  if (!(error instanceof RequestError) || error.name === 'AbortError') return error;
  return new Passing(`no whole answer (${error.code}: ${error.message})`, null, { cause: error });
}

/** The message of an error answer; empty where it has none. */
async function messageIn(stream: AsyncIterable<Buffer>): Promise<string> {
  let text = '';
  for await (const chunk of read(stream)) {
    text += chunk.toString('utf8');
    if (text.length > REFUSAL_CHARACTERS) break;
  }
  try {
    const { error } = JSON.parse(text) as { error?: { message?: unknown } };
    return typeof error?.message === 'string' ? error.message : '';
  } catch {
    return '';
  }
}
