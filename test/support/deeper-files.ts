/** Files in which `npm run test:all` does more than `npm test`, by the amounts that they pass to pass.ts. */
export const DEEPER_FILES: readonly string[] = [
  'pipeline/publish/crash.test.ts',
  'test/board/crash.test.ts',
  'test/browser/pages.test.ts',
  'test/e2e/hot-swap.test.ts',
  'test/e2e/kill.test.ts',
  'test/kits/cases-mcp.test.ts',
];
