import { expect, it } from 'vitest';
import { signerKey } from '../../../snapshot/proof/note.ts';
import { readNote, signersOf } from '../../../snapshot/proof/verify.mjs';
import { openBoard } from '../../support/board/board.ts';
import { MESSAGE } from '../../support/board/board-writes.ts';

const HEAD = '/api/v1/changes/head';
const key = signerKey('example.org/trials', Buffer.alloc(32, 1));
const newer = signerKey('example.org/trials', Buffer.alloc(32, 2));

it('the head of an empty board is no note', async () => {
  await using board = await openBoard({ signers: [key] });
  const { status, body } = await board.get(HEAD);
  expect(status).toBe(200);
  expect(body.data).toEqual({
    ts: null,
    hash: '0'.repeat(64),
    signed: false,
    note: null,
    keys: [key.verifier.vkey],
  });
});

it('without a key the head is a note without signatures, and says so', async () => {
  await using board = await openBoard();
  await board.send('/api/v1/threads', MESSAGE);
  const { body } = await board.get(HEAD);
  const { hash, ts } = (await board.get('/api/v1/changes')).body.data.events.at(-1);
  expect(body.data).toEqual({
    ts,
    hash,
    signed: false,
    note: `unsigned.invalid/trial-board/board\n${ts}\n${hash}\n`,
    keys: [],
  });
});

it('with keys each of them signs the time and the hash of the newest event', async () => {
  await using board = await openBoard({ signers: [newer, key] });
  await board.send('/api/v1/threads', MESSAGE);
  const first = (await board.get(HEAD)).body.data;
  const { hash, ts } = (await board.get('/api/v1/changes')).body.data.events.at(-1);
  expect([first.ts, first.hash, first.signed]).toEqual([ts, hash, true]);
  const note = readNote(first.note, 'head');
  expect(note.text).toBe(`example.org/trials/board\n${ts}\n${hash}\n`);
  for (const { verifier } of [key, newer]) expect((await signersOf(note, [verifier], 'head')).by).toEqual([verifier]);

  await board.send('/api/v1/threads', { ...MESSAGE, body: 'another message, of thirty characters or more' });
  const second = (await board.get(HEAD)).body.data;
  expect(second.ts > first.ts).toBe(true);
  const exported = await board.app.fetch(new Request('http://test.example/api/v1/changes/export'));
  const events = (await exported.text())
    .trim()
    .split('\n')
    .map((line) => JSON.parse(line));
  expect(events.map((event) => [event.ts, event.hash])).toEqual([
    [first.ts, first.hash],
    [second.ts, second.hash],
  ]);
});
