import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { readFileSync, rmSync } from 'node:fs';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { createInterface } from 'node:readline';
import { fileURLToPath } from 'node:url';

export const ROOT = dirname(dirname(dirname(fileURLToPath(import.meta.url))));

/** How often a child's peak memory is read; the peak never falls, so only the last moments can be missed. */
const POLL_MS = 50;

/** Running processes and used folders, so that a signal leaves none behind. */
const children = new Set<ChildProcess>();
const folders = new Set<string>();

/** A folder for one measurement; removed on disposal and when a signal ends the benchmark. */
export async function scratchFolder(name: string): Promise<AsyncDisposable & { path: string; keep: () => void }> {
  const path = await mkdtemp(join(tmpdir(), `trial-board-bench-${name}-`));
  folders.add(path);
  return {
    path,
    keep: () => void folders.delete(path),
    async [Symbol.asyncDispose]() {
      if (folders.delete(path)) await rm(path, { recursive: true, force: true });
    },
  };
}

const SIGNAL_EXITS = { SIGINT: 130, SIGTERM: 143 } as const;

/** After this call SIGINT and SIGTERM end the processes that this one started, by their ids, and remove its folders. */
export function cleanUpOnSignals(): void {
  for (const [signal, code] of Object.entries(SIGNAL_EXITS)) {
    process.once(signal, () => void endEverything(code));
  }
}

/** How long a child may take to clean up after itself. */
const CHILD_PATIENCE_MS = 5000;

async function endEverything(code: number): Promise<void> {
  const running = [...children];
  const ended = Promise.all(running.map((child) => once(child, 'exit').catch(() => {})));
  for (const child of running) child.kill('SIGTERM');
  const patience = setTimeout(() => {
    for (const child of running) child.kill('SIGKILL');
  }, CHILD_PATIENCE_MS);
  await ended;
  clearTimeout(patience);
  for (const folder of folders) rmSync(folder, { recursive: true, force: true });
  process.exit(code);
}

export interface Measured {
  seconds: number;
  /** User and system time of the process and all its threads; null without /proc. */
  cpuSeconds: number | null;
  /** Largest resident set, MB; null without /proc. */
  peakRssMb: number | null;
  output: string;
}

function procField(pid: number, file: string, field: string): number | null {
  try {
    const match = new RegExp(`^${field}:\\s+(\\d+) kB`, 'm').exec(readFileSync(`/proc/${pid}/${file}`, 'utf8'));
    return match ? Number(match[1]) : null;
  } catch {
    return null;
  }
}

/** Ticks a second: the same in Linux on every machine that Node runs on. */
const TICKS_PER_SECOND = 100;

export function cpuSecondsOf(pid: number): number | null {
  try {
    // Fields are counted after the name, which may hold spaces: user time is the 12th, system time the 13th.
    const fields = readFileSync(`/proc/${pid}/stat`, 'utf8').split(') ').at(-1)!.split(' ');
    return (Number(fields[11]) + Number(fields[12])) / TICKS_PER_SECOND;
  } catch {
    return null;
  }
}

/** A process and those that it started, and so on; alone where the system does not tell. */
export function treeOf(pid: number): number[] {
  try {
    const started = readFileSync(`/proc/${pid}/task/${pid}/children`, 'utf8').split(' ').filter(Boolean).map(Number);
    return [pid, ...started.flatMap(treeOf)];
  } catch {
    return [pid];
  }
}

/** Runs one program of the project to its end; `input`, when given, is its standard input. */
export async function measureRun(
  words: string[],
  environment: Record<string, string>,
  input?: string,
): Promise<Measured> {
  const started = performance.now();
  const child = start(words, environment, input === undefined ? 'ignore' : 'pipe');
  child.stdin?.on('error', () => {}).end(input);
  let output = '';
  let errors = '';
  let peakKb: number | null = null;
  let cpuSeconds: number | null = null;
  child.stdout!.on('data', (chunk) => (output += chunk));
  child.stderr!.on('data', (chunk) => (errors += chunk));
  const poll = setInterval(() => {
    peakKb = procField(child.pid!, 'status', 'VmHWM') ?? peakKb;
    cpuSeconds = cpuSecondsOf(child.pid!) ?? cpuSeconds;
  }, POLL_MS);
  const [code] = (await once(child, 'close')) as [number | null];
  clearInterval(poll);
  if (code !== 0) throw new Error(`${words.join(' ')} ended with ${code}:\n${errors}`);
  const seconds = (performance.now() - started) / 1000;
  const peakRssMb = peakKb === null ? null : peakKb / 1024;
  return { seconds, cpuSeconds, peakRssMb, output };
}

export interface Memory {
  rssMb: number | null;
  /** Pages that this process wrote. Pages of a mapped file that it only read count as shared. */
  privateMb: number | null;
  /** Pages of files and pages that other processes map too, each counted in full. */
  sharedMb: number | null;
  /** Largest resident set so far. */
  peakRssMb: number | null;
}

/** A running server, stopped on disposal at the latest. */
export interface MeasuredServer extends AsyncDisposable {
  url: string;
  pid: number;
  /** Milliseconds from the start of the process until it listened. */
  readyMs: number;
  /** Current memory, MB; nulls without /proc. */
  memory(): Memory;
  /** User and system time of the process and all its threads until now; null without /proc. */
  cpuSeconds(): number | null;
  stop(): Promise<void>;
}

export async function startMeasuredServer(entry: string, environment: Record<string, string>): Promise<MeasuredServer> {
  const started = performance.now();
  const child = start([...SERVER_FLAGS, entry], { HOST: '127.0.0.1', PORT: '0', ...environment });
  child.stderr!.pipe(process.stderr);
  const url = await new Promise<string>((resolve, reject) => {
    child.once('exit', (code) => reject(new Error(`${entry} ended with ${code} before it listened`)));
    const lines = createInterface({ input: child.stdout! }).on('line', (line) => {
      const entryLine = line.startsWith('{') ? (JSON.parse(line) as { event?: string; url?: string }) : {};
      if (entryLine.event !== 'listening' || !entryLine.url) return;
      lines.close();
      resolve(entryLine.url);
    });
  });
  const readyMs = performance.now() - started;
  // The rest of the log is discarded: reading it line by line would use the cores on which the server is measured.
  child.stdout!.resume();
  const stop = async (): Promise<void> => {
    if (child.exitCode !== null || child.signalCode !== null) return;
    const exited = once(child, 'exit');
    child.kill('SIGTERM');
    await exited;
  };
  return {
    url,
    pid: child.pid!,
    readyMs,
    memory: () => memoryOf(child.pid!),
    cpuSeconds: () => cpuSecondsOf(child.pid!),
    stop,
    [Symbol.asyncDispose]: stop,
  };
}

export function memoryOf(pid: number): Memory {
  const mb = (...fields: string[]): number | null => {
    const found = fields.map((field) => procField(pid, 'smaps_rollup', field));
    return found.includes(null) ? null : found.reduce<number>((sum, kb) => sum + (kb ?? 0), 0) / 1024;
  };
  const peakKb = procField(pid, 'status', 'VmHWM');
  return {
    rssMb: mb('Rss'),
    privateMb: mb('Private_Dirty'),
    sharedMb: mb('Shared_Clean', 'Shared_Dirty', 'Private_Clean'),
    peakRssMb: peakKb === null ? null : peakKb / 1024,
  };
}

/** The flags with which `npm start` runs the servers. */
const SERVER_FLAGS = ['--max-semi-space-size=16'];

/** The compile cache as `npm start` sets it: modules that were compiled once are read from it. */
const COMPILE_CACHE = { NODE_COMPILE_CACHE: join(ROOT, 'node_modules/.cache/node-compile') };

function start(
  words: string[],
  environment: Record<string, string>,
  stdin: 'ignore' | 'pipe' = 'ignore',
): ChildProcess {
  return tracked(
    spawn(process.execPath, words, {
      cwd: ROOT,
      env: { ...COMPILE_CACHE, ...environment },
      stdio: [stdin, 'pipe', 'pipe'],
    }),
  );
}

/** Starts a process that a signal to this one also ends. */
export function tracked<Child extends ChildProcess>(child: Child): Child {
  children.add(child);
  child.once('close', () => children.delete(child));
  return child;
}
