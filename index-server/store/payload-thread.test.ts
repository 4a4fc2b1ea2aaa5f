import { expect, test } from 'vitest';
import { type PayloadRead, PayloadThread } from './payload-thread.ts';

const FAILING = new URL('../../test/support/faults/failing-payload-worker.ts', import.meta.url);

const readOf = (path: string): PayloadRead => ({
  files: 1,
  path,
  at: 0,
  bytes: 1,
  rows: 1,
  row: 0,
  sha256: '',
  registry: 'isrctn',
});

/** What each read gave, in their order: its text, or the name and message of its error. */
async function outcomes(thread: PayloadThread, paths: readonly string[]): Promise<string[]> {
  const reads = paths.map((path) => thread.read(readOf(path)));
  return Promise.all(
    reads.map((read) =>
      read.then(
        ({ json }) => new TextDecoder().decode(json),
        (error) => String(error),
      ),
    ),
  );
}

test.each([
  ['exit', 'Error: the worker failing-payload-worker.ts ended by itself with code 3'],
  ['throw', 'Error: a fault of the thread'],
])(
  'a worker that dies by %s is an error for the reads under way, and the next read has a new one',
  async (way, error) => {
    await using thread = new PayloadThread(FAILING);
    expect(await outcomes(thread, ['a'])).toEqual(['a']);
    expect(await outcomes(thread, [way, 'b', 'c'])).toEqual([error, error, error]);
    expect(await outcomes(thread, ['d', 'e'])).toEqual(['d', 'e']);
  },
);

test('a fault of one read has its name, message and cause, and leaves the other reads alone', async () => {
  await using thread = new PayloadThread(FAILING);
  expect(await outcomes(thread, ['a', 'fault', 'b'])).toEqual(['a', 'RangeError: a fault of the read', 'b']);
  const fault = await thread.read(readOf('fault')).catch((error: unknown) => error);
  expect(fault).toMatchObject({ cause: { message: 'its cause' } });
});

test('what would wait behind too many reads is refused', async () => {
  await using thread = new PayloadThread(FAILING);
  const read = await outcomes(thread, Array<string>(1026).fill('a'));
  expect(read.slice(1022)).toEqual(['a', 'a', ...Array(2).fill('Error: 1024 reads of payloads wait already')]);
  expect(await outcomes(thread, ['b'])).toEqual(['b']);
});

test('closing answers the reads under way, and refuses later ones', async () => {
  const thread = new PayloadThread(FAILING);
  const read = outcomes(thread, ['a', 'b']);
  await thread[Symbol.asyncDispose]();
  expect(await read).toEqual(['a', 'b']);
  expect(await outcomes(thread, ['c'])).toEqual(['Error: the reader of payloads is closed']);
});
