/**
 * Files that run much longer than their size suggests: they start processes, publish snapshots or repeat calls through
 * many doors. In a fresh clone vitest orders files by size and would start some of these last, while all other workers
 * are idle.
 */
export const LONG_FILES: readonly string[] = [
  'test/board/crash.test.ts',
  'test/browser/pages.test.ts',
  'pipeline/publish/publish.test.ts',
  'pipeline/run/rebuilt.test.ts',
  'pipeline/run/serialised-anew.test.ts',
  'pipeline/publish/crash.test.ts',
  'pipeline/publish/faults.test.ts',
  'test/e2e/live-run.test.ts',
  'test/e2e/hot-swap.test.ts',
  'test/e2e/readme-inline.test.ts',
  'test/e2e/bench-full.test.ts',
  'test/e2e/readme.test.ts',
  'test/e2e/pull.test.ts',
  'test/e2e/kill.test.ts',
  'test/cases/doors.test.ts',
  'test/kits/cases-mcp.test.ts',
  'test/e2e/real-records.test.ts',
  'test/e2e/snapshot-description.test.ts',
  'test/truth/filters.test.ts',
  'test/truth/natural-queries.test.ts',
  'test/truth/truth.test.ts',
  'test/board/processes.test.ts',
  'test/kits/mcp-clients.test.ts',
  'test/fuzz/operations.test.ts',
  'test/serving/inherited-image.property.test.ts',
  'pipeline/normalise/stage.test.ts',
  'test/browser/hostile.test.ts',
  'test/gateway/a2a-tasks.test.ts',
  'test/gateway/drain.test.ts',
];
