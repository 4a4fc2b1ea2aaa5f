import { defineConfig } from 'vitest/config';

export default defineConfig({
  test: {
    include: ['**/*.test.ts'],
    exclude: ['**/node_modules/**', '.runtime/**', 'data/**', 'snapshots/**'],
    globalSetup: ['test/support/sample-snapshot.ts', 'test/support/openapi-file.ts'],
    setupFiles: ['test/support/openapi-setup.ts'],
    testTimeout: 30_000,
    hookTimeout: 60_000,
    pool: 'forks',
    maxWorkers: 2,
  },
});
