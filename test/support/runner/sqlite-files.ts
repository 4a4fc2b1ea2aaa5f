/** Files of test/board that test SQLite itself, so that the project `cluster`, whose boards are on PostgreSQL, leaves them out. */
export const SQLITE_ONLY: Readonly<Record<string, string>> = {
  'test/board/store/at-rest.test.ts': 'rights of the file and of its key, and files from before values were sealed',
  'test/board/store/backup.test.ts': 'copies of the file',
  'test/board/store/council-plans.test.ts': 'EXPLAIN QUERY PLAN',
  'test/board/store/crash.test.ts': 'a file after its process was killed',
  'test/board/store/faults.test.ts': 'a locked file, a full disk, a damaged page',
  'test/board/store/fs-faults.test.ts': 'system calls on the file that fail',
  'test/board/gateway-secret.test.ts': 'what `npm start` hands to its board, whatever holds it',
  'test/board/store/list-plans.test.ts': 'EXPLAIN QUERY PLAN',
  'test/board/store/processes.test.ts': 'processes of `npm start`, whose board is a file',
  'test/board/store/read-only.test.ts': 'a file that is damaged while it serves, and error codes of SQLite',
  'test/board/store/read-plans.test.ts': 'EXPLAIN QUERY PLAN',
  'test/board/store/search-migration.test.ts': 'files of older programs',
  'test/board/store/serving-lock.deep.test.ts': 'one server a file',
  'test/board/store/statements.test.ts': 'EXPLAIN QUERY PLAN',
  'test/board/store/voices-migration.test.ts': 'files of older programs',
  'test/board/webhooks/scale.test.ts': "statements counted at SQLite's driver",
};
