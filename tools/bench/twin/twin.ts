import { H3 } from 'h3';
import { pino } from 'pino';
import { BETA_CELL_EXAMPLE } from '../../../contract/operations/research/twin-beta-cell.ts';
import type { ExperimentInput } from '../../../contract/schemas/research/twin.ts';
import { mountIndex } from '../../../index-server/routes.ts';
import { openIndexServices } from '../../../index-server/services.ts';
import type { System } from '../../../twin/reactions/network.ts';
import { planOf, RELATIVE_TOLERANCE } from '../../../twin/reactions/plan.ts';
import { Budget, Rosenbrock } from '../../../twin/reactions/solver.ts';
import { type Latency, latencyOf } from '../latency.ts';
import { scratchFolder } from '../process.ts';
import { machine, note, number, writeResults } from '../report.ts';
import { endless, largestExperiment, robertson } from './twin-inputs.ts';
import { measureWorstCase, worstCases } from './worst-cases.ts';

export const TWIN_HELP = `       npm run bench -- twin [--seconds 5] [--json]

Measures model runs as a caller waits for them, the solver beside plain fixed steps of the same accuracy, and the most
expensive rules of a rung.
`;

const NOW = new Date('2026-11-21T12:00:00.000Z');
/** Fewest calls of a slow run. */
const CALLS_MIN = 5;
/** Where fixed steps are given up. */
const FIXED_STEPS_MAX = 2 ** 23;
/** Fixed steps may take this many times as long as the other measurements. */
const FIXED_PATIENCE = 4;
/** A step limit that is never reached. */
const UNBOUNDED = 1e9;

interface Results {
  machine: ReturnType<typeof machine>;
  runs: Record<string, Latency>;
  solver: Record<string, { error: number; adaptive: Solved; fixed: Solved | null }>;
  rules: { name: string; ms: number }[];
}

interface Solved {
  steps: number;
  ms: number;
}

export async function benchTwin(seconds: number, json: boolean): Promise<void> {
  const results: Results = {
    machine: machine(),
    runs: await measureRuns(seconds),
    solver: {
      'largest, baseline': sideBySide(largestExperiment(), seconds),
      'Robertson, baseline': sideBySide(robertson(), seconds),
    },
    rules: worstCases().map((one) => {
      const { name, milliseconds } = measureWorstCase(one, () => performance.now());
      return { name, ms: milliseconds };
    }),
  };
  await writeResults('twin', results);
  process.stdout.write(json ? `${JSON.stringify(results)}\n` : table(results));
}

/** Times requests to the last byte of the answer, one at a time, including workers and the check of the input. */
async function measureRuns(seconds: number): Promise<Record<string, Latency>> {
  await using folder = await scratchFolder('twin');
  const log = pino({ level: 'silent' });
  await using services = await openIndexServices(folder.path, log);
  const app = new H3();
  mountIndex(app, { services, log, now: () => NOW, baseUrl: 'http://127.0.0.1' });
  const ask = async (path: string, body: string, status: number): Promise<number> => {
    const started = performance.now();
    const headers = { 'content-type': 'application/json' };
    const answer = await app.fetch(new Request(`http://127.0.0.1${path}`, { method: 'POST', headers, body }));
    await answer.arrayBuffer();
    if (answer.status !== status) throw new Error(`${path} answered ${answer.status}`);
    return performance.now() - started;
  };
  const runs: Record<string, Latency> = {};
  for (const [name, path, input, status] of RUNS) {
    note(`measuring ${name}`);
    const body = JSON.stringify(input);
    await ask(path, body, status);
    const times: number[] = [];
    const deadline = performance.now() + seconds * 1000;
    while (times.length < CALLS_MIN || performance.now() < deadline) times.push(await ask(path, body, status));
    runs[name] = latencyOf(times);
  }
  return runs;
}

const RUNS: readonly (readonly [name: string, path: string, input: object, status: number])[] = [
  ['beta-cell run', '/api/v1/twin/beta-cell', BETA_CELL_EXAMPLE, 200],
  ['largest experiment', '/api/v1/twin/experiment', largestExperiment(), 200],
  ['Robertson', '/api/v1/twin/experiment', robertson(), 200],
  ['rejected at the budget', '/api/v1/twin/experiment', endless(), 422],
  [
    'benchmark of 3 largest',
    '/api/v1/twin/benchmark',
    { experiments: ['one', 'two', 'three'].map((id) => largestExperiment(id)) },
    200,
  ],
];

/** Times the baseline alone: the solver at its usual tolerance, and as many fixed steps as reach its final error. */
function sideBySide(input: ExperimentInput, seconds: number) {
  const { network, tolerance, times } = planOf(input, new Budget(0));
  const system = network.system(network.rates);
  const end = times[times.length - 1]!;
  const adaptive = (relative: number): { y: Float64Array } & Solved => {
    const budget = new Budget(UNBOUNDED);
    const y = network.initial.slice();
    const share = relative / RELATIVE_TOLERANCE;
    const started = performance.now();
    new Rosenbrock(system, { relative, absolute: tolerance.absolute * share }, budget).advance(y, 0, end);
    return { y, steps: budget.used, ms: performance.now() - started };
  };
  const exact = adaptive(1e-12).y;
  const { y, steps, ms } = adaptive(RELATIVE_TOLERANCE);
  const error = errorOf(y, exact);
  return { error, adaptive: { steps, ms }, fixed: fixedSteps(system, network.initial, { end, exact, error, seconds }) };
}

/** Largest difference as a share of the largest end value. */
function errorOf(y: Float64Array, exact: Float64Array): number {
  const largest = Math.max(...exact.map(Math.abs));
  const worst = Math.max(...y.map((value, at) => Math.abs(value - exact[at]!))) / largest;
  return Number.isNaN(worst) ? Number.POSITIVE_INFINITY : worst;
}

/** Classical Runge-Kutta steps, doubled until their error is no larger; null when that takes too many or too long. */
function fixedSteps(
  system: System,
  initial: Float64Array,
  { end, exact, error, seconds }: { end: number; exact: Float64Array; error: number; seconds: number },
): Solved | null {
  const givenUp = performance.now() + FIXED_PATIENCE * seconds * 1000;
  for (let steps = 256; steps <= FIXED_STEPS_MAX && performance.now() < givenUp; steps *= 2) {
    const y = initial.slice();
    const started = performance.now();
    for (let step = 0; step < steps; step += 1) rungeKutta(system, y, end / steps);
    const ms = performance.now() - started;
    if (errorOf(y, exact) <= error) return { steps, ms };
  }
  return null;
}

const scratch = Array.from({ length: 5 }, () => new Float64Array(64));

function rungeKutta({ size, derivative }: System, y: Float64Array, length: number): void {
  const [a, b, c, d, at] = scratch.map((row) => row.subarray(0, size)) as [
    Float64Array,
    Float64Array,
    Float64Array,
    Float64Array,
    Float64Array,
  ];
  const move = (slope: Float64Array, share: number): void => {
    for (let place = 0; place < size; place += 1) at[place] = y[place]! + share * length * slope[place]!;
  };
  derivative(y, a);
  move(a, 0.5);
  derivative(at, b);
  move(b, 0.5);
  derivative(at, c);
  move(c, 1);
  derivative(at, d);
  for (let place = 0; place < size; place += 1) {
    y[place]! += (length / 6) * (a[place]! + 2 * b[place]! + 2 * c[place]! + d[place]!);
  }
}

function table({ runs, solver, rules }: Results): string {
  const solved = (one: Solved | null): string =>
    one === null ? 'not reached' : `${one.steps} steps in ${number(one.ms, 2)} ms`;
  const worst = rules.reduce((most, one) => (one.ms > most.ms ? one : most));
  return [
    ...Object.entries(runs).map(
      ([name, { p50Ms, p99Ms, count }]) =>
        `${name.padEnd(24)} p50 ${number(p50Ms, 1)} ms, p99 ${number(p99Ms, 1)} ms, ${count} calls\n`,
    ),
    ...Object.entries(solver).map(
      ([name, { error, adaptive, fixed }]) =>
        `${name.padEnd(24)} error ${error.toExponential(1)}: adaptive ${solved(adaptive)}, fixed Runge-Kutta ${solved(fixed)}\n`,
    ),
    `costliest rules of a rung ${number(worst.ms, 1)} ms (${worst.name})\n`,
  ].join('');
}
