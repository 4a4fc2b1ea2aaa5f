import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { readFileSync } from 'node:fs';
import { dirname } from 'node:path';
import { createInterface } from 'node:readline';
import { fileURLToPath } from 'node:url';

export const ROOT = dirname(dirname(dirname(fileURLToPath(import.meta.url))));

/** How often a child's high-water mark is read; the mark itself never falls, so only the last moments can be missed. */
const POLL_MS = 50;

export interface Measured {
  seconds: number;
  /** Largest resident set, MB; null where /proc is not to be had. */
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

/** Runs one program of the project to its end. */
export async function measureRun(words: string[], environment: Record<string, string>): Promise<Measured> {
  const started = performance.now();
  const child = start(words, environment);
  let output = '';
  let errors = '';
  let peakKb: number | null = null;
  child.stdout!.on('data', (chunk) => (output += chunk));
  child.stderr!.on('data', (chunk) => (errors += chunk));
  const poll = setInterval(() => {
    peakKb = procField(child.pid!, 'status', 'VmHWM') ?? peakKb;
  }, POLL_MS);
  const [code] = (await once(child, 'close')) as [number | null];
  clearInterval(poll);
  if (code !== 0) throw new Error(`${words.join(' ')} ended with ${code}:\n${errors}`);
  return { seconds: (performance.now() - started) / 1000, peakRssMb: peakKb === null ? null : peakKb / 1024, output };
}

export interface MeasuredServer {
  url: string;
  /** Milliseconds from the start of the process until it listened. */
  readyMs: number;
  /** Resident and private memory now, MB. */
  memory(): { rssMb: number | null; privateMb: number | null };
  stop(): Promise<void>;
}

export async function startMeasuredServer(entry: string, environment: Record<string, string>): Promise<MeasuredServer> {
  const started = performance.now();
  const child = start([entry], { HOST: '127.0.0.1', PORT: '0', ...environment });
  child.stderr!.pipe(process.stderr);
  const url = await new Promise<string>((resolve, reject) => {
    child.once('exit', (code) => reject(new Error(`${entry} ended with ${code} before it listened`)));
    createInterface({ input: child.stdout! }).on('line', (line) => {
      const entryLine = line.startsWith('{') ? (JSON.parse(line) as { event?: string; url?: string }) : {};
      if (entryLine.event === 'listening' && entryLine.url) resolve(entryLine.url);
    });
  });
  const readyMs = performance.now() - started;
  return {
    url,
    readyMs,
    memory: () => {
      const kb = (field: string) => procField(child.pid!, 'smaps_rollup', field);
      const [rss, clean, dirty] = [kb('Rss'), kb('Private_Clean'), kb('Private_Dirty')];
      return {
        rssMb: rss === null ? null : rss / 1024,
        privateMb: clean === null || dirty === null ? null : (clean + dirty) / 1024,
      };
    },
    async stop() {
      child.kill('SIGTERM');
      await once(child, 'exit');
    },
  };
}

function start(words: string[], environment: Record<string, string>): ChildProcess {
  return spawn(process.execPath, words, {
    cwd: ROOT,
    env: environment,
    stdio: ['ignore', 'pipe', 'pipe'],
  });
}
