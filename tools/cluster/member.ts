import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { closeSync, openSync, readFileSync } from 'node:fs';
import { setTimeout as pause } from 'node:timers/promises';
import type { UnixUser } from './programs.ts';

/** How long a member may take to end before it is killed. */
const STOP_MAX_MS = 20_000;
/** Seconds on a machine of its own; minutes beside other work. */
const READY_WITHIN_MS = 300_000;
const ASK_EVERY_MS = 100;
const START_AGAIN_MS = 1000;
const START_TRIES = 30;
/** Lines of its log that an error shows. */
const SHOWN_LINES = 15;

export interface MemberOptions {
  name: string;
  command: readonly [string, ...string[]];
  /** Its output, appended to. */
  logFile: string;
  env?: Record<string, string | undefined>;
  cwd?: string;
  user?: UnixUser | null;
  /** Whether it answers. */
  isReady: () => Promise<boolean>;
}

/** Where this process ends before it stopped them, they are told to end too. */
const running = new Set<ChildProcess>();
process.on('exit', () => {
  for (const child of running) child.kill('SIGTERM');
});

/** One program of the cluster: started, ended, killed, frozen and started again by its own process id. */
export class Member implements AsyncDisposable {
  readonly name: string;
  readonly #options: MemberOptions;
  #child: ChildProcess | null = null;
  #ended: Promise<unknown> = Promise.resolve();

  constructor(options: MemberOptions) {
    this.name = options.name;
    this.#options = options;
  }

  /** Null while it does not run. */
  get pid(): number | null {
    return this.#child?.pid ?? null;
  }

  /** Resolves when it answers. Throws with the end of its log if it ends first or takes too long. */
  async start(): Promise<this> {
    const { command, logFile, env, cwd, user } = this.#options;
    const log = openSync(logFile, 'a');
    const [program, ...words] = command;
    const child = spawn(program, words, { cwd, env, stdio: ['ignore', log, log], ...(user ?? {}) });
    closeSync(log);
    this.#child = child;
    running.add(child);
    this.#ended = once(child, 'exit').then(() => {
      running.delete(child);
      if (this.#child === child) this.#child = null;
    });
    this.#ended.catch(() => undefined);
    await this.ready();
    return this;
  }

  /** Started again while it ends by itself, as a supervisor does: a board ends where PostgreSQL has no primary yet. */
  async startUntilReady(): Promise<this> {
    for (let left = START_TRIES; ; left -= 1) {
      try {
        return await this.start();
      } catch (error) {
        if (left === 1 || this.#child !== null) throw error;
        await pause(START_AGAIN_MS);
      }
    }
  }

  /** Waits until it answers, also after it was thawed. */
  async ready(): Promise<void> {
    const { isReady } = this.#options;
    const until = performance.now() + READY_WITHIN_MS;
    while (!(await isReady().catch(() => false))) {
      if (this.#child === null) throw this.#fault('ended before it answered');
      if (performance.now() > until) throw this.#fault(`did not answer within ${READY_WITHIN_MS / 1000} s`);
      await pause(ASK_EVERY_MS);
    }
  }

  /** SIGTERM, and SIGKILL after 20 s. */
  async stop(): Promise<void> {
    const child = this.#child;
    if (child === null) return;
    child.kill('SIGCONT');
    child.kill('SIGTERM');
    const timer = setTimeout(() => child.kill('SIGKILL'), STOP_MAX_MS);
    await this.#ended;
    clearTimeout(timer);
  }

  /** As a power cut ends it. */
  async kill(): Promise<void> {
    this.#child?.kill('SIGKILL');
    await this.#ended;
  }

  /** Stops it from running, while its connections stay open. */
  freeze(): void {
    this.#child?.kill('SIGSTOP');
  }

  thaw(): void {
    this.#child?.kill('SIGCONT');
  }

  #fault(what: string): Error {
    const lines = readFileSync(this.#options.logFile, 'utf8').trimEnd().split('\n').slice(-SHOWN_LINES).join('\n');
    return new Error(`${this.name} ${what}; the end of its log ${this.#options.logFile}:\n${lines}`);
  }

  [Symbol.asyncDispose](): Promise<void> {
    return this.stop();
  }
}
