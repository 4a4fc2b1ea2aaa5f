import { setTimeout as delay } from 'node:timers/promises';
import { expect, it } from 'vitest';
import { streamOf } from '../../index-server/handlers/trial-files.ts';

function endless() {
  let ended = 0;
  const file = {
    about: {} as never,
    next: async () => new Uint8Array(4) as Uint8Array<ArrayBuffer>,
    end: () => {
      ended += 1;
    },
  };
  return { file, ended: () => ended };
}

it('a reader that takes no piece loses its place, and what it has does not look whole', async () => {
  const { file, ended } = endless();
  const reader = streamOf(file, new AbortController().signal, 5).getReader();
  expect((await reader.read()).value).toHaveLength(4);
  while (ended() === 0) await delay(1);
  await expect(reader.closed).rejects.toThrow('the reader took no piece for 5 ms');
});

it('a reader that leaves ends the work at once, and nothing waits for it', async () => {
  const { file, ended } = endless();
  const stream = streamOf(file, new AbortController().signal, 60_000);
  await stream.cancel();
  expect(ended()).toBe(1);
});
