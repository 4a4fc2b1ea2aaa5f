import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { claimPage } from '../../board-server/claims/claim-store.ts';
import { messagePage } from '../../board-server/threads/message-store.ts';
import { textPieces, tokenKey } from '../../snapshot/format/words/tokens.ts';
import { boardForAll } from '../support/board/board.ts';
import { putClaim, putMessage } from '../support/board/board-rows.ts';

/** The project `cluster` runs this on PostgreSQL: both stores answer as a plain scan does, and so as each other. */

const board = boardForAll();

const WORDS = 'beta Cell cells BETACELL épilepsie tumour tumor νόσος ΝΌΣΟΣ 糖尿病 a 1 😀'.split(' ');
const MARKS = ['-', '/', "'s ", '"', '*', ' OR ', '\u0000', '\ud800', '\ue000', '\n', '\\', '{', ',', "'"];
const BETWEEN = [' ', ' ', ' ', ...MARKS];
const words = fc.constantFrom(...WORDS);
const text = fc
  .array(fc.tuple(words, fc.constantFrom(...BETWEEN)), { minLength: 1, maxLength: 7 })
  .map((all) => all.flat().join(''));
const question = fc
  .array(fc.tuple(fc.constantFrom(...BETWEEN), words), { minLength: 1, maxLength: 3 })
  .map((all) => all.flat().join(''));
const SEED = { seed: 20_261_126 };

/** Whether all pieces of a question occur, each as words in a row of one text. */
function scan(texts: readonly string[], q: string): boolean {
  const rows = texts.map(keysOf);
  const pieces = q
    .split(/\s+/u)
    .map(keysOf)
    .filter(({ length }) => length > 0);
  const occurs = (piece: string[]) =>
    rows.some((row) => row.some((_, from) => piece.every((key, place) => row[from + place] === key)));
  return pieces.length > 0 && pieces.every(occurs);
}

function keysOf(one: string): string[] {
  return textPieces(one.toLowerCase()).flat().map(tokenKey);
}

const PAGE = { after: null, offset: 0, limit: 1_000 };
const MESSAGES = { ...PAGE, newestFirst: false };

describe('a board', () => {
  it('finds the messages in which all words occur, however they are written', async () => {
    const held: { id: string; texts: string[] }[] = [];
    let found = 0;
    await fc.assert(
      fc.asyncProperty(
        text,
        text,
        fc.array(question, { minLength: 4, maxLength: 4 }),
        async (body, agent_name, questions) => {
          const id = await putMessage(board, {
            subject_type: 'objective',
            subject_id: 'map-one-disease',
            body,
            agent_name,
          });
          held.push({ id, texts: [body, agent_name] });
          for (const q of [...questions, body]) {
            const expected = held.filter(({ texts }) => scan(texts, q)).map((one) => one.id);
            const rows = await messagePage(board.services.board.read, { q }, MESSAGES);
            expect(
              rows.map((row) => row.id),
              JSON.stringify(q),
            ).toEqual(expected);
            found += expected.length;
          }
          const naming = held.filter(({ texts }) => questions.some((name) => scan(texts, name)));
          const rows = await messagePage(board.services.board.read, { trialId: questions }, MESSAGES);
          expect(rows.map((row) => row.id)).toEqual(naming.map((one) => one.id));
        },
      ),
      { ...SEED, numRuns: 100 },
    );
    expect(found).toBeGreaterThan(500);
  });

  it('finds the claims whose scope contains a text in any case', async () => {
    const held: { id: string; scope: string }[] = [];
    const now = board.clock.now().getTime() * 1000;
    const plain = (one: string) =>
      one
        .toLowerCase()
        .replaceAll('ς', 'σ')
        .replaceAll(/[\0\ud800](?![\udc00-\udfff])/g, '\ufffd');
    const part = fc.tuple(text, fc.nat(12), fc.integer({ min: 3, max: 9 }));
    let found = 0;
    await fc.assert(
      fc.asyncProperty(text, fc.array(part, { minLength: 4, maxLength: 4 }), async (scope, parts) => {
        held.push({ id: await putClaim(board, { scope }), scope });
        const asked = parts.map(([of, from, length]) => [...of].slice(from, from + length).join(''));
        for (const one of [...asked, scope.toUpperCase()]) {
          const isLong = [...one].length >= 3;
          const expected = held
            .filter((each) => isLong && plain(each.scope).includes(plain(one)))
            .map((each) => each.id);
          const rows = await claimPage(board.services.board.read, { state: 'active', scope: one }, now, PAGE);
          expect(rows.map((row) => row.id).toReversed(), JSON.stringify(one)).toEqual(expected);
          found += expected.length;
        }
      }),
      { ...SEED, numRuns: 100 },
    );
    expect(found).toBeGreaterThan(200);
  });
});
