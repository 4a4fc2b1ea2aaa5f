import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { text } from 'node:stream/consumers';
import { COMPILE_CACHE } from './runner/compile-cache.ts';
import { ROOT } from './tree.ts';

export interface EndedProcess {
  /** Null where a signal ended it. */
  code: number | null;
  signal: NodeJS.Signals | null;
  out: string;
  errors: string;
}

export interface StartedProcess {
  child: ChildProcess;
  ended: Promise<EndedProcess>;
}

/** Starts a program of the repository with these words and nothing else of this environment. */
export function startProgram(words: readonly string[], environment: Record<string, string>): StartedProcess {
  const child = spawn(process.execPath, words, {
    cwd: ROOT,
    env: { PATH: process.env.PATH, ...COMPILE_CACHE, ...environment },
    stdio: ['ignore', 'pipe', 'pipe'],
  });
  const closed = once(child, 'close') as Promise<[number | null, NodeJS.Signals | null]>;
  const ended = Promise.all([text(child.stdout), text(child.stderr), closed]);
  return { child, ended: ended.then(([out, errors, [code, signal]]) => ({ code, signal, out, errors })) };
}

/** Starts a command of the pipeline. */
export function startPipeline(words: readonly string[], environment: Record<string, string>): StartedProcess {
  return startProgram(['pipeline/cli.ts', ...words], environment);
}
