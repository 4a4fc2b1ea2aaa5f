import type { Board } from '../store/board.ts';

/** What every handler of the board may use; a surface that needs more adds it. */
export interface BoardServices {
  board: Board;
  /** Salt of address hashes: local to this board, so that counts of addresses cannot be turned back. */
  addressSalt: string;
}
