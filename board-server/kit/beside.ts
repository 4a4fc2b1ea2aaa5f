import type { Kysely } from 'kysely';
import type { Board } from '../store/board.ts';
import type { DialectName } from '../store/session.ts';
import type { BoardTables } from '../store/tables.ts';

/** Where statements beside the feed run: in a write of the feed on SQLite, each by itself on PostgreSQL. */
export interface Beside extends Pick<Kysely<BoardTables>, 'selectFrom' | 'insertInto' | 'deleteFrom'> {
  readonly dialect: DialectName;
}

/** Runs statements that need no place in the order of the feed: where boards share a database they do not wait for it. */
export function besideFeed<T>(board: Board, work: (db: Beside) => Promise<T>): Promise<T> {
  const { aside } = board;
  if (aside === null) return board.write(work);
  const { db, dialect } = aside;
  return work({
    dialect,
    selectFrom: db.selectFrom.bind(db),
    insertInto: db.insertInto.bind(db),
    deleteFrom: db.deleteFrom.bind(db),
  });
}
