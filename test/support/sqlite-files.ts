/** Files of test/board that test SQLite itself, so that the project `cluster`, whose boards are on PostgreSQL, leaves them out. */
export const SQLITE_ONLY: Readonly<Record<string, string>> = {
  'test/board/at-rest.test.ts': 'rights of the file and of its key, and files from before values were sealed',
  'test/board/backup.test.ts': 'copies of the file',
  'test/board/council-plans.test.ts': 'EXPLAIN QUERY PLAN',
  'test/board/crash.test.ts': 'a file after its process was killed',
  'test/board/faults.test.ts': 'a locked file, a full disk, a damaged page',
  'test/board/fs-faults.test.ts': 'system calls on the file that fail',
  'test/board/gateway-secret.test.ts': 'what `npm start` hands to its board, whatever holds it',
  'test/board/list-plans.test.ts': 'EXPLAIN QUERY PLAN',
  'test/board/processes.test.ts': 'processes of `npm start`, whose board is a file',
  'test/board/read-only.test.ts': 'a file that is damaged while it serves, and error codes of SQLite',
  'test/board/read-plans.test.ts': 'EXPLAIN QUERY PLAN',
  'test/board/search-migration.test.ts': 'files of older programs',
  'test/board/serving-lock.test.ts': 'one server a file',
  'test/board/statements.test.ts': 'EXPLAIN QUERY PLAN',
  'test/board/voices-migration.test.ts': 'files of older programs',
  'test/board/webhooks-scale.test.ts': "statements counted at SQLite's driver",
};
