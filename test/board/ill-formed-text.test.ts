import { describe, expect, it } from 'vitest';
import type { Operation } from '../../contract/operation.ts';
import { BOARD_OPERATIONS } from '../../contract/operations.ts';
import { boardForAll, openBoard } from '../support/board/board.ts';
import { verifyAt } from '../support/board/store.ts';
import { plainEvent } from '../support/plain/plain-event.ts';

/**
 * Half of a surrogate pair can be written in JSON as an escape only, and strict readers (jq, Python's encoders) refuse
 * the whole document: one such text would shut them out of every list that it stands in.
 */

const board = boardForAll();

const HALF = /\\u[dD][89a-fA-F]/;
const WELL_FORMED = 'expected well-formed Unicode, and it holds half of a surrogate pair (\\ud800 to \\udfff alone)';
const OPERATIONS: readonly Operation[] = BOARD_OPERATIONS;
const WRITES = OPERATIONS.filter(({ body }) => body !== undefined);

describe('a body with half of a surrogate pair', () => {
  it.each(WRITES.map((operation) => [operation.id, operation] as const))('is refused by %s', async (_id, operation) => {
    const path = operation.path.replaceAll(/\{[A-Za-z]+\}/g, 'nothing_here');
    const sent = {
      scope: 'sur \ud800 x',
      agentName: 'ada\udfff',
      more: { deep: ['\ud83d'] },
    };
    const { status, body } = await board.send(path, sent, {}, operation.method);
    expect([status, body.error.code]).toEqual([400, 'INVALID_BODY']);
    expect(body.error.issues).toEqual([
      { path: 'scope', message: WELL_FORMED },
      { path: 'agentName', message: WELL_FORMED },
      { path: 'more.deep.0', message: WELL_FORMED },
    ]);
    expect(body.error.message).toBe(`The body has a text that is not usable: scope: ${WELL_FORMED}.`);
  });

  it('is refused in a name too; whole pairs and escaped backslashes are taken', async () => {
    const claim = {
      objectiveId: 'map-one-disease',
      scope: 'whole pair 😀',
      intent: 'A slice whose text has a whole pair and a \\ud800 that is written out.',
      agentName: 'ada',
    };
    const refused = await board.send('/api/v1/claims', { ...claim, 'x\ud800': 1 });
    expect([refused.status, refused.body.error.issues[0].path]).toEqual([400, 'x\ufffd']);
    const taken = await board.send('/api/v1/claims', JSON.stringify(claim).replace('😀', '\\ud83d\\ude00'));
    expect([taken.status, taken.body.data.scope, taken.body.data.intent]).toEqual([201, claim.scope, claim.intent]);
  });
});

describe('a text that was stored before such bodies were refused', () => {
  it('is answered with U+FFFD in lists, feed and export, and its place in the chain still verifies', async () => {
    await using old = await openBoard();
    const claim = {
      objectiveId: 'map-one-disease',
      scope: 'old',
      intent: 'A slice that an older version stored.',
      agentName: 'a',
    };
    const { data } = (await old.send('/api/v1/claims', { ...claim, intent: claim.intent.padEnd(40, '.') })).body;
    await old.services.board.write(async (tx) => {
      await tx.updateTable('claims').set({ scope: 'sur \ud800 x' }).where('id', '=', data.id).execute();
      const more = { agentName: 'ada\udc00', data: { title: '\\ud800 \ud800' } };
      await tx.appendEvent(tx.nextTime(), { ...plainEvent('claim', data.id), ...more });
    });
    for (const path of ['claims', `claims/${data.id}`, 'changes', 'changes/export']) {
      const response = await old.app.fetch(new Request(`http://test.example/api/v1/${path}`));
      const text = await response.text();
      expect([path, response.status, HALF.test(text.replaceAll('\\\\', ''))]).toEqual([path, 200, false]);
      expect(text).toContain(path.startsWith('claims') ? 'sur \\ufffd x' : 'ada\\ufffd');
    }
    expect((await verifyAt(old.path)).problems).toEqual([]);
  });
});
