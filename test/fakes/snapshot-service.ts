import { createHash } from 'node:crypto';
import { readFile } from 'node:fs/promises';
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http';
import { join } from 'node:path';
import { walk } from '../../pipeline/publish/durable.ts';
import { listening } from './listening.ts';

/** Answers a request for a file in another way than by its bytes. `file` is empty where there is none. */
export type OddAnswer = (request: IncomingMessage, response: ServerResponse, file: Buffer) => void;

/** A service that gives the files of versions and of the log on 127.0.0.1, and lies where a test says so. */
export interface FakeSnapshotService extends AsyncDisposable {
  url: string;
  /** Content by path of the address; may be changed while it runs. */
  files: Map<string, Buffer>;
  /** By path of the address; may be changed while it runs. */
  odd: Map<string, OddAnswer>;
  /** Path and range of each request, in order. */
  asked: { path: string; range: string | null }[];
}

/** Gives what a directory of snapshots holds; `current` is the version that is served. */
export async function startSnapshotService(snapshotsDir: string, current: string): Promise<FakeSnapshotService> {
  const files = new Map<string, Buffer>();
  for (const path of (await walk(join(snapshotsDir, current))).files)
    files.set(`/snapshots/${current}/files/${path}`, await readFile(join(snapshotsDir, current, path)));
  for (const name of ['checkpoint', 'identities', 'keys'])
    files.set(`/snapshots/log/${name}`, await readFile(join(snapshotsDir, 'log', name)).catch(() => Buffer.alloc(0)));
  const server = createServer((request, response) => {
    const path = (request.url ?? '/').replace('/snapshots/current/', `/snapshots/${current}/`);
    fake.asked.push({ path, range: request.headers.range ?? null });
    const file = fake.files.get(path);
    const odd = fake.odd.get(path);
    if (odd !== undefined) odd(request, response, file ?? Buffer.alloc(0));
    else if (file === undefined) response.writeHead(404).end('{"error":{"message":"there is none"}}');
    else sendFile(request, response, file);
  });
  const fake: FakeSnapshotService = {
    url: '',
    files,
    odd: new Map(),
    asked: [],
    [Symbol.asyncDispose]: () => close(),
  };
  const { url, close } = await listening(server);
  fake.url = url;
  return fake;
}

/** Whole, or from the byte on that a range names. */
export function sendFile(request: IncomingMessage, response: ServerResponse, file: Buffer): void {
  const etag = `"${createHash('sha256').update(file).digest('hex')}"`;
  const from =
    request.headers['if-range'] === etag ? Number(/^bytes=(\d+)-$/.exec(request.headers.range ?? '')?.[1]) : NaN;
  if (Number.isNaN(from)) {
    response.writeHead(200, { etag, 'content-length': file.length }).end(file);
    return;
  }
  const range = `bytes ${from}-${file.length - 1}/${file.length}`;
  response
    .writeHead(206, { etag, 'content-length': file.length - from, 'content-range': range })
    .end(file.subarray(from));
}
