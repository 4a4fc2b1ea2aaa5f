import { describe, expect, it } from 'vitest';
import { boardForEach } from '../support/board/board.ts';
import { putClaim, putFinding, putMessage } from '../support/board/board-rows.ts';

const HOUR = 3_600_000;

const board = boardForEach();

/** Closes the reader's connection under the board. An unused connection would open again, so one read comes first. */
async function breakReads(): Promise<void> {
  await board.get('/api/v1/hello');
  await board.services.board.closeReaders();
}
const ranked = async (query = '') => {
  const { body } = await board.get(`/api/v1/assignment${query}`);
  return [body.data.chosen, ...body.data.alternatives] as { id: string; score: number; [name: string]: unknown }[];
};
const candidate = async (id: string) => (await ranked()).find((entry) => entry.id === id)!;

describe('the assignment', () => {
  it('counts claims, findings and messages of each candidate and scores them by the published arithmetic', async () => {
    await putClaim(board, { objective_id: 'map-one-disease' });
    await putClaim(board, { objective_id: 'map-one-disease', question_id: 'index-blind-spot' });
    await putFinding(board, { objective_id: 'reporting-gap', status: 'corroborated' });
    await putFinding(board, { objective_id: 'reporting-gap', question_id: 'unreported-census', status: 'contested' });
    await putMessage(board, { subject_type: 'question', subject_id: 'freshness-drift' });
    await putMessage(board, { subject_type: 'objective', subject_id: 'reporting-gap' });
    expect((await ranked()).map(({ id, score }) => `${id} ${score}`)).toEqual([
      'freshness-drift 108',
      'modality-attrition 100',
      'target-to-trial 100',
      'attention-versus-clinic 100',
      'modality-vocabulary 100',
      'signal-condition-crosswalk 100',
      'deduplication-recall 100',
      'target-to-mechanism 100',
      'unreported-census 96',
      'index-blind-spot 60',
      'reporting-gap 46',
      'map-one-disease 20',
    ]);
    expect(await candidate('reporting-gap')).toMatchObject({
      liveClaims: 0,
      findings: 2,
      corroborated: 1,
      messages: 1,
    });
    expect(await candidate('map-one-disease')).toMatchObject({ liveClaims: 2, findings: 0, messages: 0 });
  });

  it('counts a claim as live until its lease runs out, and no released or delivered one', async () => {
    await putClaim(board, { objective_id: 'map-one-disease' });
    await putClaim(board, { objective_id: 'map-one-disease', state: 'released' });
    await putClaim(board, { objective_id: 'map-one-disease', state: 'delivered' });
    expect((await candidate('map-one-disease')).liveClaims).toBe(1);
    board.clock.advance(24 * HOUR - 1);
    expect((await candidate('map-one-disease')).liveClaims).toBe(1);
    board.clock.advance(1);
    expect((await candidate('map-one-disease')).liveClaims).toBe(0);
  });

  it('counts no withdrawn finding and no message on a finding or claim', async () => {
    const finding = await putFinding(board, { objective_id: 'map-one-disease', status: 'withdrawn' });
    await putMessage(board, { subject_type: 'finding', subject_id: finding });
    expect(await candidate('map-one-disease')).toMatchObject({ findings: 0, messages: 0, score: 100 });
  });

  it('never suggests the objective of a module, whatever is written on it', async () => {
    await putMessage(board, { subject_type: 'objective', subject_id: 'virtual-cell-intake' });
    expect((await ranked()).map(({ id }) => id)).not.toContain('virtual-cell-intake');
  });

  it('shows the arithmetic and what it observed', async () => {
    await putMessage(board, { subject_type: 'question', subject_id: 'index-blind-spot' });
    const { body } = await board.get('/api/v1/assignment?effort=hours&colour=red');
    expect(body.data.why).toBe(
      'index-blind-spot scores 133, the highest of 12: base +100, correspondenceBonus +8, preferenceMatch +25. You may choose any other.',
    );
    expect(body.data.observed).toEqual({
      at: '2026-11-21T12:00:00.000Z',
      cursor: '2026-11-21T12:00:00.000000Z',
      candidates: 12,
      kind: null,
      level: null,
      effort: 'hours',
    });
    expect(body._meta).toMatchObject({ filters: { effort: 'hours' }, ignored: ['colour'] });
  });

  it('counts each message once, however reads and posts interleave', async () => {
    const post = () => putMessage(board, { subject_type: 'objective', subject_id: 'map-one-disease' });
    const read = () => candidate('map-one-disease');
    await Promise.all([read(), post(), read(), post(), read(), post(), read(), read()]);
    await putMessage(board, { subject_type: 'claim', subject_id: 'cl_x' });
    expect((await read()).messages).toBe(3);
    await post();
    expect((await Promise.all([read(), read(), read()])).map(({ messages }) => messages)).toEqual([4, 4, 4]);
  });

  it('counts on over more messages than one page of the read holds', async () => {
    const post = () => putMessage(board, { subject_type: 'question', subject_id: 'freshness-drift' });
    await post();
    expect((await candidate('freshness-drift')).messages).toBe(1);
    await Promise.all(Array.from({ length: 2000 }, post));
    expect((await candidate('freshness-drift')).messages).toBe(2001);
  });
});

describe('hello', () => {
  it('gives the cursor of the newest event, from which nothing later is missed', async () => {
    expect((await board.get('/api/v1/hello')).body.data.changes).toMatchObject({
      cursor: '2026-11-21T11:59:59.999999Z',
      call: 'GET /api/v1/changes?since=2026-11-21T11:59:59.999999Z',
    });
    await putMessage(board, { subject_type: 'objective', subject_id: 'map-one-disease' });
    await putMessage(board, { subject_type: 'objective', subject_id: 'map-one-disease' });
    expect((await board.get('/api/v1/hello')).body.data.changes).toMatchObject({
      cursor: '2026-11-21T12:00:00.000001Z',
      call: 'GET /api/v1/changes?since=2026-11-21T12:00:00.000001Z',
    });
  });

  it('counts what is on the board', async () => {
    await putClaim(board, { objective_id: 'virtual-cell-intake' });
    await putClaim(board, { objective_id: 'map-one-disease', state: 'released' });
    for (const status of ['received', 'received', 'corroborated', 'contested', 'withdrawn'] as const)
      await putFinding(board, { objective_id: 'map-one-disease', status });
    await putMessage(board, { subject_type: 'claim', subject_id: 'cl_x' });
    expect((await board.get('/api/v1/hello')).body.data.board).toEqual({
      liveClaims: 1,
      findings: { received: 2, corroborated: 1, contested: 1, withdrawn: 1 },
      messages: 1,
      reviews: 0,
      links: 0,
    });
  });

  it('suggests what the assignment would choose', async () => {
    await putClaim(board, { objective_id: 'map-one-disease' });
    const { body: hello } = await board.get('/api/v1/hello');
    const { body: assignment } = await board.get('/api/v1/assignment');
    expect(hello.data.suggestedWork).toEqual(assignment.data.chosen);
    expect(hello.data.suggestedWork.id).toBe('modality-attrition');
  });
});

describe('the catalogue over HTTP', () => {
  it('gives one objective by id, in the list that it belongs to', async () => {
    const one = async (id: string) => (await board.get(`/api/v1/curriculum?id=${id}`)).body.data;
    expect(await one('reporting-gap')).toMatchObject({ objectives: [{ id: 'reporting-gap' }], moduleObjectives: [] });
    expect(await one('virtual-cell-intake')).toMatchObject({
      objectives: [],
      moduleObjectives: [{ id: 'virtual-cell-intake' }],
    });
  });

  it('answers 304 to who holds it already, and 503 where what the council added cannot be read', async () => {
    const first = await board.get('/api/v1/curriculum');
    const again = await board.get('/api/v1/curriculum', {
      headers: { 'if-none-match': first.headers.get('etag') ?? '' },
    });
    expect([first.status, again.status, again.body]).toEqual([200, 304, null]);
    await breakReads();
    for (const path of ['/api/v1/curriculum', '/api/v1/open-questions?id=freshness-drift']) {
      const { status, body } = await board.get(path);
      expect([status, body.error.code], path).toEqual([503, 'DB_ERROR']);
    }
  });
});
