import { BaseSequencer, type TestSpecification } from 'vitest/node';

/**
 * Files that start processes, publish snapshots or drive a browser: they run longer than their size suggests, by which vitest
 * orders the files of a fresh clone. They begin first, so that no worker is left with one of them at the end.
 */
const LONG = [/\.deep\.test\.ts$/, /\/test\/(e2e|browser)\//, /\/pipeline\/(publish|run|pull|diff|cli)\//];

export class DeepFirst extends BaseSequencer {
  override async sort(files: TestSpecification[]): Promise<TestSpecification[]> {
    const rank = ({ moduleId }: TestSpecification): number => {
      const found = LONG.findIndex((pattern) => pattern.test(moduleId));
      return found === -1 ? LONG.length : found;
    };
    return (await super.sort(files)).toSorted((a, b) => rank(a) - rank(b));
  }
}
