import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { createInterface } from 'node:readline';
import { COMPILE_CACHE } from './runner/compile-cache.ts';
import { ROOT } from './tree.ts';

export interface ServerProcess extends AsyncDisposable {
  url: string;
  child: ChildProcess;
  /** Sends SIGTERM and resolves with the exit code. */
  stop(): Promise<number | null>;
}

/** Tests send no request to outside services, and a busy machine is no reason to refuse theirs. */
const FOR_TESTS = { PUBMED_URL: 'off', EUROPEPMC_URL: 'off', RATE_LIMITS: 'off' };

/** Starts an entry point on a free port of 127.0.0.1 and waits for its "listening" line. */
export async function startServer(
  entry: string,
  environment: Record<string, string>,
  ...words: string[]
): Promise<ServerProcess> {
  const child = spawn(process.execPath, [entry, ...words], {
    cwd: ROOT,
    // Passes nothing else of the test runner's environment, which sets its own BASE_URL.
    env: { PATH: process.env.PATH, HOST: '127.0.0.1', PORT: '0', ...COMPILE_CACHE, ...FOR_TESTS, ...environment },
    stdio: ['ignore', 'pipe', 'inherit'],
  });
  const exited = once(child, 'exit') as Promise<[number | null]>;
  const url = await Promise.race([
    listening(child),
    exited.then(([code]) => {
      throw new Error(`${entry} ended with ${code} before it listened`);
    }),
  ]);
  const stop = async (): Promise<number | null> => {
    child.kill('SIGTERM');
    return (await exited)[0];
  };
  return { url, child, stop, [Symbol.asyncDispose]: async () => void (await stop()) };
}

async function listening(child: ChildProcess): Promise<string> {
  return new Promise((resolve) => {
    createInterface({ input: child.stdout! }).on('line', (line) => {
      if (!line.startsWith('{')) return;
      const entry = JSON.parse(line) as { event?: string; url?: string };
      if (entry.event === 'listening' && entry.url) resolve(entry.url);
    });
  });
}

/** A write that needs nothing but a board: 201 where it takes writes. */
export function createKey(url: string): Promise<Response> {
  return fetch(`${url}/api/v1/keys`, {
    method: 'POST',
    headers: { 'content-type': 'application/json' },
    body: '{"label":"a test"}',
  });
}
