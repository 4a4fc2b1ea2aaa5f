import { createHash } from 'node:crypto';
import { closeSync, fdatasyncSync, fsyncSync, openSync, writeSync } from 'node:fs';
import { join } from 'node:path';
import { closedLoop, openLoopAt } from '../client.ts';
import type { RatedLoad } from '../latency.ts';
import { measureRun, scratchFolder, startMeasuredServer } from '../process.ts';

const BYTES = 256 * 1024 * 1024;
const FILE_BYTES = 2 * 1024 ** 3;
const BLOCK = 8 * 1024 * 1024;
const SYNC_SECONDS = 2;
const STARTS = 5;
const CONNECTIONS = 16;

/** The most that this machine can do, to compare the targets' figures with. One thread each, GB = 10^9 bytes. */
export interface MachineLimits {
  sha256GbPerSecond: number;
  copyGbPerSecond: number;
  /** 32-bit numbers summed by a loop of JavaScript. */
  scanGbPerSecond: number;
  /** One file of 2 GiB, synced at its end. */
  writeGbPerSecond: number;
  /** Pages of 4 kB, each written and synced before the next. */
  syncsPerSecond: number;
  /** A program that does nothing, start to end. */
  nodeStartMs: number;
  /** `node:http` that sends one fixed body of 34 kB. */
  bareServer: {
    readyMs: number;
    privateMb: number | null;
    requestsPerSecond: number;
    half: RatedLoad;
  };
}

/** `perSecond` is the rate that the index server gets, so that the two can be compared; null means half of the bare rate. */
export async function measureLimits(seconds: number, perSecond: number | null): Promise<MachineLimits> {
  return {
    ...memoryLimits(),
    ...(await diskLimits()),
    nodeStartMs: await nodeStart(),
    bareServer: await bareServer(seconds, perSecond),
  };
}

function memoryLimits(): Pick<MachineLimits, 'sha256GbPerSecond' | 'copyGbPerSecond' | 'scanGbPerSecond'> {
  const from = Buffer.alloc(BYTES, 1);
  const to = Buffer.alloc(BYTES);
  const numbers = new Uint32Array(from.buffer, from.byteOffset, BYTES / Uint32Array.BYTES_PER_ELEMENT);
  const perSecond = (work: () => void): number => {
    // The first round touches pages and compiles code.
    work();
    const started = performance.now();
    work();
    return BYTES / 1e6 / (performance.now() - started);
  };
  return {
    sha256GbPerSecond: perSecond(() => void createHash('sha256').update(from).digest()),
    copyGbPerSecond: perSecond(() => void from.copy(to)),
    scanGbPerSecond: perSecond(() => {
      to.writeUInt32LE(sum(numbers));
    }),
  };
}

function sum(numbers: Uint32Array): number {
  let total = 0;
  for (let place = 0; place < numbers.length; place += 1) total = (total + numbers[place]!) >>> 0;
  return total;
}

async function diskLimits(): Promise<Pick<MachineLimits, 'writeGbPerSecond' | 'syncsPerSecond'>> {
  await using folder = await scratchFolder('limits');
  const block = Buffer.alloc(BLOCK, 1);
  const large = openSync(join(folder.path, 'large'), 'w');
  const started = performance.now();
  for (let written = 0; written < FILE_BYTES; written += BLOCK) writeSync(large, block);
  fsyncSync(large);
  const writeGbPerSecond = FILE_BYTES / 1e6 / (performance.now() - started);
  closeSync(large);

  const page = block.subarray(0, 4096);
  const small = openSync(join(folder.path, 'small'), 'w');
  const deadline = performance.now() + SYNC_SECONDS * 1000;
  let syncs = 0;
  for (; performance.now() < deadline; syncs += 1) {
    writeSync(small, page);
    fdatasyncSync(small);
  }
  closeSync(small);
  return { writeGbPerSecond, syncsPerSecond: syncs / SYNC_SECONDS };
}

async function nodeStart(): Promise<number> {
  const times: number[] = [];
  for (let round = 0; round < STARTS; round += 1) {
    const { seconds } = await measureRun(['--eval', '0'], {});
    times.push(seconds * 1000);
  }
  return times.sort((a, b) => a - b)[Math.floor(STARTS / 2)]!;
}

async function bareServer(seconds: number, offered: number | null): Promise<MachineLimits['bareServer']> {
  await using server = await startMeasuredServer('tools/bench/full/bare-server.ts', {});
  const { privateMb } = server.memory();
  const target = { origin: server.url, paths: ['/'], connections: CONNECTIONS, seconds };
  const { requestsPerSecond } = await closedLoop(target);
  const half = await openLoopAt(target, offered ?? Math.max(1, Math.round(requestsPerSecond / 2)));
  return { readyMs: server.readyMs, privateMb, requestsPerSecond, half };
}
