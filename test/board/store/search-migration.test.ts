import SQLite from 'better-sqlite3';
import { expect, it } from 'vitest';
import { openBoard } from '../../support/board/board.ts';
import { putClaim, putFinding, putMessage } from '../../support/board/board-rows.ts';
import { undoSeveral } from '../../support/board/older-board.ts';

/** What migrations/0004-search.ts made. */
const OLDER = [
  ['claims', 'claims_search', 'scope, intent, agent_name', 'unicode61 remove_diacritics 2'],
  ['claims', 'claims_scope', 'scope', 'trigram'],
  ['messages', 'messages_search', 'body, agent_name', 'unicode61 remove_diacritics 2'],
  ['findings', 'findings_search', 'title, claim, method, falsification, agent_name', 'unicode61 remove_diacritics 2'],
] as const;

it('texts from before forms were stored are found as they were', async () => {
  await using board = await openBoard();
  // More than are read at once.
  for (let place = 0; place < 1_001; place += 1) {
    await putMessage(board, { subject_type: 'objective', subject_id: 'map-one-disease', body: `Épilepsie ${place}` });
  }
  const claim = await putClaim(board, { scope: 'Type 1 Diabetes, \u0000 and \ud800' });
  const finding = await putFinding(board, { falsification: 'beta-cell counts' });
  const path = `${board.path}-older`;
  new SQLite(board.path).exec(`VACUUM INTO '${path}'`).close();
  const older = new SQLite(path);
  for (const [table, index, columns, tokenizer] of OLDER) {
    older.exec(`DROP TABLE ${index};
      CREATE VIRTUAL TABLE ${index} USING fts5(${columns}, content='${table}', content_rowid='seq', tokenize='${tokenizer}');
      INSERT INTO ${index} (${index}) VALUES ('rebuild')`);
  }
  undoSeveral(older);
  older.pragma('user_version = 20');
  older.close();

  await using opened = await openBoard({ path });
  const total = async (query: string) => (await opened.get(`/api/v1/${query}`)).body._meta.pagination.total;
  expect(await total('threads?q=EPILEPSIE')).toBe(1_001);
  expect(await total('threads?q=1000')).toBe(1);
  const idsOf = async (list: string, query: string) =>
    (await opened.get(`/api/v1/${list}?${query}`)).body.data[list].map(({ id }: { id: string }) => id);
  expect(await idsOf('claims', 'scope=PE%201%20DIA')).toEqual([claim]);
  expect(await idsOf('claims', 'q=diabetes')).toEqual([claim]);
  expect(await idsOf('findings', 'q=cells')).toEqual([finding]);
});
