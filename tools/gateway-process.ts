import { once } from 'node:events';
import { dirname } from 'node:path';
import { setTimeout as delay } from 'node:timers/promises';
import { fileURLToPath } from 'node:url';
import { runGateway } from '../gateway/main.ts';
import { Upstream } from '../gateway/upstream/upstream.ts';
import { loadConfig } from '../server-kit/config/config.ts';
import { environment } from '../server-kit/config/env.ts';
import { startFault } from '../server-kit/serve.ts';
import type { ChildMessage } from './supervised-child.ts';

/** Program that start.ts runs: the gateway as a child process, which is told where the board listens. */

/** What start.ts tells at each change. */
export interface BoardStanding {
  /** Null while the board does not run. */
  url: string | null;
  /** Why it does not; null while it starts. */
  fault: string | null;
}

/** A board tells within a second that it listens or why it does not; searches do not wait for ever for one that hangs. */
const BOARD_WAIT_MS = 60_000;

const config = loadConfig(environment(), dirname(dirname(fileURLToPath(import.meta.url))));
using board = new Upstream(config.boardUrls, { secret: config.boardSecret });
let fault: string | null = null;
const told = Promise.withResolvers<void>();
process.on('message', (standing: BoardStanding) => {
  board.url = standing.url;
  fault = standing.fault;
  told.resolve();
});
const isBoardBeside = config.boardUrls === null;
try {
  await runGateway(config, {
    board,
    boardFault: () => fault,
    // So that the first caller finds the board running, as long as it starts at all.
    ready: isBoardBeside
      ? Promise.race([told.promise, delay(BOARD_WAIT_MS, undefined, { ref: false })])
      : Promise.resolve(),
    onListening: (url) => process.send?.({ url } satisfies ChildMessage),
    starterGone: once(process, 'disconnect'),
  });
} catch (error) {
  process.stderr.write(`failed: ${startFault(error)}\n`);
  process.exitCode = 1;
}
if (process.connected) process.disconnect();
