import { createHash, createHmac } from 'node:crypto';
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import type { SnapshotStoreConfig } from '../../server-kit/config/config.ts';

/** Answers a request in another way than S3 does. Returns false where the usual answer shall follow. */
export type OddS3Answer = (request: IncomingMessage, response: ServerResponse, content: Buffer) => boolean;

/**
 * A small S3 on 127.0.0.1 with one bucket: objects, ranges, lists and conditional writes. It checks each signature by the rules of
 * Signature Version 4, and each body against the SHA-256 that was signed.
 */
export interface FakeS3 extends AsyncDisposable {
  /** How a client reaches it, with the prefix `boards`. */
  config: SnapshotStoreConfig;
  /** By key, the prefix included; may be changed while it runs. */
  objects: Map<string, { content: Buffer; changedAt: Date }>;
  /** By method and key without the prefix, such as `GET objects/...`; may be changed while it runs. */
  odd: Map<string, OddS3Answer>;
  /** Method and key without the prefix of each request, in order, with its query. */
  asked: string[];
  /** Called with each request, before it is answered. */
  onAsked: () => void;
  /** Whether it carries out conditional writes whatever is there, as some stores do. */
  ignoresConditions: boolean;
  /** Whether it compares the mark in If-Match without the quotes around it, as Ceph 16 does. */
  hasBareMarks: boolean;
  /** Seconds by which its clock is ahead. */
  aheadSeconds: number;
}

const BUCKET = 'snapshots';
const PREFIX = 'boards';
const KEY = { accessKeyId: 'AKIDEXAMPLE', secretAccessKey: 'wJalrXUtnFEMI/K7MDENG+bPxRfiCYEXAMPLEKEY' };
const REGION = 'eu-test-1';

/** Its bucket and the one key that it knows. */
export const LOOPBACK_S3 = { bucket: BUCKET, prefix: PREFIX, region: REGION, ...KEY } as const;

/** On any free port without one. */
export async function startS3(port = 0): Promise<FakeS3> {
  const server = createServer((request, response) => {
    const chunks: Buffer[] = [];
    request.on('data', (chunk: Buffer) => chunks.push(chunk));
    request.on('end', () => answer(fake, { request, response, body: Buffer.concat(chunks) }));
  });
  await new Promise<void>((resolve) => server.listen(port, '127.0.0.1', resolve));
  const endpoint = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
  const fake: FakeS3 = {
    config: { bucket: BUCKET, prefix: PREFIX, endpoint, region: REGION, ...KEY },
    objects: new Map(),
    odd: new Map(),
    asked: [],
    onAsked: () => {},
    ignoresConditions: false,
    hasBareMarks: false,
    aheadSeconds: 0,
    [Symbol.asyncDispose]: () =>
      new Promise((resolve, reject) => {
        server.close((error) => (error ? reject(error) : resolve()));
        server.closeAllConnections();
      }),
  };
  return fake;
}

interface Asked {
  request: IncomingMessage;
  response: ServerResponse;
  body: Buffer;
}

/** A refusal as S3 words it. */
class Refused extends Error {
  readonly status: number;
  readonly code: string;

  constructor(status: number, code: string) {
    super(code);
    this.status = status;
    this.code = code;
  }
}

function answer(fake: FakeS3, asked: Asked): void {
  const { request, response, body } = asked;
  const url = new URL(request.url ?? '/', 'http://s3');
  const now = new Date(Date.now() + fake.aheadSeconds * 1000);
  response.setHeader('date', now.toUTCString());
  const key = url.pathname.slice(`/${BUCKET}/`.length);
  const short = key.startsWith(`${PREFIX}/`) ? key.slice(PREFIX.length + 1) : key;
  const called = `${request.method} ${short}`;
  fake.asked.push(`${called}${url.search}`);
  fake.onAsked();
  try {
    assertSigned(request, url, body, now);
    const content = fake.objects.get(key)?.content ?? Buffer.alloc(0);
    if (fake.odd.get(called)?.(request, response, content) === true) return;
    if (!url.pathname.startsWith(`/${BUCKET}/`)) throw new Refused(404, 'NoSuchBucket');
    carryOut(fake, asked, { url, key, now });
  } catch (error) {
    if (!(error instanceof Refused)) throw error;
    const text = `<?xml version="1.0"?><Error><Code>${error.code}</Code><Message>refused</Message></Error>`;
    response.writeHead(error.status, { 'content-type': 'application/xml' });
    response.end(request.method === 'HEAD' ? undefined : text);
  }
}

interface Target {
  url: URL;
  key: string;
  now: Date;
}

function carryOut(fake: FakeS3, asked: Asked, target: Target): void {
  const { request, response } = asked;
  const { searchParams } = target.url;
  const method = request.method ?? '';
  if (target.key === '' && method === 'GET') list(fake, response, searchParams);
  else if (method === 'PUT') put(fake, asked, target);
  else if (method === 'DELETE') {
    fake.objects.delete(target.key);
    response.writeHead(204).end();
  } else {
    const found = fake.objects.get(target.key);
    if (found === undefined) throw new Refused(404, 'NoSuchKey');
    give(request, response, found.content);
  }
}

function give(request: IncomingMessage, response: ServerResponse, content: Buffer): void {
  const from = Number(/^bytes=(\d+)-$/.exec(request.headers.range ?? '')?.[1]);
  const etag = etagOf(content);
  if (Number.isNaN(from) || from === 0) {
    response.writeHead(200, { etag, 'content-length': content.length });
    response.end(request.method === 'HEAD' ? undefined : content);
    return;
  }
  if (from >= content.length) throw new Refused(416, 'InvalidRange');
  const range = `bytes ${from}-${content.length - 1}/${content.length}`;
  response.writeHead(206, { etag, 'content-length': content.length - from, 'content-range': range });
  response.end(content.subarray(from));
}

function put(fake: FakeS3, { request, response, body }: Asked, { key, now }: Target): void {
  const found = fake.objects.get(key);
  const { 'if-match': match, 'if-none-match': none } = request.headers;
  if (!fake.ignoresConditions) {
    if (none === '*' && found !== undefined) throw new Refused(412, 'PreconditionFailed');
    if (match !== undefined && found === undefined) throw new Refused(404, 'NoSuchKey');
    const mark = found === undefined ? '' : etagOf(found.content);
    const expected = fake.hasBareMarks ? mark.replaceAll('"', '') : mark;
    if (match !== undefined && match !== expected) throw new Refused(412, 'PreconditionFailed');
  }
  fake.objects.set(key, { content: body, changedAt: now });
  response.writeHead(200, { etag: etagOf(body) }).end();
}

function list(fake: FakeS3, response: ServerResponse, query: URLSearchParams): void {
  // Few a page, so that clients must ask for the next one.
  const page = 20;
  const after = query.get('continuation-token') ?? '';
  const keys = [...fake.objects.keys()]
    .filter((key) => key.startsWith(query.get('prefix') ?? '') && key > after)
    .sort();
  const shown = keys.slice(0, page).map((key) => {
    const { content, changedAt } = fake.objects.get(key)!;
    return `<Contents><Key>${key}</Key><LastModified>${changedAt.toISOString()}</LastModified><Size>${content.length}</Size></Contents>`;
  });
  const isCut = keys.length > page;
  const next = isCut ? `<NextContinuationToken>${keys[page - 1]}</NextContinuationToken>` : '';
  sendXml(response, `<ListBucketResult><IsTruncated>${isCut}</IsTruncated>${next}${shown.join('')}</ListBucketResult>`);
}

function sendXml(response: ServerResponse, text: string): void {
  response.writeHead(200, { 'content-type': 'application/xml' }).end(`<?xml version="1.0"?>${text}`);
}

function etagOf(content: Buffer): string {
  return `"${createHash('md5').update(content).digest('hex')}"`;
}

/** Holds the signature against one made here from the request as it came. */
function assertSigned(request: IncomingMessage, url: URL, body: Buffer, now: Date): void {
  const { authorization = '', 'x-amz-date': date = '', 'x-amz-content-sha256': stated = '' } = request.headers;
  const found = /^AWS4-HMAC-SHA256 Credential=([^,]+), SignedHeaders=([^,]+), Signature=([0-9a-f]{64})$/.exec(
    authorization,
  );
  if (found === null) throw new Refused(403, 'AccessDenied');
  const [, credential = '', names = '', signature] = found;
  const day = String(date).slice(0, 8);
  const scope = `${day}/${REGION}/s3/aws4_request`;
  if (credential !== `${KEY.accessKeyId}/${scope}`) throw new Refused(403, 'InvalidAccessKeyId');
  const signed = names.split(';');
  const needed = ['host', ...Object.keys(request.headers).filter((name) => name.startsWith('x-amz-'))];
  if (!needed.every((name) => signed.includes(name))) throw new Refused(403, 'AccessDenied');
  const at = Date.parse(String(date).replace(/^(\d{4})(\d\d)(\d\d)T(\d\d)(\d\d)(\d\d)Z$/, '$1-$2-$3T$4:$5:$6Z'));
  if (!(Math.abs(at - now.getTime()) < 900_000)) throw new Refused(403, 'RequestTimeTooSkewed');
  const encoded = (text: string): string =>
    encodeURIComponent(text).replaceAll(/[!'()*]/g, (sign) => `%${sign.charCodeAt(0).toString(16).toUpperCase()}`);
  const query = [...url.searchParams].map((pair) => pair.map(encoded).join('=')).sort();
  const headers = signed.map((name) => `${name}:${String(request.headers[name]).trim().replaceAll(/ +/g, ' ')}\n`);
  const canonical = [request.method, url.pathname, query.join('&'), headers.join(''), names, stated].join('\n');
  const hmac = (key: string | Buffer, text: string): Buffer => createHmac('sha256', key).update(text).digest();
  const key = ['s3', 'aws4_request'].reduce(hmac, hmac(hmac(`AWS4${KEY.secretAccessKey}`, day), REGION));
  const text = ['AWS4-HMAC-SHA256', date, scope, createHash('sha256').update(canonical).digest('hex')].join('\n');
  if (hmac(key, text).toString('hex') !== signature) throw new Refused(403, 'SignatureDoesNotMatch');
  if (createHash('sha256').update(body).digest('hex') !== stated) throw new Refused(400, 'XAmzContentSHA256Mismatch');
}

// `npm run cluster` runs it as a program, on the port that is named.
if (import.meta.main) await startS3(Number(process.argv[2]));
