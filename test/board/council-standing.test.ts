import { describe, expect, it } from 'vitest';
import { councilTime } from '../../board-server/council/council-store.ts';
import { standingWork } from '../../board-server/declared-work/declared-work.ts';
import { boardForEach, type TestBoard } from '../support/board/board.ts';
import { CLAIM, MESSAGE } from '../support/board/board-writes.ts';
import { HOUR_MS, PROPOSAL, proposed, ratified, reverted, supported } from '../support/board/council.ts';
import { FINDING } from '../support/board/findings.ts';

const board = boardForEach();

const data = async (path: string) => (await board.get(path)).body.data;
const ids = (list: { id: string }[]) => list.map(({ id }) => id);
const candidates = async () => {
  const { chosen, alternatives } = await data('/api/v1/assignment');
  return ids([chosen, ...alternatives]);
};

/** The statuses of writes that name the objective or the question. */
async function taken(objectiveId: string, questionId: string): Promise<number[]> {
  const scope = `slice at ${board.clock.now().toISOString()}`;
  const title = `Found at ${board.clock.now().toISOString()}`;
  const answers = [
    await board.send('/api/v1/claims', { ...CLAIM, scope, objectiveId }),
    await board.send('/api/v1/claims', { ...CLAIM, scope, objectiveId: undefined, questionId }),
    await board.send('/api/v1/findings', { ...FINDING, title, objectiveId }),
    await board.send('/api/v1/findings', { ...FINDING, title, objectiveId: undefined, questionId }),
    await board.send('/api/v1/threads', { ...MESSAGE, subjectId: objectiveId, body: `${scope} as planned` }),
    await board.send('/api/v1/threads', { ...MESSAGE, subjectType: 'question', subjectId: questionId }),
  ];
  return answers.map(({ status }) => status);
}

/** How many entries each list finds for the objective or the question, or the status of a refusal. */
async function found(objectiveId: string, questionId: string): Promise<unknown[]> {
  const paths = [
    `/api/v1/claims?objectiveId=${objectiveId}`,
    `/api/v1/claims?questionId=${questionId}`,
    `/api/v1/findings?objectiveId=${objectiveId}`,
    `/api/v1/findings?questionId=${questionId}`,
    `/api/v1/threads?subjectType=objective&subjectId=${objectiveId}`,
    `/api/v1/threads?subjectType=question&subjectId=${questionId}`,
  ];
  const answers = await Promise.all(paths.map((path) => board.get(path)));
  return answers.map(({ status, body }) => (status === 200 ? body._meta.pagination.total : status));
}

describe('an objective and a question that the council adds', () => {
  it('are work like any other at the instant of their ratification, and leave at that of their revert', async () => {
    const objective = await proposed(board, 'objective', { ...PROPOSAL.objective, level: 'entry' });
    const question = await proposed(board, 'open_question', {
      ...PROPOSAL.open_question,
      relatedObjective: 'map-one-disease',
    });
    const [o, q] = [objective.adds, question.adds];
    for (const { id } of [objective, question]) await supported(board, id);
    board.clock.advance(48 * HOUR_MS - 2);
    expect(await candidates()).toHaveLength(12);
    expect(await taken(o, q)).toEqual([422, 422, 422, 422, 404, 404]);
    expect(await found(o, q)).toEqual([400, 400, 400, 400, 404, 404]);
    board.clock.advance(2);
    expect(await candidates()).toHaveLength(14);
    expect(await candidates()).toEqual(expect.arrayContaining([o, q]));
    expect(ids((await data('/api/v1/curriculum')).objectives).at(-1)).toBe(o);
    expect(ids((await data('/api/v1/open-questions')).questions).at(-1)).toBe(q);
    expect(await taken(o, q)).toEqual([201, 201, 201, 201, 201, 201]);
    expect(await found(o, q)).toEqual([1, 1, 1, 1, 1, 1]);
    expect(
      (await board.get('/api/v1/assignment?kind=objective&level=entry')).body.data.alternatives.map(
        ({ id }: { id: string }) => id,
      ),
    ).toContain(o);

    await reverted(board, objective.id);
    await reverted(board, question.id);
    expect(await candidates()).toHaveLength(12);
    expect(ids((await data('/api/v1/curriculum')).objectives)).not.toContain(o);
    expect((await board.get(`/api/v1/curriculum?id=${o}`)).body.error.code).toBe('objective_not_found');
    expect((await board.get(`/api/v1/open-questions?id=${q}`)).body.error.code).toBe('question_not_found');
    expect(await taken(o, q)).toEqual([422, 422, 422, 422, 404, 404]);
    expect(await found(o, q)).toEqual([0, 0, 1, 1, 1, 1]);
    const expired = await board.get(`/api/v1/claims?objectiveId=${o}&state=expired`);
    expect(expired.body._meta.pagination.total).toBe(1);
  });

  it('stand in their lists whole, and say which words are the amendment’s', async () => {
    const one = await ratified(board, 'objective', PROPOSAL.objective);
    const { body } = await board.get(`/api/v1/curriculum?id=${one.adds}`);
    expect(body.data.objectives).toMatchObject([
      {
        id: one.adds,
        ...PROPOSAL.objective,
        level: 'intermediate',
        whyItMatters: one.rationale,
        council: {
          amendmentId: one.id,
          fromAmendment: ['title', 'mandate', 'deliverable', 'whyItMatters', 'openQuestion'],
        },
      },
    ]);
    expect(body._meta.honesty).toHaveLength(3);
    expect((await board.get('/api/v1/curriculum?id=map-one-disease')).body._meta.honesty).toBeUndefined();
  });
});

describe('the view of what is in effect', () => {
  it('is the same in a write, whose transaction was rolled back or not, as in a read', async () => {
    const { adds } = await ratified(board, 'objective', PROPOSAL.objective);
    const now = board.clock.now().getTime() * 1000;
    const isKnown = (db: TestBoard['services']['board']['read']) =>
      standingWork(db, now).then((work) => work.isObjective(adds));
    expect(await isKnown(board.services.board.read)).toBe(true);
    expect(await board.services.board.write((tx) => isKnown(tx))).toBe(true);
    const undone = board.services.board.write(async (tx) => {
      await tx
        .updateTable('amendments')
        .set({ reverted_at: 1, turned_at: now + 5, turned_by: 'undone' })
        .execute();
      expect(await isKnown(tx)).toBe(false);
      throw new Error('undone');
    });
    await expect(undone).rejects.toThrow('undone');
    expect(await isKnown(board.services.board.read)).toBe(true);
    expect(await board.services.board.write((tx) => isKnown(tx))).toBe(true);
  });

  it('never goes back behind a decision where the clock does', async () => {
    await ratified(board, 'objective', PROPOSAL.objective);
    const { id } = await proposed(board, 'norm', PROPOSAL.norm);
    board.clock.advance(50 * HOUR_MS);
    await supported(board, id);
    const decided = await councilTime(board.services.board.read, 0);
    board.clock.advance(-50 * HOUR_MS);
    expect((await data(`/api/v1/council/${id}`)).state).toBe('ratified');
    expect((await data('/api/v1/council')).inEffect.norms).toHaveLength(1);
    expect(decided).toBeGreaterThan(board.clock.now().getTime() * 1000);
  });
});
