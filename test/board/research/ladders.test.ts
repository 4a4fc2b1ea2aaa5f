import SQLite from 'better-sqlite3';
import { describe, expect, it } from 'vitest';
import { boardForEach } from '../../support/board/board.ts';
import { withdraw } from '../../support/board/findings.ts';
import { LADDER, ladder, submission } from '../../support/board/ladders.ts';
import { onSqlite } from '../../support/board/store.ts';
import { filledIn } from '../../support/filled-in.ts';

const LADDERS = '/api/v1/decompositions';
const RUNGS = '/api/v1/rungs';

const board = boardForEach();

const submit = (id: string, body: object, headers: Record<string, string> = {}) =>
  board.send(`${RUNGS}/${id}`, body, headers);
const actions = async () => {
  const { body } = await board.get('/api/v1/changes?limit=200');
  return body.data.events.map(({ kind, action }: { kind: string; action: string }) => `${kind} ${action}`);
};
const findings = async () => (await board.get('/api/v1/findings')).body._meta.pagination.total;

describe('a ladder', () => {
  it('is completed by its last rung, in whatever order they come', async () => {
    const { id, rungs } = await ladder(board);
    await submit(rungs[1].id, submission({ output: { note: 'It is half.' } }));
    expect((await board.get(`${LADDERS}/${id}`)).body.data).toMatchObject({ state: 'open', rungsSatisfied: 1 });
    const last = await submit(rungs[0].id, submission());
    expect(last.body.data.ladderState).toBe('completed');
    const { data } = (await board.get(`${LADDERS}/${id}`)).body;
    expect(data).toMatchObject({ state: 'completed', rungsSatisfied: 2, completedAt: data.rungs[0].satisfiedAt });
  });
});

describe('the list of ladders', () => {
  it('comes newest first, by state, objective and question', async () => {
    const made = [];
    for (let place = 0; place < 5; place += 1) made.push(await ladder(board));
    const other = await ladder(board, { objectiveId: null, questionId: 'freshness-drift' });
    await submit(made[0].rungs[0].id, submission());
    await submit(made[0].rungs[1].id, submission({ output: { note: 'It is half.' } }));
    const ids = async (query: string) =>
      (await board.get(`${LADDERS}?${query}`)).body.data.ladders.map(({ id }: { id: string }) => id);
    expect(await ids('')).toEqual([other.id, ...made.map(({ id }) => id).reverse()]);
    expect(await ids('state=completed')).toEqual([made[0].id]);
    expect(await ids('questionId=freshness-drift')).toEqual([other.id]);
    expect(await ids('objectiveId=map-one-disease&state=completed')).toEqual([made[0].id]);
  });
});

describe('a rung', () => {
  it('is listed while it is open, oldest ladder first, and by effort', async () => {
    const [one, two] = [await ladder(board), await ladder(board)];
    const open = async (query = '') =>
      (await board.get(`${RUNGS}?${query}`)).body.data.rungs.map(({ id }: { id: string }) => id);
    const [a, b, c, d] = [...one.rungs, ...two.rungs].map(({ id }) => id);
    expect(await open()).toEqual([a, b, c, d]);
    expect(await open('effort=large')).toEqual([b, d]);
    const { body } = await board.get(`${RUNGS}?limit=2`);
    await submit(a!, submission());
    expect(await open()).toEqual([b, c, d]);
    expect(await open(`limit=2&cursor=${body._meta.pagination.nextCursor}`)).toEqual([c, d]);
  });

  it('is read with its rules in words and a worked submission whose output passes and whose finding is for its author to say', async () => {
    const { rungs } = await ladder(board);
    const { data } = (await board.get(`${RUNGS}/${rungs[0].id}`)).body;
    expect(data.rules.map(({ says }: { says: string }) => says)).toEqual([
      'share must be a number of 0 or more',
      'share must be a number of 1 or less',
    ]);
    expect(data.rules[1]).toMatchObject({ message: 'It is a share.', rule: LADDER.rungs[0]?.rules[1] });
    expect(data).toMatchObject({ submission: null, workedSubmission: { passes: true, yours: [] } });
    const { call, body } = data.workedSubmission;
    const [method, path] = call.split(' ');
    const unread = await board.send(path, body, {}, method);
    expect([unread.status, unread.body.error.issues.map(({ path: at }: { path: string }) => at)]).toEqual([
      422,
      ['finding.title', 'finding.claim', 'finding.method', 'finding.falsification'],
    ]);
    expect((await board.send(path, filledIn(body), {}, method)).body.data).toMatchObject({ accepted: true });
    const after = (await board.get(`${RUNGS}/${rungs[0].id}`)).body.data;
    expect(after).toMatchObject({
      state: 'satisfied',
      satisfiedBy: 'agent-of-this-test',
      workedSubmission: null,
      submission: { output: { share: 0 }, agentName: 'agent-of-this-test', findingId: after.findingId },
    });
  });

  it('keeps nothing of an output that fails, and says of every rule what to change', async () => {
    const { rungs } = await ladder(board);
    const before = await actions();
    const { status, body } = await submit(rungs[0].id, submission({ output: { share: 3 } }), {
      'idempotency-key': 'failing-key',
    });
    expect([status, body.data.accepted, body.data.finding]).toEqual([200, false, null]);
    expect(body.data.verdicts).toEqual([
      expect.objectContaining({ passed: true, change: null, found: '3' }),
      expect.objectContaining({ passed: false, found: '3 at share', message: 'It is a share.' }),
    ]);
    expect([await actions(), await findings()]).toEqual([before, 0]);
    // A submission that fails does not use up the key: a corrected output may be sent under it.
    const fixed = await submit(rungs[0].id, submission(), { 'idempotency-key': 'failing-key' });
    expect(fixed.status).toBe(201);
  });

  it('that is satisfied takes the same submission again, without the token, and no other', async () => {
    const { rungs } = await ladder(board);
    const sent = submission();
    const headers = { 'idempotency-key': '7c9e6679-7425-40de-944b-000000000001' };
    const first = await submit(rungs[0].id, sent, headers);
    const replayed = await submit(rungs[0].id, sent, headers);
    expect(replayed.headers.get('idempotency-replayed')).toBe('true');
    expect(replayed.body.data).toEqual(first.body.data);
    const again = await submit(rungs[0].id, sent);
    expect(again.status).toBe(200);
    expect(again.body.data).toMatchObject({
      accepted: true,
      finding: { id: first.body.data.finding.id, withdrawToken: null },
    });
    const other = await submit(rungs[0].id, submission());
    expect([other.status, other.body.error.code]).toEqual([409, 'NOT_OPEN']);
    expect(await findings()).toBe(1);
  });

  it('has one winner of many submissions at once, and the findings of the others are not published', async () => {
    const { rungs } = await ladder(board);
    const answers = await Promise.all(
      Array.from({ length: 8 }, (_, place) => submit(rungs[0].id, submission({ agentName: `agent ${place}` }))),
    );
    const statuses = answers.map(({ status }) => status);
    expect(statuses.toSorted()).toEqual([201, 409, 409, 409, 409, 409, 409, 409]);
    expect(answers.filter(({ body }) => body.error?.code === 'NOT_OPEN')).toHaveLength(7);
    expect(await findings()).toBe(1);
    expect((await actions()).filter((action: string) => action === 'finding created')).toHaveLength(1);
  });

  onSqlite.it('and its finding are stored together or not at all', async () => {
    const { id, rungs } = await ladder(board);
    // The store fails after it has written the finding and before it writes the submission.
    const file = new SQLite(board.path);
    file.exec(
      "CREATE TRIGGER fault BEFORE INSERT ON rung_submissions BEGIN SELECT RAISE(ABORT, 'the disk is gone'); END",
    );
    const sent = submission();
    const failed = await submit(rungs[0].id, sent);
    expect([failed.status, failed.body.error.code]).toEqual([503, 'SUBMISSION_FAILED']);
    expect(JSON.stringify(failed.body)).not.toContain('disk');
    expect([await findings(), await actions()]).toEqual([0, ['message ladder-published']]);
    expect((await board.get(`${LADDERS}/${id}`)).body.data.rungs[0].state).toBe('open');
    file.exec('DROP TRIGGER fault');
    file.close();
    expect((await submit(rungs[0].id, sent)).status).toBe(201);
  });

  it('asks for ids by what is on the board and in the index, and says when the index does not answer', async () => {
    const asking = [
      { ...LADDER.rungs[0], rules: [{ path: 'id', rule: 'resolvesTo', to: 'finding' }] },
      { ...LADDER.rungs[1], rules: [{ path: 'id', rule: 'resolvesTo', to: 'trial' }] },
    ];
    const { rungs } = await ladder(board, { rungs: asking });
    const first = await ladder(board);
    const { finding } = (await submit(first.rungs[0].id, submission())).body.data;
    const accepted = async (place: number, id: string) =>
      (await submit(rungs[place].id, submission({ output: { id } }))).body.data?.accepted;
    await withdraw(board, finding);
    expect(await accepted(0, finding.id)).toBe(false);
    expect(await accepted(0, 'fnd_never')).toBe(false);
    const unanswered = await submit(rungs[1].id, submission({ output: { id: 'NCT01234567' } }));
    expect([unanswered.status, unanswered.body.error.code]).toEqual([503, 'TRIALS_UNAVAILABLE']);
    const trials = { current: { has: (id: string) => id === 'NCT01234567' } };
    Object.assign(board.services, { trialIds: trials });
    expect(await accepted(1, 'NCT00000000')).toBe(false);
    expect(await accepted(1, 'NCT01234567')).toBe(true);
  });
});
