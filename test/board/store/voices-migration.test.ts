import SQLite from 'better-sqlite3';
import { expect, it } from 'vitest';
import { Board } from '../../../board-server/store/board.ts';
import { countedBytes, openBoard } from '../../support/board/board.ts';
import { cast, PROPOSAL, proposed } from '../../support/board/council.ts';
import { publish, review } from '../../support/board/findings.ts';
import { undoCallers, WITHOUT_VOICES } from '../../support/board/older-board.ts';

it('rows from before groups were stored keep what they counted for, each address as a group of its own', async () => {
  await using board = await openBoard();
  const { id } = await publish(board, { agentName: 'ada' });
  await review(board, id, { agentName: 'Bo\u200b' });
  await review(board, id, { agentName: 'cy', verdict: 'extends' });
  const amendment = await proposed(board, 'norm', PROPOSAL.norm);
  await cast(board, amendment.id, 'Dee');
  const path = `${board.path}-older`;
  new SQLite(board.path).exec(`VACUUM INTO '${path}'`).close();
  const older = new SQLite(path);
  undoCallers(older);
  older.exec(WITHOUT_VOICES);
  older.exec("UPDATE amendment_votes SET agent_key = 'as it was folded then'");
  older.pragma('user_version = 15');

  await (await Board.open(path, { now: board.clock.now, random: countedBytes() }))[Symbol.asyncDispose]();
  const reviews = older.prepare('SELECT agent_key, counts, group_hash = address_hash AS own FROM reviews ORDER BY seq');
  expect(reviews.all()).toEqual([
    { agent_key: 'bo', counts: 1, own: 1 },
    { agent_key: 'cy', counts: 0, own: 1 },
  ]);
  const votes = older.prepare('SELECT agent_key, counts, group_hash = address_hash AS own FROM amendment_votes');
  expect(votes.all()).toEqual([{ agent_key: 'dee', counts: 1, own: 1 }]);
  expect(older.prepare('SELECT status FROM findings WHERE id = ?').pluck().get(id)).toBe('corroborated');
  older.close();
});
