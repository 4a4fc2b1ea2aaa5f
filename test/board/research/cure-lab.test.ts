import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { openBoard, type TestBoard } from '../../support/board/board.ts';
import {
  CLAIM_OF_EVIDENCE,
  EVIDENCE,
  type FakePapers,
  HYPOTHESES,
  HYPOTHESIS,
  type PaperSaid,
  papersSaying,
} from '../../support/board/cure-lab.ts';
import type { Answer } from '../../support/gateway.ts';

let board: TestBoard;
let papers: FakePapers;
beforeEach(async () => {
  papers = papersSaying(() => 'found');
  board = await openBoard({ literature: papers });
});
afterEach(() => board[Symbol.asyncDispose]());

type Fields = Record<string, unknown>;
const submit = (more: Fields = {}, headers = {}): Promise<Answer> =>
  board.send(EVIDENCE, { ...CLAIM_OF_EVIDENCE, ...more }, headers);
const propose = (more: Fields = {}): Promise<Answer> => board.send(HYPOTHESES, { ...HYPOTHESIS, ...more });
const issuesOf = ({ body }: Answer): string[] => body.error.issues.map(({ path }: { path: string }) => path);

describe('the source of a claim', () => {
  const nct = { pmid: null, nctId: 'NCT04233034' };
  it.each<[string, Fields, string[]]>([
    ['none', { pmid: null }, ['pmid']],
    ['two papers', { doi: '10.1000/x' }, ['pmid']],
    ['a paper and a trial', { nctId: 'NCT04233034', evidenceClass: 'E5' }, ['pmid']],
    ['a trial for E1', { ...nct, evidenceClass: 'E1' }, ['nctId']],
    ['a trial for E2', { ...nct, evidenceClass: 'E2' }, ['nctId']],
    ['a trial for E3', { ...nct, evidenceClass: 'E3' }, ['nctId']],
    ['E1 without a population', { population: null }, ['population']],
    ['E2 with a blank population', { evidenceClass: 'E2', population: ' ' }, ['population']],
    ['a pmid with letters', { pmid: 'PMC8714853' }, ['pmid']],
    ['a doi with a control character', { pmid: null, doi: '10.1000/a\u0000b' }, ['doi']],
    ['a doi without its prefix', { pmid: null, doi: 'jama.2023.2064' }, ['doi']],
    ['a trial of another registry', { pmid: null, nctId: 'ISRCTN12345678', evidenceClass: 'E5' }, ['nctId']],
    ['a value without units', { units: null }, ['units']],
  ])('is refused: %s', async (_what, more, issues) => {
    const answer = await submit(more);
    expect([answer.status, answer.body.error.code, issuesOf(answer)]).toEqual([422, 'submission_rejected', issues]);
    expect(papers.asked).toEqual([]);
  });

  it.each<[string, Fields, string]>([
    ['E3 without a population', { evidenceClass: 'E3', population: null }, '36826844'],
    ['E4 by a trial', { ...nct, evidenceClass: 'E4' }, 'NCT04233034'],
    ['E5 by a trial in small letters', { pmid: null, nctId: ' nct04233034 ', evidenceClass: 'E5' }, 'NCT04233034'],
    ['a doi as its address', { pmid: null, doi: 'https://doi.org/10.1001/JAMA.2023.2064' }, '10.1001/jama.2023.2064'],
    ['a doi with its prefix', { pmid: null, doi: 'doi:10.1001/JAMA.2023.2064' }, '10.1001/jama.2023.2064'],
    ['no value and no units', { value: null, units: null }, '36826844'],
  ])('is taken in its one form: %s', async (_what, more, id) => {
    const { status, body } = await submit(more);
    expect([status, body.data.source.id]).toEqual([201, id]);
  });

  it('written in two ways is one claim', async () => {
    const first = await submit({ pmid: null, doi: '10.1001/jama.2023.2064' });
    const again = await submit({ pmid: null, doi: 'https://dx.doi.org/10.1001/JAMA.2023.2064' });
    expect([first.status, again.status, again.body.data.id]).toEqual([201, 200, first.body.data.id]);
  });
});

describe('the check of a source', () => {
  it.each<[PaperSaid, string]>([
    ['found', 'verified'],
    ['not_found', 'not_found'],
    ['unreachable', 'unverified'],
    ['broken', 'unverified'],
  ])('that came out %s is kept with the claim as %s', async (said, state) => {
    await using other = await openBoard({ literature: papersSaying(() => said) });
    const { status, body } = await other.send(EVIDENCE, CLAIM_OF_EVIDENCE);
    expect([status, body.data.source.state]).toEqual([201, state]);
    expect(body.data.source.paper).toEqual(
      state === 'verified'
        ? { title: 'A paper', year: 2023, journal: 'A Journal', pmid: '36826844', doi: null, retracted: false }
        : null,
    );
    expect(body.data.source.checkedAt === null).toBe(state === 'unverified');
    const { checks, notKnown } = (await other.get(`${EVIDENCE}/${body.data.id}`)).body.data;
    expect(checks.map((check: { state: string }) => check.state)).toEqual([state]);
    expect(notKnown.some((text: string) => text.startsWith('Whether the source exists'))).toBe(state === 'unverified');
  });

  it('without a literature index is none, and never not found', async () => {
    await using other = await openBoard();
    expect((await other.send(EVIDENCE, CLAIM_OF_EVIDENCE)).body.data.source.state).toBe('unverified');
  });

  it.each<[PaperSaid, number, string]>([
    ['unreachable', 6, 'unverified'],
    ['not_found', 24, 'not_found'],
    ['found', 720, 'verified'],
  ])('that came out %s is made again by a read after %i hours and not before', async (said, hours, state) => {
    let saying = said;
    const literature = papersSaying(() => saying);
    await using other = await openBoard({ literature });
    const { id } = (await other.send(EVIDENCE, CLAIM_OF_EVIDENCE)).body.data;
    saying = said === 'found' ? 'unreachable' : 'found';
    const read = async () => (await other.get(`${EVIDENCE}/${id}`)).body.data;
    other.clock.advance(hours * 3_600_000 - 1000);
    expect([(await read()).claim.source.state, literature.asked.length]).toEqual([state, 1]);
    other.clock.advance(1000);
    const after = await read();
    expect(literature.asked).toHaveLength(2);
    // A verified source stays verified while the index does not answer.
    expect([after.claim.source.state, after.checksTotal]).toEqual(['verified', 2]);
    expect(after.checks.map((check: { state: string }) => check.state)).toEqual([
      said === 'found' ? 'unverified' : 'verified',
      state,
    ]);
    await read();
    expect(literature.asked).toHaveLength(2);
  });

  it('is shared by every claim on the source, and made once for those that come together', async () => {
    await Promise.all([submit(), submit({ agentName: 'bob' }), submit({ agentName: 'eve', direction: 'contradicts' })]);
    expect(papers.asked).toEqual(['36826844']);
    const { id } = (await submit({ agentName: 'dan' })).body.data;
    expect(papers.asked).toHaveLength(1);
    expect((await board.get(`${EVIDENCE}/${id}`)).body.data).toMatchObject({
      checksTotal: 1,
      sameSource: { total: 3 },
    });
  });

  it('is not made for a replay, for an identical claim or for a body that is refused', async () => {
    const key = { 'idempotency-key': 'evidence-key-1' };
    const first = await submit({}, key);
    board.clock.advance(3_600_000);
    const replayed = await submit({}, key);
    expect([replayed.status, replayed.body.data.id]).toEqual([201, first.body.data.id]);
    expect(replayed.headers.get('idempotency-replayed')).toBe('true');
    await submit();
    const refused = await submit({ pmid: '11111111', hypothesisId: 'hyp_000000000000000000' });
    expect([refused.status, issuesOf(refused)]).toEqual([422, ['hypothesisId']]);
    expect(papers.asked).toEqual(['36826844']);
    expect((await submit({ agentName: 'another' }, key)).body.error.code).toBe('IDEMPOTENCY_KEY_REUSED');
  });

  it('is begun by at most four reads at a time; a further one shows what is known', async () => {
    let release = (): void => {};
    const gate = new Promise<void>((resolve) => {
      release = resolve;
    });
    let isHeld = false;
    const literature = papersSaying(() => 'unreachable');
    const { paper } = literature;
    literature.paper = async (of) => {
      const answer = await paper(of);
      if (isHeld) await gate;
      return answer;
    };
    await using other = await openBoard({ literature });
    const ids: string[] = [];
    for (const pmid of ['1', '2', '3', '4', '5']) {
      ids.push((await other.send(EVIDENCE, { ...CLAIM_OF_EVIDENCE, pmid })).body.data.id);
    }
    isHeld = true;
    other.clock.advance(7 * 3_600_000);
    const held = ids.slice(0, 4).map((id) => other.get(`${EVIDENCE}/${id}`));
    while (literature.asked.length < 9) await new Promise(setImmediate);
    expect((await other.get(`${EVIDENCE}/${ids[4]}`)).body.data.checksTotal).toBe(1);
    release();
    const answers = await Promise.all(held);
    expect(answers.map(({ body }) => body.data.checksTotal)).toEqual([2, 2, 2, 2]);
  });

  it.each([
    [null, 'unverified'],
    [true, 'verified'],
    [false, 'not_found'],
  ])('of a trial that the index answers %s for is %s', async (held, state) => {
    const current = held === null ? null : { has: () => held };
    Object.assign(board.services, { trialIds: { current } });
    const { body } = await submit({ pmid: null, nctId: 'NCT04233034', evidenceClass: 'E5' });
    expect(body.data.source).toMatchObject({ kind: 'nctId', state, paper: null });
    expect(papers.asked).toEqual([]);
  });
});

describe('a trace', () => {
  it('shows the other claims on the source, the cohort and the hypothesis, and what is contradicted', async () => {
    const hypothesisId = (await propose()).body.data.id;
    const one = (await submit({ hypothesisId })).body.data;
    const onSource = (await submit({ direction: 'contradicts', cohortKey: null })).body.data;
    const onCohort = (await submit({ pmid: '41000001', cohortKey: ' CLVER-verapamil', diseaseStage: null })).body.data;
    const onHypothesis = (await submit({ pmid: '41000002', cohortKey: null, track: 'A', hypothesisId })).body.data;
    const { data } = (await board.get(`${EVIDENCE}/${one.id}`)).body;
    const ids = (part: { claims: { id: string }[] }): string[] => part.claims.map(({ id }) => id);
    expect(ids(data.sameSource)).toEqual([onSource.id]);
    expect(ids(data.sameCohort)).toEqual([onCohort.id]);
    expect(ids(data.sameHypothesis)).toEqual([onHypothesis.id]);
    expect(data.contradictions).toEqual([
      { kind: 'outcome', about: 'type-1-diabetes/B/c-peptide-preserved/new-onset' },
      { kind: 'paper', about: 'pmid:36826844' },
    ]);
    expect(data.notKnown[0]).toMatch(/Whether the source says what the claim says/);
    for (const { call } of [...data.nextCalls, { call: data.sameSource.all }, { call: data.sameCohort.all }]) {
      expect((await board.get(call.slice('GET '.length))).status).toBe(200);
    }
  });
});

describe('the list of evidence', () => {
  it('takes every filter', async () => {
    Object.assign(board.services, { trialIds: { current: { has: () => true } } });
    const hypothesisId = (await propose()).body.data.id;
    await submit({ diseaseStage: 'established', hypothesisId });
    await submit({ pmid: null, doi: '10.1000/ABC', direction: 'contradicts', track: 'C', agentName: 'bob' });
    await submit({
      pmid: null,
      nctId: 'NCT04233034',
      evidenceClass: 'E5',
      disease: 'obesity',
      outcomeCategory: 'other',
    });
    const counts: Record<string, number> = {
      '': 3,
      'stage=established': 1,
      'stage=new-onset': 2,
      'track=C': 1,
      'direction=contradicts': 1,
      'evidenceClass=E5': 1,
      'outcomeCategory=other': 1,
      'disease=obesity': 1,
      'pmid=36826844': 1,
      'doi=https%3A%2F%2Fdoi.org%2F10.1000%2Fabc': 1,
      'nctId=nct04233034': 1,
      'cohortKey=Clver-Verapamil': 3,
      'agentName=bob': 1,
      [`hypothesisId=${hypothesisId}`]: 1,
      'stage=new-onset&track=C&direction=supports': 0,
    };
    const totals: Record<string, number> = {};
    for (const query of Object.keys(counts)) {
      const { body } = await board.get(`${EVIDENCE}?${query}`);
      expect(body.data.evidence).toHaveLength(body._meta.pagination.total);
      totals[query] = body._meta.pagination.total;
    }
    expect(totals).toEqual(counts);
  });
});
