import { afterEach } from 'vitest';
import { checkedFetch, takeUndocumented } from './openapi-check.ts';

/** Runs before every test file: checks all answers over HTTP against the document. */
globalThis.fetch = checkedFetch(globalThis.fetch);

afterEach(() => {
  const [first] = takeUndocumented();
  if (first) throw first;
});
