import { defineConfig } from 'vitest/config';
import { DeepFirst } from './test/support/runner/deep-first.ts';

/** Files that take long, and those of other people's clients. `npm test` leaves them out. */
const DEEP = '**/*.deep.test.ts';
/** Tests that need several processes, or servers of other programs. */
const OVER_SERVERS = 'test/cluster/**/*.test.ts';
/** What a board on PostgreSQL must show of its own: every operation over HTTP, searches, the feed, and faults of the store. */
const ON_POSTGRES = [
  'test/cases/doors.deep.test.ts',
  'test/board/feed/**/*.test.ts',
  'test/board/*search*.test.ts',
  'test/gateway/a2a-{kit,replay,charging}.test.ts',
  OVER_SERVERS,
];
/** Those that start a whole cluster, fifteen programs under load. */
const WHOLE_CLUSTER = 'test/cluster/{death,roll}.test.ts';

/** One more than the two cores that the tests are measured on: many files wait for processes that they end or start. */
const WORKERS = 3;

export default defineConfig({
  test: {
    // Only a test that hangs ends by time: beside other work a test may take ten times as long as alone.
    testTimeout: 900_000,
    hookTimeout: 900_000,
    expect: { poll: { timeout: 900_000 } },
    pool: 'forks',
    // Answers and images live shortly: with room for more of them the engine collects garbage half as often, for four per
    // cent less processor time.
    execArgv: ['--max-semi-space-size=64'],
    maxWorkers: WORKERS,
    // Importing the contract, the servers and the document's validators for each of some 260 files cost a third of the
    // run. Files therefore share a process: what a file changes of it (environment, timers, globals) it puts back.
    isolate: false,
    sequence: { sequencer: DeepFirst },
    // Node strips the types itself and keeps the compiled modules: as they are served, and without a second transformer.
    experimental: { viteModuleRunner: false, nodeLoader: false },
    projects: [
      // `npm test`: what a change needs within minutes.
      project('quick', { include: ['**/*.test.ts'], exclude: [DEEP, OVER_SERVERS], amount: 'quick' }),
      // `npm run test:all`: every file once, with more cases where a file has them.
      project('all', { include: ['**/*.test.ts'], exclude: [OVER_SERVERS], amount: 'deep' }),
      // `npm run test:cluster`: boards on PostgreSQL, then one death in a whole cluster.
      project('postgres', { include: ON_POSTGRES, exclude: [WHOLE_CLUSTER], amount: 'quick', store: 'postgres' }),
      project('whole-cluster', {
        include: ['test/cluster/death.test.ts'],
        amount: 'quick',
        store: 'postgres',
        order: 1,
      }),
      // `npm run test:night`: ten times the fuzz, and every death and replacement in a whole cluster.
      project('night', { include: ['test/fuzz/**/*.test.ts'], amount: 'night' }),
      project('night-cluster', { include: [WHOLE_CLUSTER], amount: 'night', store: 'postgres', order: 1 }),
    ],
  },
});

interface Run {
  include: readonly string[];
  exclude?: readonly string[];
  /** How much the tests that can do more do: test/support/runner/amount.ts. */
  amount: 'quick' | 'deep' | 'night';
  store?: 'sqlite' | 'postgres';
  /** Runs of one command begin in this order; a whole cluster runs its files one by one. */
  order?: 0 | 1;
}

function project(name: string, { include, exclude = [], amount, store = 'sqlite', order = 0 }: Run) {
  return {
    extends: true as const,
    test: {
      name,
      include: [...include],
      exclude: ['**/node_modules/**', '.runtime/**', 'data/**', 'snapshots/**', ...exclude],
      globalSetup: ['sample-snapshot', 'openapi-file', 'browser-note'].map((file) => `test/support/runner/${file}.ts`),
      setupFiles: ['test/support/runner/cpu-setup.ts', 'test/support/runner/openapi-setup.ts'],
      provide: { amount, store } as const,
      sequence: { groupOrder: order },
      maxWorkers: order === 0 ? WORKERS : 1,
    },
  };
}
