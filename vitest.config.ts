import { defineConfig } from 'vitest/config';
import { DEEPER_FILES, DEEPER_ONLY } from './test/support/runner/deeper-files.ts';
import { LongFirst } from './test/support/runner/long-first.ts';
import { SQLITE_ONLY } from './test/support/runner/sqlite-files.ts';

/** Tests that need several processes, or servers of other programs. */
const OVER_SERVERS = 'test/cluster/**/*.test.ts';
/** A2A where the board keeps the tasks. */
const A2A = 'test/gateway/a2a-{kit,replay,charging}.test.ts';
/** Of the doors, HTTP alone asks every case: the others reach the board through it, whatever holds it. */
const CLUSTER = ['test/board/**/*.test.ts', 'test/cases/doors.test.ts', A2A, OVER_SERVERS];
/** Those that start a whole cluster, fifteen programs under load. */
const WHOLE_CLUSTER = 'test/cluster/{death,roll}.test.ts';

/** One more than the two cores that the tests are measured on: many files wait for processes that they end or start. */
const WORKERS = 3;

const SAMPLE = 'test/support/runner/sample-snapshot.ts';
const SETUP = ['test/support/runner/openapi-file.ts', 'test/support/runner/browser-note.ts'];

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
    sequence: { sequencer: LongFirst },
    // Node strips the types itself and keeps the compiled modules: as they are served, and without a second transformer.
    experimental: { viteModuleRunner: false, nodeLoader: false },
    projects: [
      // `npm test`: the files that a change needs within minutes, each in a first pass.
      project('first', { include: ['**/*.test.ts'], exclude: [...DEEPER_ONLY, OVER_SERVERS] }, 0),
      // `npm run test:all` then runs the files that were left out, and again, with more cases, those that have more.
      project('deeper', { include: [...DEEPER_ONLY, ...DEEPER_FILES], exclude: [] }, 1),
      // `npm run test:cluster`: the board's tests on PostgreSQL, and those of several processes over it.
      project('cluster', { include: CLUSTER, exclude: [...Object.keys(SQLITE_ONLY), WHOLE_CLUSTER] }, 2),
      // After them, one file after the other.
      project('cluster-alone', { include: [WHOLE_CLUSTER], exclude: [] }, 3, 1),
    ],
  },
});

interface Files {
  include: readonly string[];
  exclude: readonly string[];
}

type Name = 'first' | 'deeper' | 'cluster' | 'cluster-alone';

function project(name: Name, { include, exclude }: Files, groupOrder: number, maxWorkers = WORKERS) {
  const isOverServers = name === 'cluster' || name === 'cluster-alone';
  return {
    extends: true as const,
    test: {
      name,
      include: [...include],
      exclude: ['**/node_modules/**', '.runtime/**', 'data/**', 'snapshots/**', ...exclude],
      // A whole cluster publishes a sample of its own.
      globalSetup: [...(name === 'cluster-alone' ? [] : [SAMPLE]), ...SETUP],
      setupFiles: ['test/support/runner/cpu-setup.ts', 'test/support/runner/openapi-setup.ts'],
      provide: { pass: isOverServers ? 'first' : name, store: isOverServers ? 'postgres' : 'sqlite' } as const,
      sequence: { groupOrder },
      maxWorkers,
    },
  };
}
