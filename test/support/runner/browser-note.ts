import type { TestProject } from 'vitest/node';
import { BROWSER_FILES, chromiumPath, NO_CHROMIUM } from '../chromium.ts';

/** Says once, at the end of a run without Chromium, which files skipped tests and how to run them. */
export default function setup({ vitest }: TestProject): () => void {
  return () => {
    if (chromiumPath() !== null) return;
    const ran = vitest.state.getFiles().map(({ filepath }) => filepath);
    const skipped = BROWSER_FILES.filter((path) => ran.some((file) => file.endsWith(`/${path}`)));
    if (skipped.length > 0) {
      process.stderr.write(`\nBrowser tests were skipped in ${skipped.join(', ')}: ${NO_CHROMIUM}\n`);
    }
  };
}
