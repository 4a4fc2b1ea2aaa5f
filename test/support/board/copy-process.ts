/**
 * Copies a board in chunks of five rows and dies after `chunks` of them as in a power cut. copy.deep.test.ts starts it as
 * `node copy-process.ts <from> <to> <chunks>`; it exits with 0 where there are fewer.
 */
import { copyBoard } from '../../../board-server/store/copy/copy-board.ts';

const [from, to, chunks] = process.argv.slice(2) as [string, string, string];
let stored = 0;
await copyBoard(from, to, {
  chunkRows: 5,
  onChunk: () => {
    stored += 1;
    if (stored === Number(chunks)) process.kill(process.pid, 'SIGKILL');
  },
});
