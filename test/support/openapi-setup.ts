import { afterEach } from 'vitest';
import { checkedFetch, takeUndocumented } from './openapi-check.ts';

/** Before every test file: answers over HTTP are held against the document, and none is forgotten. */
globalThis.fetch = checkedFetch(globalThis.fetch);

afterEach(() => {
  const [first] = takeUndocumented();
  if (first) throw first;
});
