import { expect, it } from 'vitest';
import { deleteWebhookRow } from '../../board-server/webhooks/webhook-store.ts';
import { openBoard } from '../support/board/board.ts';

it('a reader has no way to write, for the compiler and when it runs', async () => {
  await using board = await openBoard();
  const { read } = board.services.board;
  const writes = [
    // @ts-expect-error: a reader has no deleteFrom
    async () => read.deleteFrom('webhooks').execute(),
    // @ts-expect-error: a store function that writes takes a transaction
    () => deleteWebhookRow(read, 'x'),
    // @ts-expect-error: a reader of one snapshot is not a transaction either
    () => board.services.board.snapshot((db) => deleteWebhookRow(db, 'x')),
  ];
  for (const write of writes) await expect(write()).rejects.toThrow('is not a function');
  await board.services.board.write((tx) => deleteWebhookRow(tx, 'x'));
});
