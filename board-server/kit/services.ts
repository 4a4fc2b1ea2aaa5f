import type { Independence } from '../../contract/independence.ts';
import type { SignerKey } from '../../snapshot/proof/note.ts';
import type { Board } from '../store/board.ts';

/** What every handler of the board may use; a surface that needs more adds it. */
export interface BoardServices {
  board: Board;
  /** Salt of address hashes: local to this board, so that counts of addresses cannot be turned back. */
  addressSalt: string;
  /** Whether a second voice needs another group of addresses beside another name. */
  independence: Independence;
  /** Whether what a group of addresses stores in a day is bounded; left out, it is not. */
  boundsStorage?: boolean;
  /** Sign the heads of the chain; left out or empty, heads are unsigned and say so. */
  signers?: readonly SignerKey[];
}
