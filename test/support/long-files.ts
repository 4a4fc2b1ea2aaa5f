/**
 * Files that run much longer than their size suggests: they start processes, publish snapshots or repeat calls through
 * many doors. In a fresh clone vitest orders files by size and would start some of these last, while all other workers
 * are idle.
 */
export const LONG_FILES: readonly string[] = [
  'test/board/crash.test.ts',
  'test/browser/pages.test.ts',
  'test/e2e/hot-swap.test.ts',
  'pipeline/publish/crash.test.ts',
  'test/e2e/live-run.test.ts',
  'test/e2e/bench-full.test.ts',
  'test/e2e/kill.test.ts',
  'test/e2e/readme.test.ts',
  'test/kits/cases-mcp.test.ts',
  'test/e2e/real-records.test.ts',
  'test/cases/doors.test.ts',
  'test/board/processes.test.ts',
  'test/kits/mcp-clients.test.ts',
  'test/e2e/readme-inline.test.ts',
  'test/fuzz/operations.test.ts',
  'test/board/cursors.test.ts',
  'test/server/signals.test.ts',
];
