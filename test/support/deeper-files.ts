/**
 * Files that only `npm run test:all` runs. Each takes about eight seconds of processor time or more. A change that
 * breaks one of them usually breaks a test of the first pass too, and every room that they test has other tests there.
 */
export const DEEPER_ONLY: readonly string[] = [
  'bench/rivals/rivals.test.ts',
  'pipeline/normalise/registry-data.test.ts',
  'test/browser/hostile.test.ts',
  'test/e2e/bench-full.test.ts',
  'test/e2e/nightly-week.test.ts',
  'test/e2e/hot-swap.test.ts',
  'test/e2e/kill.test.ts',
  'test/e2e/real-records.test.ts',
  'test/kits/cases-mcp.test.ts',
  'test/kits/sdk-runtimes.test.ts',
];

/** Files in which the second pass of `npm run test:all` does more than the first. They pass both amounts to pass.ts. */
export const DEEPER_FILES: readonly string[] = [
  'literature/client.property.test.ts',
  'pipeline/cli/outcome.test.ts',
  'pipeline/dedup/dedup.test.ts',
  'pipeline/dedup/settled.test.ts',
  'pipeline/diff/diff.test.ts',
  'pipeline/normalise/read-before.test.ts',
  'pipeline/normalise/stage.test.ts',
  'pipeline/publish/crash.test.ts',
  'pipeline/publish/faults.test.ts',
  'pipeline/publish/row-hashes.test.ts',
  'pipeline/run/older.test.ts',
  'sdk/placement.test.ts',
  'test/board/changes.property.test.ts',
  'test/board/crash.test.ts',
  'test/board/cursors.test.ts',
  'test/board/fs-faults.test.ts',
  'test/board/lineage.test.ts',
  'test/board/processes.test.ts',
  'test/board/results-gap.property.test.ts',
  'test/browser/pages.test.ts',
  'test/cases/doors.test.ts',
  'test/e2e/live-run.test.ts',
  'test/e2e/readme-inline.test.ts',
  'test/e2e/readme.test.ts',
  'test/e2e/supervision.test.ts',
  'test/fuzz/messages.test.ts',
  'test/fuzz/operations.test.ts',
  'test/gateway/a2a-tasks.test.ts',
  'test/kits/mcp-clients.test.ts',
  'test/kits/mcp-conformance.test.ts',
  'test/kits/openapi-lint.test.ts',
  'test/server/signals.test.ts',
  'test/serving/inherited-image.property.test.ts',
  'test/serving/signals.property.test.ts',
];
