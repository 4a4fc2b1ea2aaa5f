import { type ChildProcess, spawn } from 'node:child_process';
import { createInterface } from 'node:readline';
import type { BoardAddress } from '../board-server/main.ts';

/** The first restart is quick; one that keeps failing is tried twice a minute. */
const RESTART_FIRST_MS = 250;
const RESTART_MAX_MS = 30_000;
/** A board that ran this long was well: its next restart is quick again. */
const STEADY_MS = 60_000;
/** Longer than its own drain may take. */
const STOP_MAX_MS = 20_000;

export interface BoardProcessOptions {
  /** Program and its arguments, run by this Node. */
  entry: string[];
  cwd: string;
  env: Record<string, string | undefined>;
  /** Told the address at each start, and null when the process has ended. */
  onAddress: (url: string | null) => void;
}

/** The board server as a process beside the gateway: restarted when it ends, with backoff, until it is stopped. */
export class BoardProcess {
  readonly #options: BoardProcessOptions;
  #child: ChildProcess | null = null;
  #timer: NodeJS.Timeout | null = null;
  #delayMs = RESTART_FIRST_MS;
  #stopping = false;

  constructor(options: BoardProcessOptions) {
    this.#options = options;
  }

  /** Starts it and resolves once it answers; rejects where it ends before, as its own lines then say why. */
  start(): Promise<void> {
    return new Promise((resolve, reject) => {
      let listening = false;
      this.#spawn(
        () => {
          listening = true;
          resolve();
        },
        (code) => {
          if (!listening) reject(new Error(`the board server could not start (exit ${code}); the lines above say why`));
          return listening;
        },
      );
    });
  }

  get pid(): number | null {
    return this.#child?.pid ?? null;
  }

  /** Lets it drain; resolves when it has ended. */
  async stop(): Promise<void> {
    this.#stopping = true;
    if (this.#timer) clearTimeout(this.#timer);
    const child = this.#child;
    if (!child) return;
    const ended = new Promise((resolve) => child.once('exit', resolve));
    child.kill('SIGTERM');
    const timer = setTimeout(() => child.kill('SIGKILL'), STOP_MAX_MS);
    await ended;
    clearTimeout(timer);
  }

  #spawn(onListening: () => void, mayRestart: (code: number | null) => boolean): void {
    const { entry, cwd, env, onAddress } = this.#options;
    // The channel tells the child when this process is gone, however it ended.
    const child = spawn(process.execPath, entry, { cwd, env, stdio: ['ignore', 'pipe', 'inherit', 'ipc'] });
    const startedAt = performance.now();
    this.#child = child;
    createInterface({ input: child.stdout! }).on('line', (line) => {
      // "listening" is said once, of the public address.
      if (!isListening(line)) process.stdout.write(`${line}\n`);
    });
    // Over the channel: which lines the child logs depends on its LOG_LEVEL.
    child.on('message', ({ url }: BoardAddress) => {
      process.stdout.write(`${JSON.stringify({ event: 'board', url })}\n`);
      onAddress(url);
      onListening();
    });
    child.once('exit', (code) => {
      this.#child = null;
      onAddress(null);
      if (!mayRestart(code) || this.#stopping) return;
      if (performance.now() - startedAt > STEADY_MS) this.#delayMs = RESTART_FIRST_MS;
      this.#timer = setTimeout(
        () =>
          this.#spawn(
            () => {},
            () => true,
          ),
        this.#delayMs,
      );
      this.#delayMs = Math.min(RESTART_MAX_MS, this.#delayMs * 2);
    });
  }
}

function isListening(line: string): boolean {
  if (!line.startsWith('{')) return false;
  try {
    return (JSON.parse(line) as { event?: string }).event === 'listening';
  } catch {
    return false;
  }
}
