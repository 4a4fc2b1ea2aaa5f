import type { Logger } from 'pino';
import type { Board } from './board.ts';
import { FileCheck } from './sqlite/file-check.ts';
import { fileOf, isServer, placeOf } from './store-address.ts';

/** A store that takes no writes is tried this often; one that takes them, where no caller has written for a while. */
const RETRY_MS = 1_000;
const PROOF_MS = 60_000;
/** A check reads all pages, half a second of another process for each 100 MB. */
const PAGE_CHECK_MS = 3_600_000;

interface Proving {
  board: Board;
  store: string;
  log: Logger;
}

/** Proves on a schedule that the store takes writes and that the pages of a file are sound, until disposed. Says each change once. */
export function startProving({ board, store, log }: Proving): Disposable {
  const place = placeOf(store);
  const { health } = board;
  let check: FileCheck | null = null;
  let said: string | null = null;
  const tell = () => {
    if (health.said === said) return;
    if (health.said === null) log.info({ store: place }, 'the board takes writes again');
    else log.error({ store: place }, `the board is ${health.said}`);
    said = health.said;
  };
  const proving = setInterval(async () => {
    tell();
    const quietMs = board.effects.now().getTime() - (health.provenAt?.getTime() ?? 0);
    if (health.fault !== null || Math.abs(quietMs) >= PROOF_MS) await board.prove();
    tell();
  }, RETRY_MS).unref();
  const checking = setInterval(async () => {
    // A database server checks its own pages.
    if (isServer(store)) return;
    check?.[Symbol.dispose]();
    check = FileCheck.of(fileOf(store));
    const { state } = await check.result;
    if (state === 'sound') health.notePagesSound();
    if (state === 'damaged') health.noteDamage();
  }, PAGE_CHECK_MS).unref();
  return {
    [Symbol.dispose]() {
      clearInterval(proving);
      clearInterval(checking);
      check?.[Symbol.dispose]();
    },
  };
}
