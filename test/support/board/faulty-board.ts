import { Board } from '../../../board-server/store/board.ts';
import { pooledRandom } from '../../../board-server/store/effects.ts';
import { plainEvent } from '../plain/plain-event.ts';

/** A process that writes to a board whose file system fails it, and says on each line what a write came to. */
const WRITES = 6;
const say = (line: string) => process.stdout.write(`${line}\n`);

async function tryWrite(board: Board, objectId: string): Promise<void> {
  const event = plainEvent('claim', objectId);
  const data = { filler: 'x'.repeat(9_000) };
  const outcome = await board
    .write((tx) => tx.appendEvent(tx.nextTime(), { ...event, data }))
    .then(
      () => 'stored',
      () => 'failed',
    );
  say(`${outcome} ${objectId}`);
}

const board = await Board.open(process.argv[2]!, { now: () => new Date(), random: pooledRandom() });
for (let place = 0; place < WRITES; place += 1) await tryWrite(board, `w${place}`);
if (board.health.fault !== null) say(`proven ${await board.prove()}`);
await tryWrite(board, 'last');
await board[Symbol.asyncDispose]();
