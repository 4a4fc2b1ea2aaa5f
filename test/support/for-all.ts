import { afterAll, beforeAll } from 'vitest';

/** Opens one thing for all tests of a file or `describe` and closes it after them. Its members are there while they run. */
export function forAll<Opened extends AsyncDisposable>(open: () => Promise<Opened>): Opened {
  let opened: Opened | undefined;
  beforeAll(async () => {
    opened = await open();
  });
  afterAll(() => opened?.[Symbol.asyncDispose]());
  return new Proxy({} as Opened, { get: (_target, name) => Reflect.get(opened!, name) });
}
