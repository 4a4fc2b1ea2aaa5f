import { createServer, type IncomingMessage, type ServerResponse } from 'node:http';
import { listening } from './listening.ts';

/**
 * A publisher of feeds on 127.0.0.1. `answers` maps each path to its answer and may be changed while the server runs;
 * any other path is 404. A `feed` has an ETag made from its text and answers 304 to that ETag.
 */
export type FeedAnswer =
  | { kind: 'feed'; body: string | Buffer; headers?: Record<string, string> }
  | { kind: 'status'; status: number; headers?: Record<string, string> }
  /** Answers `status` to the first `times` requests, then the feed. */
  | { kind: 'flaky'; status: number; times: number; headers?: Record<string, string>; body: string }
  | { kind: 'redirect'; location: string }
  /** Sends text without end, until the client disconnects. */
  | { kind: 'endless' }
  /** Sends the head of an answer, then nothing. */
  | { kind: 'silent' }
  /** Cuts the connection after half of the announced body. */
  | { kind: 'cut'; body: string }
  | { kind: 'down' };

export interface FakeFeedServer extends AsyncDisposable {
  url: string;
  answers: Record<string, FeedAnswer>;
  /** Path, If-None-Match and If-Modified-Since of every request, in order. */
  requests: { path: string; etag: string | undefined; since: string | undefined }[];
  /** Bytes that `endless` has written. */
  written: number;
}

/** Starts a feed server on a free port. */
export async function startFakeFeedServer(answers: Record<string, FeedAnswer>): Promise<FakeFeedServer> {
  const server = createServer((request, response) => answer(fake, request, response));
  const fake: FakeFeedServer = {
    url: '',
    answers,
    requests: [],
    written: 0,
    [Symbol.asyncDispose]: () => close(),
  };
  const { url, close } = await listening(server);
  fake.url = url;
  return fake;
}

function answer(fake: FakeFeedServer, request: IncomingMessage, response: ServerResponse): void {
  const path = request.url ?? '/';
  const etag = request.headers['if-none-match'];
  fake.requests.push({ path, etag, since: request.headers['if-modified-since'] });
  const given = fake.answers[path] ?? { kind: 'status', status: 404 };
  switch (given.kind) {
    case 'feed':
      sendFeed(response, given.body, etag, given.headers);
      return;
    case 'flaky': {
      const seen = fake.requests.filter((one) => one.path === path).length;
      if (seen > given.times) sendFeed(response, given.body, etag);
      else response.writeHead(given.status, given.headers).end();
      return;
    }
    case 'status':
      response.writeHead(given.status, given.headers).end('no feed');
      return;
    case 'redirect':
      response.writeHead(302, { location: given.location }).end();
      return;
    case 'endless':
      pour(fake, response);
      return;
    case 'silent':
      response.writeHead(200, { 'content-type': 'application/xml' }).write('<rss>');
      return;
    case 'cut':
      response.writeHead(200, { 'content-length': String(given.body.length) });
      response.write(given.body.slice(0, given.body.length / 2), () => request.socket.destroy());
      return;
    case 'down':
      request.socket.destroy();
  }
}

function sendFeed(
  response: ServerResponse,
  body: string | Buffer,
  known: string | undefined,
  headers: Record<string, string> = {},
): void {
  const etag = `"${body.length}-${body.toString('latin1').split('<item>').length}"`;
  if (known === etag) {
    response.writeHead(304).end();
    return;
  }
  const all = { 'content-type': 'application/xml', etag, 'last-modified': 'Fri, 20 Nov 2026 08:00:00 GMT', ...headers };
  response.writeHead(200, all).end(body);
}

function pour(fake: FakeFeedServer, response: ServerResponse): void {
  const chunk = Buffer.alloc(256 * 1024, 'x');
  response.writeHead(200, { 'content-type': 'application/xml' });
  const more = (): void => {
    while (!response.destroyed && response.write(chunk)) fake.written += chunk.length;
    fake.written += chunk.length;
  };
  response.on('drain', more);
  more();
}
