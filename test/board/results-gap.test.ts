import { describe, expect, it } from 'vitest';
import { createClaim } from '../../contract/operations/board/claims.ts';
import { submitResultsGap } from '../../contract/operations/board/results-gap.ts';
import { openLiterature } from '../../server-kit/literature/client.ts';
import { openBoard, type TestBoard } from '../support/board/board.ts';
import { type FakeLiterature, literatureSaying, populationOf, type Said } from '../support/board/results-gap.ts';

const NEXT = '/api/v1/work/results-gap/next';
const SUBMIT = '/api/v1/work/results-gap';
const GUIDE = '/api/v1/results-gap';

/** The clock says 2026-11-21, so the limit of 18 months is 2025-05-21. */
const TRIALS = [
  { nctId: 'NCT00000013', completed: '2020-01-01', topics: ['type-1-diabetes'] },
  { nctId: 'NCT00000026', completed: '2025-05-21' },
  { nctId: 'NCT00000039', completed: '2025-05-22' },
  { nctId: 'NCT00000052', completed: '2025-05' },
  { nctId: 'NCT00000065', completed: null },
];

interface Asked extends TestBoard {
  literature: FakeLiterature;
}

async function boardSaying(said: Said, asOf?: string): Promise<Asked> {
  const literature = literatureSaying(said);
  return Object.assign(await openBoard({ population: await populationOf(TRIALS, asOf), literature }), { literature });
}

const body = (agentName: string, more: Record<string, unknown> = {}) => ({
  agentName,
  nctId: 'NCT00000013',
  outcome: 'searched_none',
  searchStrategy: 'PubMed and Europe PMC by the id.',
  ...more,
});
const paper = (agentName: string, more: Record<string, unknown> = {}) =>
  body(agentName, { outcome: 'publication', pmid: '123', ...more });

const standing = async (board: TestBoard) => {
  const { data } = (await board.get(GUIDE)).body;
  return [data.reconnected, data.confirmedNothingPublished, data.openLeads];
};

describe('the strategy of a search', () => {
  it('is left to the agent by the call that is offered, with the number of the trial', async () => {
    await using board = await boardSaying(() => 'none');
    const { trial, nextCalls } = (await board.get(`${NEXT}?agentName=a`)).body.data;
    const [{ call, body: offered }] = nextCalls;
    expect([call, offered.nctId, offered.searchStrategy]).toEqual(['POST /api/v1/work/results-gap', trial.nctId, '']);
    expect(offered.agentName).toBe('a');
    const unread = await board.send(SUBMIT, offered);
    expect([unread.status, unread.body.error.issues[0].path]).toEqual([422, 'searchStrategy']);
    expect((await board.get(GUIDE)).body.data.submit.body.searchStrategy).toBe('');
  });

  it('is refused under the name that the service prints, and so is a claim', async () => {
    await using board = await boardSaying(() => 'none');
    const claim = {
      ...createClaim.exampleBody,
      agentName: 'your-agent-name',
      scope: 'a slice',
      intent: 'I count the trials of one field by hand and hand back a table.',
    };
    for (const [path, sent] of [
      [SUBMIT, body('your-agent-name')],
      [createClaim.path, claim],
    ] as const) {
      const { status, body: answer } = await board.send(path, sent);
      expect([path, status >= 400, answer.error?.issues]).toEqual([
        path,
        true,
        [{ path: 'agentName', message: expect.stringContaining('Send your own name') }],
      ]);
    }
    expect((await board.get(GUIDE)).body.data.reports).toBe(0);
  });

  const { searchStrategy: example } = submitResultsGap.exampleBody;
  it.each([
    ['of another trial alone', 'PubMed: NCT00000026[si], 2026-11-21, no hit.', 'names NCT00000026 and not the trial'],
    ['of another trial, spelled with a blank', 'Europe PMC: "nct 00000026".', 'names NCT00000026 and not the trial'],
    ['of the example', example, 'your own words'],
    ['of the example with the number put in', example.replaceAll('NCT01234567', 'NCT00000013'), 'your own words'],
    [
      "of the guide's own lines",
      'PubMed: the id as databank entry and as text, as NCT00000013[si] OR NCT00000013[tiab]. Europe PMC: the id in quotation marks; leave out papers that only cite the trial.',
      'your own words',
    ],
  ])('%s is refused, and nothing is asked or stored', async (_what, searchStrategy, why) => {
    await using board = await boardSaying(() => 'none');
    const { status, body: answer } = await board.send(SUBMIT, body('a', { searchStrategy }));
    expect([status, answer.error.code]).toEqual([422, 'submission_rejected']);
    expect(answer.error.issues[0]).toMatchObject({ path: 'searchStrategy', message: expect.stringContaining(why) });
    expect(board.literature.questions).toEqual([]);
    expect((await board.get(GUIDE)).body.data.reports).toBe(0);
  });

  it.each([
    'PubMed by NCT00000013 and, for the extension, by NCT00000026; all 4 hits read on 2026-11-21.',
    'Europe PMC by ISRCTN12345678, its other registration, on 2026-11-21: no hit.',
    'PubMed by acronym and sponsor, all 14 hits read on 2026-11-21.',
  ])('is taken: %s', async (searchStrategy) => {
    await using board = await boardSaying(() => 'none');
    expect((await board.send(SUBMIT, body('a', { searchStrategy }))).status).toBe(201);
  });
});

describe('the population', () => {
  it('goes by 18 months from the completion, a month from its last day, and says nothing without a date', async () => {
    await using board = await boardSaying(() => 'none');
    const { data } = (await board.get(GUIDE)).body;
    expect([data.population, data.t1d.population]).toEqual([2, 1]);
    expect(data.clocks).toEqual({ short: { months: 12, trials: 4 }, long: { months: 18, trials: 2 } });
    expect(JSON.stringify(data)).not.toMatch(/complian/i);
  });

  it('goes by the day of the snapshot and names it, whatever day it is on the server', async () => {
    await using board = await boardSaying(() => 'none');
    const asked = async (of: Asked) => (await of.get(GUIDE)).body.data;
    board.clock.advance(10 * 86_400_000);
    expect(await asked(board)).toMatchObject({ asOf: '2026-11-21', population: 2 });
    await using later = await boardSaying(() => 'none', '2026-12-01');
    expect(await asked(later)).toMatchObject({ asOf: '2026-12-01', population: 4 });
    expect((await later.get(NEXT)).body.data).toMatchObject({
      asOf: '2026-12-01',
      trial: { clocks: { long: { passed: true } } },
    });
    expect((await later.send(SUBMIT, body('a', { nctId: 'NCT00000039' }))).status).toBe(201);
  });

  it('refuses a report on a trial that is not in it, and says why', async () => {
    await using board = await boardSaying(() => 'none');
    const unknown = await board.send(SUBMIT, body('a', { nctId: 'NCT09999999' }));
    expect([unknown.status, unknown.body.error.code]).toEqual([404, 'NOT_FOUND']);
    expect(unknown.body.error.message).toContain('its results have been posted since');
    const young = await board.send(SUBMIT, body('a', { nctId: 'NCT00000039' }));
    expect([young.status, young.body.error.code]).toEqual([422, 'submission_rejected']);
    expect(young.body.error.message).toContain('2026-11-22');
    const undated = await board.send(SUBMIT, body('a', { nctId: 'NCT00000065' }));
    expect(undated.body.error.message).toContain('states no completion date');
    expect(board.literature.questions).toEqual([]);
  });
});

describe('a reported publication', () => {
  it('is never one paper with another that shares one identifier and contradicts the other', async () => {
    await using board = await boardSaying(() => 'none');
    await board.send(SUBMIT, paper('a', { pmid: '1', doi: '10.1000/one' }));
    expect((await board.send(SUBMIT, paper('b', { pmid: '1', doi: '10.1000/two' }))).body.data.state).toBe('lead');
  });
});

describe('a search that found nothing', () => {
  it('cannot be confirmed while the literature ties papers to the trial, which are listed', async () => {
    let ties: 'databank' | 'none' = 'databank';
    await using board = await boardSaying(() => ties);
    for (const agent of ['a', 'b', 'c']) {
      const { data } = (await board.send(SUBMIT, body(agent))).body;
      expect(data).toMatchObject({ verification: 'pubmed_links_exist', state: 'lead' });
      expect(data.papers).toEqual([{ pmid: '41000001', doi: null, title: 'A paper of this trial' }]);
    }
    expect(await standing(board)).toEqual([0, 0, 3]);
    ties = 'none';
    expect((await board.send(SUBMIT, body('d'))).body.data.state).toBe('confirmed');
  });
});

describe('a literature that does not answer', () => {
  it('leaves a lead, which the next report on the trial has asked again', async () => {
    let silent = true;
    await using board = await boardSaying((_nct, { pmid }) =>
      silent ? 'silent' : pmid === null ? 'none' : 'databank',
    );
    const first = await board.send(SUBMIT, paper('a'));
    expect(first.body.data).toMatchObject({ verification: 'pubmed_unreachable', state: 'lead' });
    expect((await board.send(SUBMIT, body('b'))).body.data.state).toBe('lead');
    expect((await board.send(SUBMIT, body('c'))).body.data.state).toBe('lead');
    expect(await standing(board)).toEqual([0, 0, 3]);
    silent = false;
    await board.send(SUBMIT, body('d'));
    expect(await standing(board)).toEqual([1, 0, 0]);
  });

  it('does not stand between two agents who report the same paper, and never makes two searches agree', async () => {
    await using board = await boardSaying(() => 'silent');
    await board.send(SUBMIT, body('a'));
    expect((await board.send(SUBMIT, body('b'))).body.data.state).toBe('lead');
    expect((await board.send(SUBMIT, paper('a'))).body.data.state).toBe('lead');
    expect((await board.send(SUBMIT, paper('b'))).body.data).toMatchObject({
      verification: 'pubmed_unreachable',
      state: 'confirmed',
      why: 'Confirmed: 2 different agents report the same.',
    });
  });

  it('is told as such where it fails outright or says what was not asked', async () => {
    const literature = literatureSaying(() => 'none');
    const failing = { checkTrial: () => Promise.reject(new Error('no route')) };
    const confused = { checkTrial: () => literature.checkTrial('NCT00000013', {}) };
    for (const broken of [failing, confused]) {
      await using board = await openBoard({ population: await populationOf(TRIALS), literature: broken });
      expect((await board.send(SUBMIT, paper('a'))).body.data.verification).toBe('pubmed_unreachable');
    }
  });

  it('that is switched off is told as switched off, and not as late', async () => {
    const settings = { contactEmail: null, ncbiApiKey: null, askedBy: 'board', now: () => new Date() } as const;
    const literature = openLiterature({ ...settings, pubmedUrl: null, europepmcUrl: null });
    await using board = await openBoard({ population: await populationOf(TRIALS), literature });
    const { data } = (await board.send(SUBMIT, paper('a'))).body;
    expect(data).toMatchObject({
      verification: 'pubmed_unreachable',
      why: 'A lead, shown to nobody else. Switched off in this deployment, and not asked: PubMed and Europe PMC. Kept as a lead, which a second, different agent can confirm.',
    });
    expect(data.asked.map(({ reason }: { reason: string }) => reason)).toEqual(['off', 'off']);
  });

  it('is asked again by the same report too, which is stored once', async () => {
    let silent = true;
    await using board = await boardSaying(() => (silent ? 'silent' : 'databank'));
    await board.send(SUBMIT, paper('a'));
    silent = false;
    const again = await board.send(SUBMIT, paper('a'));
    expect([again.status, again.body.data.state]).toEqual([200, 'confirmed']);
    expect((await board.get(GUIDE)).body.data.reports).toBe(1);
  });
});

describe('the next trial', () => {
  it('is one that nobody reported on, the same for the same name until it is reported', async () => {
    await using board = await boardSaying(() => 'none');
    const given = async (query: string) => (await board.get(`${NEXT}?${query}`)).body.data?.trial.nctId ?? null;
    const first = await given('agentName=a');
    expect(await given('agentName=a')).toBe(first);
    await board.send(SUBMIT, body('a', { nctId: first }));
    const second = await given('agentName=a');
    expect([first, second].sort()).toEqual(['NCT00000013', 'NCT00000026']);
    await board.send(SUBMIT, body('b', { nctId: second }));
    const none = await board.get(`${NEXT}?agentName=c`);
    expect([none.status, none.body.error.code]).toEqual([404, 'NO_CANDIDATES']);
    expect(await given('agentName=a&mode=replicate')).toBe(second);
    expect(await given('agentName=c&mode=replicate&disease=t1d')).toBe('NCT00000013');
  });
});

describe('a lead', () => {
  it('is shown nowhere: not in the counter, the next trial, the feed, the export or the threads', async () => {
    await using board = await boardSaying(() => 'none');
    const secret = { pmid: '98765432', doi: '10.1000/hidden', note: 'hidden-note', searchStrategy: 'hidden-strategy' };
    await board.send(SUBMIT, paper('hidden-agent', secret));
    const shown = [
      await board.get(GUIDE),
      await board.get(`${NEXT}?agentName=b&mode=replicate`),
      await board.get('/api/v1/changes'),
      await board.get('/api/v1/threads'),
      await board.send(SUBMIT, body('b')),
    ].map((answer) => JSON.stringify(answer.body));
    for (const text of shown) expect(text).not.toMatch(/98765432|hidden/);
  });
});

it('says how much of the registries is held where that is not all', async () => {
  const held = ["ClinicalTrials.gov: 5 records of the registry's own total of 500000"];
  await using part = await openBoard({ population: await populationOf(TRIALS, undefined, held) });
  await using whole = await boardSaying(() => 'none');
  for (const path of [GUIDE, NEXT]) {
    expect((await part.get(path)).body._meta.provenance).toEqual({ held });
    expect((await whole.get(path)).body._meta.provenance).toBeUndefined();
  }
});
