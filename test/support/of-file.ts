import { afterAll, beforeAll } from 'vitest';

/** Opens something before the tests of the file or the `describe` that calls this, and closes it after them. */
export function ofFile<Opened extends object>(open: () => Promise<Opened>): Opened {
  let opened: Opened;
  beforeAll(async () => {
    opened = await open();
  });
  afterAll(async () => {
    const { [Symbol.asyncDispose]: close, [Symbol.dispose]: closeNow } = opened as Partial<
      AsyncDisposable & Disposable
    >;
    await (close ?? closeNow)?.call(opened as AsyncDisposable & Disposable);
  });
  return new Proxy({} as Opened, {
    get: (_, name) => {
      const value: unknown = Reflect.get(opened, name);
      return typeof value === 'function' ? value.bind(opened) : value;
    },
  });
}
