import { hash } from 'node:crypto';
import { BASE_32 } from '../../contract/base-32.ts';
import { countedSet, idSumsReady } from '../../index-server/receipts/id-sums.ts';
import type { RowSet } from '../../index-server/search/row-set.ts';
import { SortedKeys } from '../../snapshot/image/sorted-keys.ts';
import { Random } from '../generator/random.ts';
import { type Latency, latencyOf } from './latency.ts';
import { machine, note, number, writeResults } from './report.ts';

export const RECEIPTS_HELP = `       npm run bench -- receipts [--words 600000] [--seed 1] [--json]

Makes that many canonical ids, reads their numbers as a server does for each snapshot, and sums sets of 0.1 to 95 % of the trials for
receipts. Each set is summed 200 times; beside them, a SHA-256 over the ids of all trials.
`;

const SHARES = [0.001, 0.01, 0.05, 0.1, 0.25, 0.5, 0.8, 0.95];
const ROUNDS = 200;
const STREAM = 2;
const ID_CHARACTERS = 15;

interface Results {
  machine: ReturnType<typeof machine>;
  trials: number;
  readMs: number;
  sha256Ms: Latency;
  sums: { trials: number; ms: Latency }[];
}

export async function benchReceipts(trials: number, seed: number, json: boolean): Promise<void> {
  note(`making ${trials} ids`);
  const random = new Random(seed, STREAM, 0);
  const image = imageOf(trials, random);
  const before = process.cpuUsage();
  await idSumsReady(image);
  const { user, system } = process.cpuUsage(before);
  const sums = SHARES.map((share) => {
    const set = setOf(trials, share, random);
    return { trials: set.count, ms: latencyOf(timed(ROUNDS, () => countedSet(image, set))) };
  });
  const { bytes } = image.ids.keys;
  const sha256Ms = latencyOf(timed(ROUNDS / 10, () => hash('sha256', bytes)));
  const results: Results = { machine: machine(), trials, readMs: (user + system) / 1000, sha256Ms, sums };
  await writeResults('receipts', results);
  process.stdout.write(json ? `${JSON.stringify(results)}\n` : table(results));
}

function timed(rounds: number, work: () => unknown): number[] {
  return Array.from({ length: rounds }, () => {
    const from = performance.now();
    work();
    return performance.now() - from;
  });
}

function imageOf(trials: number, random: Random) {
  const letters = [...BASE_32.toUpperCase()];
  const id = () => `WT_${Array.from({ length: ID_CHARACTERS - 3 }, () => random.pick(letters)).join('')}`;
  const values = Buffer.from(Array.from({ length: trials }, id).sort().join(''));
  const offsets = Int32Array.from({ length: trials + 1 }, (_, place) => place * ID_CHARACTERS);
  // Any order that jumps about, as rows by update do: a step that shares no factor with the number of trials.
  const step = stepOver(trials);
  const rows = Uint32Array.from({ length: trials }, (_, place) => (place * step) % trials);
  const keys = new SortedKeys({ offsets, values }, trials);
  return { directory: 'synthetic', trials, ids: { keys, standings: new Uint8Array(trials), rows } };
}

function stepOver(trials: number): number {
  const shared = (one: number, other: number): number => (other === 0 ? one : shared(other, one % other));
  let step = 7919;
  while (shared(trials, step) !== 1) step += 1;
  return step;
}

function setOf(trials: number, share: number, random: Random): RowSet {
  const words = new Uint32Array(Math.ceil(trials / 32));
  let count = 0;
  for (let row = 0; row < trials; row++) {
    if (!random.chance(share)) continue;
    words[row >>> 5] = (words[row >>> 5] as number) | (1 << (row & 31));
    count += 1;
  }
  return { form: 'bitmap', count, words };
}

function table({ trials, readMs, sha256Ms, sums }: Results): string {
  const rows = sums.map(({ trials: of, ms }) => `| ${of} | ${number(ms.p50Ms, 3)} | ${number(ms.p99Ms, 3)} |`);
  return `ids of ${trials} trials read in ${number(readMs)} ms of CPU; SHA-256 over them ${number(sha256Ms.p50Ms)} ms

| trials of the set | p50, ms | p99, ms |
|---|---|---|
${rows.join('\n')}
`;
}
