import { defineConfig } from 'vitest/config';
import { LongFirst } from './test/support/long-first.ts';

export default defineConfig({
  test: {
    include: ['**/*.test.ts'],
    exclude: ['**/node_modules/**', '.runtime/**', 'data/**', 'snapshots/**'],
    globalSetup: ['test/support/sample-snapshot.ts', 'test/support/openapi-file.ts'],
    setupFiles: ['test/support/openapi-setup.ts'],
    testTimeout: 60_000,
    hookTimeout: 60_000,
    pool: 'forks',
    // One more than the two cores that the limit of ten minutes is for: many files wait for processes that they end or start.
    maxWorkers: 3,
    // Importing the contract, the servers and the document's validators for each of some 260 files cost a third of the
    // run. Files therefore share a process: what a file changes of it (environment, timers, globals) it puts back.
    isolate: false,
    sequence: { sequencer: LongFirst },
    // Node strips the types itself and keeps the compiled modules: as they are served, and without a second transformer.
    experimental: { viteModuleRunner: false, nodeLoader: false },
  },
});
