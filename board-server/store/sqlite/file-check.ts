import { spawn } from 'node:child_process';
import { statSync } from 'node:fs';
import { constants, setPriority } from 'node:os';
import { fileURLToPath } from 'node:url';
import SQLite from 'better-sqlite3';

/** A check takes half a second for each 100 MB: longer files are checked while they are served. */
const BEFORE_SERVING_MAX_BYTES = 64 * 2 ** 20;
const EXIT_DAMAGED = 3;

/** Whether a file is checked before it is served. */
export function isCheckedFirst(path: string): boolean {
  return (statSync(path, { throwIfNoEntry: false })?.size ?? 0) <= BEFORE_SERVING_MAX_BYTES;
}

/** `damaged` says what was found, `unknown` why the check gave no result. */
type FileState = { state: 'sound' } | { state: 'damaged' | 'unknown'; said: string };

/** Checks a file in a child process: in this one SQLite would block everything else while it reads all pages. */
export class FileCheck implements Disposable {
  /** Never settles once disposed. */
  readonly result: Promise<FileState>;
  readonly #stop: () => void;

  private constructor(path: string) {
    const program = fileURLToPath(import.meta.url);
    const child = spawn(process.execPath, [program, path], { env: {}, stdio: ['ignore', 'pipe', 'pipe'] });
    giveWay(child.pid);
    let said = '';
    for (const output of [child.stdout, child.stderr]) output.on('data', (chunk) => (said += chunk));
    this.result = new Promise((resolve) => {
      child.once('error', ({ message }) => resolve({ state: 'unknown', said: message }));
      child.once('close', (code, signal) => {
        if (child.killed) return;
        if (code === 0) resolve({ state: 'sound' });
        else
          resolve({ state: code === EXIT_DAMAGED ? 'damaged' : 'unknown', said: said.trim() || `${code ?? signal}` });
      });
    });
    this.#stop = () => child.kill('SIGKILL');
  }

  /** Starts the check of a file that was not checked before it was opened; null if it was checked. */
  static start(path: string): FileCheck | null {
    return isCheckedFirst(path) ? null : new FileCheck(path);
  }

  /** Starts the check of a file, whatever its size. */
  static of(path: string): FileCheck {
    return new FileCheck(path);
  }

  [Symbol.dispose](): void {
    this.#stop();
  }
}

/** Lowers the priority of the check below requests. Nothing is lost if the system refuses or the check has ended. */
function giveWay(pid: number | undefined): void {
  if (pid === undefined) return;
  try {
    setPriority(pid, constants.priority.PRIORITY_LOW);
  } catch {
    // It ended, or may not be changed.
  }
}

function check(path: string): void {
  const finding = findingOf(path);
  if (finding === 'ok') return;
  process.stdout.write(`${finding}\n`);
  process.exitCode = EXIT_DAMAGED;
}

/** SQLite's own words: `ok`, or the first fault. */
function findingOf(path: string): unknown {
  const file = new SQLite(path, { readonly: true });
  try {
    return file.pragma('quick_check(1)', { simple: true });
  } catch (error) {
    if ((error as { code?: unknown }).code !== 'SQLITE_CORRUPT') throw error;
    return (error as Error).message;
  } finally {
    file.close();
  }
}

if (import.meta.main) check(process.argv[2]!);
