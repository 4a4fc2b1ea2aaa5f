import { type ChildProcess, spawn } from 'node:child_process';
import { createInterface } from 'node:readline';
import type { BoardAddress } from '../board-server/main.ts';

/** The first restart is quick; a server that keeps failing is restarted twice a minute. */
const RESTART_FIRST_MS = 250;
const RESTART_MAX_MS = 30_000;
/** After a run of this length the next restart is quick again. */
const STEADY_MS = 60_000;
/** Longer than the server's own drain may take. */
const STOP_MAX_MS = 20_000;

export interface BoardProcessOptions {
  /** Program and its arguments, run by this Node. */
  entry: string[];
  cwd: string;
  env: Record<string, string | undefined>;
  /** Called with the address at each start, and with null when the process has ended. */
  onAddress: (url: string | null) => void;
}

/** Runs the board server as a process beside the gateway and restarts it, with backoff, until it is stopped. */
export class BoardProcess {
  readonly #options: BoardProcessOptions;
  #child: ChildProcess | null = null;
  #timer: NodeJS.Timeout | null = null;
  #delayMs = RESTART_FIRST_MS;
  #stopping = false;

  constructor(options: BoardProcessOptions) {
    this.#options = options;
  }

  /** Starts it and resolves once it answers; rejects when it ends before that. */
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

  /** Drains it; resolves when it has ended. */
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
    // The channel closes when this process ends in any way, so the child notices.
    const child = spawn(process.execPath, entry, { cwd, env, stdio: ['ignore', 'pipe', 'inherit', 'ipc'] });
    const startedAt = performance.now();
    this.#child = child;
    createInterface({ input: child.stdout! }).on('line', (line) => {
      // "listening" is printed once, for the public address.
      if (!isListening(line)) process.stdout.write(`${line}\n`);
    });
    // Sent over the channel, because the child's log lines depend on its LOG_LEVEL.
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
