import { type ChildProcess, spawn } from 'node:child_process';
import { createInterface } from 'node:readline';

/** The first restart is quick; a program that keeps failing is started twice a minute. */
const RESTART_FIRST_MS = 250;
const RESTART_MAX_MS = 30_000;
/** After a run of this length the next restart is quick again. */
const STEADY_MS = 60_000;
/** Longer than a server's own drain may take. */
const STOP_MAX_MS = 20_000;

/** Told by a child over the channel: where it can be asked, or why it ends, in words that any caller may read. */
export type ChildMessage = { url: string } | { fault: string };

/** How a run of the child ended. */
export interface ChildEnd {
  /** For the log. */
  reason: string;
  /** What the child itself told; null where it told nothing. */
  fault: string | null;
  /** Null where a signal ended it. */
  code: number | null;
  /** Runs in a row, this one included, that were over within STEADY_MS. */
  quickEnds: number;
}

export interface SupervisedChildOptions {
  /** What log lines call it. */
  name: string;
  /** Program and its arguments, run by this Node. */
  entry: string[];
  cwd: string;
  /** Read at each start. */
  env: () => Record<string, string | undefined>;
  /** Whether its "listening" lines are left out: "listening" is printed once, for the public address. */
  isInner: boolean;
  onAddress: (url: string) => void;
  /** Called after each end that `stop` did not ask for; returns whether to start it again. */
  onEnd: (end: ChildEnd) => boolean;
  restartFirstMs?: number;
  /** How long it takes requests after it is told to stop, before it drains. */
  drainNoticeMs?: number;
}

/** Runs a program as a child process and starts it again, with backoff, until it is stopped or `onEnd` gives it up. */
export class SupervisedChild {
  readonly #options: SupervisedChildOptions;
  #child: ChildProcess | null = null;
  #timer: NodeJS.Timeout | null = null;
  #told: object | null = null;
  #delayMs: number;
  #quickEnds = 0;
  #stopping = false;

  constructor(options: SupervisedChildOptions) {
    this.#options = options;
    this.#delayMs = options.restartFirstMs ?? RESTART_FIRST_MS;
  }

  /** Sends a message over the channel, now and at each later start, until another takes its place. */
  tell(message: object): void {
    this.#told = message;
    // The channel may close before the message is sent: the child's end is handled by its own event.
    if (this.#child?.connected) this.#child.send(message, () => {});
  }

  /** Does not start it again when it ends: Ctrl-C reaches a child from the terminal, before `stop` does. */
  keepDown(): void {
    this.#stopping = true;
    if (this.#timer) clearTimeout(this.#timer);
  }

  /** Drains it. Resolves when it has ended, with its exit code: null where a signal ended it; 0 where it did not run. */
  async stop(): Promise<number | null> {
    this.keepDown();
    const child = this.#child;
    if (!child) return 0;
    const ended = new Promise<number | null>((resolve) => child.once('exit', resolve));
    child.kill('SIGTERM');
    const { drainNoticeMs = 0 } = this.#options;
    const timer = setTimeout(() => child.kill('SIGKILL'), drainNoticeMs + STOP_MAX_MS);
    const code = await ended;
    clearTimeout(timer);
    return code;
  }

  start(): void {
    const { entry, cwd, env, isInner, onAddress } = this.#options;
    // The channel closes when this process ends in any way, so the child notices.
    const output = isInner ? 'pipe' : 'inherit';
    const child = spawn(process.execPath, entry, { cwd, env: env(), stdio: ['ignore', output, 'inherit', 'ipc'] });
    const startedAt = performance.now();
    this.#child = child;
    let fault: string | null = null;
    if (child.stdout) createInterface({ input: child.stdout }).on('line', printUnlessListening);
    // Sent over the channel, because the child's log lines depend on its LOG_LEVEL.
    child.on('message', (message: ChildMessage) => {
      if ('url' in message) onAddress(message.url);
      else if ('fault' in message) fault = message.fault;
    });
    const ended = (code: number | null, reason: string): void => {
      this.#child = null;
      if (!this.#stopping) this.#ended({ code, reason, fault, ranMs: performance.now() - startedAt });
    };
    child.once('error', ({ message }) => ended(null, message));
    child.once('exit', (code, signal) => {
      const end = (): void => ended(code, reasonOf(code, signal));
      // What it told last is still in the channel.
      if (child.connected) child.once('disconnect', end);
      else end();
    });
    if (this.#told !== null) this.tell(this.#told);
  }

  #ended({ code, reason, fault, ranMs }: RunEnd): void {
    const { name, onEnd, restartFirstMs = RESTART_FIRST_MS } = this.#options;
    if (ranMs > STEADY_MS) {
      this.#delayMs = restartFirstMs;
      this.#quickEnds = 0;
    }
    this.#quickEnds += 1;
    const restartMs = this.#delayMs;
    const quickEnds = this.#quickEnds;
    if (!onEnd({ code, reason, fault, quickEnds })) return;
    const fields = { event: 'process', process: name, quickEnds, restartMs };
    logError(fields, `the ${name} ended and is started again in ${restartMs} ms: ${reason}`);
    this.#timer = setTimeout(() => this.start(), restartMs);
    this.#delayMs = Math.min(RESTART_MAX_MS, restartMs * 2);
  }
}

interface RunEnd extends Omit<ChildEnd, 'quickEnds'> {
  ranMs: number;
}

/** Signals whose cause an operator would have to look up. */
const CAUSES: Partial<Record<NodeJS.Signals, string>> = {
  SIGBUS: 'a file of the snapshot that it had mapped became shorter, or its disk failed',
  SIGKILL: 'somebody killed it, or the system did, for want of memory',
  SIGABRT: 'Node gave up, as it does for want of memory; the lines above say more',
};

function reasonOf(code: number | null, signal: NodeJS.Signals | null): string {
  if (signal === null)
    return code === 0 ? 'it ended with code 0' : `it ended with code ${code}; the lines above say why`;
  const cause = CAUSES[signal];
  return cause === undefined ? `signal ${signal}` : `signal ${signal}: ${cause}`;
}

/** A line in the form of the servers' own log. */
function logError(fields: object, msg: string): void {
  process.stdout.write(`${JSON.stringify({ level: 50, time: Date.now(), pid: process.pid, ...fields, msg })}\n`);
}

function printUnlessListening(line: string): void {
  if (!isListening(line)) process.stdout.write(`${line}\n`);
}

function isListening(line: string): boolean {
  if (!line.startsWith('{')) return false;
  try {
    return (JSON.parse(line) as { event?: string }).event === 'listening';
  } catch {
    return false;
  }
}
