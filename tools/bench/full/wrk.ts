import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { accessSync, constants } from 'node:fs';
import { writeFile } from 'node:fs/promises';
import { delimiter, join } from 'node:path';
import { environment } from '../../../server-kit/config/env.ts';
import type { Client } from '../client.ts';
import { tracked } from '../process.ts';

/** wrk's figures of a closed loop. */
export interface WrkLoad {
  client: Client;
  requestsPerSecond: number;
  p50Ms: number;
  p99Ms: number;
  count: number;
  failed: number;
}

/** The path of wrk, a load generator in C; null when it is not installed. */
export function findWrk(path = environment().PATH ?? ''): string | null {
  const usable = (candidate: string): boolean => {
    try {
      accessSync(candidate, constants.X_OK);
      return true;
    } catch {
      return false;
    }
  };
  const candidates = path.split(delimiter).filter((folder) => folder !== '');
  return candidates.map((folder) => join(folder, 'wrk')).find(usable) ?? null;
}

/** Runs a closed loop from one thread of wrk over all paths in turn; its script is written to `folder`. */
export async function wrkLoop(
  wrk: string,
  folder: string,
  target: { origin: string; paths: string[]; connections: number; seconds: number; encoding?: string },
): Promise<WrkLoad> {
  if (new URL(target.origin).hostname !== '127.0.0.1') throw new Error('the load goes to 127.0.0.1 only');
  const script = join(folder, 'paths.lua');
  const paths = target.paths.map((path) => `  ${JSON.stringify(path)},`).join('\n');
  const accepted = target.encoding === undefined ? '' : `wrk.headers["accept-encoding"] = "${target.encoding}"\n`;
  const turn = 'local at = 0\nfunction request()\n  at = at % #paths + 1\n  return wrk.format("GET", paths[at])\nend\n';
  await writeFile(script, `${accepted}local paths = {\n${paths}\n}\n${turn}`);
  const words = ['-t1', `-c${target.connections}`, `-d${target.seconds}s`, '--latency', '-s', script, target.origin];
  const child = tracked(spawn(wrk, words, { stdio: ['ignore', 'pipe', 'inherit'] }));
  let output = '';
  child.stdout.on('data', (chunk) => (output += chunk));
  const [code] = (await once(child, 'close')) as [number | null];
  if (code !== 0) throw new Error(`wrk ended with ${code}`);
  return readWrk(output);
}

const MS_OF_UNIT: Readonly<Record<string, number>> = { us: 0.001, ms: 1, s: 1000, m: 60_000 };

/** Reads the report that `wrk --latency` prints. Throws where a figure is missing. */
export function readWrk(output: string): WrkLoad {
  const value = (pattern: RegExp): RegExpExecArray => {
    const match = pattern.exec(output);
    if (match === null) throw new Error(`wrk printed no ${pattern.source}`);
    return match;
  };
  const milliseconds = (share: number): number => {
    const [, number, unit] = value(new RegExp(`^\\s+${share}%\\s+([\\d.]+)(us|ms|s|m)\\s*$`, 'm'));
    return Number(number) * MS_OF_UNIT[unit!]!;
  };
  const errors = /Socket errors: connect (\d+), read (\d+), write (\d+), timeout (\d+)/.exec(output)?.slice(1) ?? [];
  const refused = /Non-2xx or 3xx responses: (\d+)/.exec(output)?.[1] ?? '0';
  return {
    client: 'wrk',
    requestsPerSecond: Number(value(/^Requests\/sec:\s+([\d.]+)/m)[1]),
    p50Ms: milliseconds(50),
    p99Ms: milliseconds(99),
    count: Number(value(/^\s+(\d+) requests in /m)[1]),
    failed: [...errors, refused].reduce((sum, text) => sum + Number(text), 0),
  };
}
