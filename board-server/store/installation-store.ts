import type { Board } from './board.ts';

/** What the salt is sealed for and where it lies, so that nothing else opens as it. */
const PLACE = ['address salt', 'installation'] as const;

/**
 * The salt that all boards of an installation hash addresses with; the first one to start stores the one that `make`
 * gives. Null on a board that keeps its salt in a file.
 */
export async function installationSalt(board: Board, make: () => string): Promise<string | null> {
  const stored = await board.read.selectFrom('installation').select('address_salt').executeTakeFirst();
  const sealed = stored?.address_salt ?? (board.aside === null ? null : await store(board, make));
  if (sealed === null) return null;
  const salt = board.sealer.open(...PLACE, sealed);
  if (salt !== null) return salt;
  throw new Error(
    'the salt of addresses was sealed with another key: put the key of this board where BOARD_KEY_FILE says, or beside a board in a file as <file>.key',
  );
}

/** Stores a salt unless another board has done so meanwhile, and gives the stored one. */
function store(board: Board, make: () => string): Promise<string> {
  return board.write(async (tx) => {
    const known = await tx.selectFrom('installation').select('address_salt').executeTakeFirst();
    if (known !== undefined) return known.address_salt;
    const address_salt = board.sealer.seal(...PLACE, make());
    await tx.insert('installation', { id: 1, address_salt });
    return address_salt;
  });
}
