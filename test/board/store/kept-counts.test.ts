import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { setWithdrawn } from '../../../board-server/findings/finding-store.ts';
import { boardCounts } from '../../../board-server/orientation/count-store.ts';
import { countedBytes, openBoard, type TestBoard } from '../../support/board/board.ts';
import { putClaim, putFinding, putMessage } from '../../support/board/board-rows.ts';
import { boardAt } from '../../support/board/store.ts';
import { plainEvent } from '../../support/plain/plain-event.ts';

let board: TestBoard;
beforeAll(async () => {
  board = await openBoard();
});
afterAll(() => board[Symbol.asyncDispose]());

/** The counts that a new process, with no counts in memory, would give. */
async function countedAnew() {
  await using other = await boardAt(board.path, { now: board.clock.now, random: countedBytes() });
  return await boardCounts(other.read, board.clock.now().getTime() * 1000);
}

describe('the counts of the board', () => {
  it('are after any write those of a process that counts everything anew', async () => {
    const kept = () => boardCounts(board.services.board.read, board.clock.now().getTime() * 1000);
    const totalOf = async (query: string): Promise<number> =>
      (await board.get(`/api/v1/findings${query}`)).body._meta.pagination.total;
    const ids: string[] = [];
    const writes = [
      async () => void ids.push(await putFinding(board, {})),
      () => putMessage(board, { subject_type: 'objective', subject_id: 'map-one-disease' }),
      () => putClaim(board, { objective_id: 'map-one-disease' }),
      async () => void ids.push(await putFinding(board, { status: 'contested' })),
      () => putMessage(board, { subject_type: 'finding', subject_id: ids[0]! }),
      () =>
        board.services.board.write(async (tx) => {
          const ts = tx.nextTime();
          await setWithdrawn(tx, ids[0]!, ts);
          await tx.appendEvent(ts, { ...plainEvent('withdrawal', ids[0]!), action: 'withdrawn' });
        }),
    ];
    for (const write of writes) {
      await write();
      const anew = await countedAnew();
      expect(await kept()).toEqual(anew);
      const { withdrawn, ...others } = anew.findings;
      const live = Object.values(others).reduce((sum, count) => sum + count, 0);
      expect(await totalOf('')).toBe(live);
      expect(await totalOf('?includeWithdrawn=true')).toBe(live + withdrawn);
      expect(await totalOf('?status=withdrawn')).toBe(withdrawn);
      expect(await totalOf('?status=contested')).toBe(others.contested);
    }
    expect(await kept()).toEqual({
      liveClaims: 1,
      findings: { received: 0, corroborated: 0, contested: 1, withdrawn: 1 },
      messages: 2,
      reviews: 0,
      links: 0,
    });
  });
});
