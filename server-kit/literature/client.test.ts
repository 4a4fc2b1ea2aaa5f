import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { type FakeFault, type FakeLiterature, startFakeLiterature } from '../../test/fakes/literature-server.ts';
import { type Literature, type LiteratureOptions, openLiterature } from './client.ts';

const NCT = 'NCT01234567';
const LINKED = {
  pmid: '11111111',
  doi: '10.1000/Linked',
  title: 'Results of a trial of <something> & more',
  databanks: { 'ClinicalTrials.gov': [NCT, 'NCT07654321'] },
  year: 2021,
  openAccess: true,
  citations: 7,
};
const NAMED = { pmid: '22222222', title: 'Another paper', abstract: `Registered as ${NCT}; see also ISRCTN12345678.` };
const IN_METHODS = { pmid: '33333333', title: 'A third paper', methods: `Registered as ${NCT}.` };
const AMPLE_MS = 600_000;
const UNRELATED = { pmid: '44444444', doi: '10.1000/other', title: 'About nothing of it' };

let fake: FakeLiterature;
let clock: Date;
beforeEach(async () => {
  fake = await startFakeLiterature();
  clock = new Date('2026-11-22T00:00:00Z');
});
afterEach(() => fake.close());

function open(options: Partial<LiteratureOptions> = {}): Literature {
  return openLiterature({
    pubmedUrl: fake.pubmedUrl,
    europepmcUrl: fake.europepmcUrl,
    ncbiApiKey: null,
    contactEmail: null,
    now: () => clock,
    askedBy: 'index',
    requestsPerSecond: 1000,
    retryWaitMs: 1,
    // Long enough for a busy machine; tests of time limits set shorter ones.
    budgetMs: AMPLE_MS,
    questionMs: AMPLE_MS,
    ...options,
  });
}

describe('checking a trial for any paper', () => {
  it('finds a paper by its databank entry and asks nobody further', async () => {
    fake.papers = [LINKED, UNRELATED];
    const checked = await open().checkTrial(NCT, {});
    expect(checked).toEqual({
      class: 'pubmed_links_exist',
      papers: [
        {
          pmid: '11111111',
          doi: '10.1000/linked',
          title: 'Results of a trial of <something> & more',
          journal: 'A Journal',
          year: 2021,
          openAccess: null,
          citations: null,
          source: 'pubmed',
          matchedIdentifier: NCT,
          matchedBy: 'databank',
          isPreprint: false,
          retracted: false,
        },
      ],
      asked: [
        { source: 'pubmed', state: 'answered', at: '2026-11-22T00:00:00.000Z', ageSeconds: 0, reason: null },
        { source: 'europepmc', state: 'not_asked', at: null, ageSeconds: null, reason: null },
      ],
    });
    expect(fake.requests.map((request) => request.split('?')[0])).toEqual([
      '/pubmed/esearch.fcgi',
      '/pubmed/efetch.fcgi',
    ]);
  });

  it('finds by title and abstract what no databank lists, then by methods what PubMed does not have', async () => {
    fake.papers = [NAMED];
    const named = await open().checkTrial(NCT, {});
    expect([named.class, named.papers.map(({ pmid, matchedBy }) => [pmid, matchedBy])]).toEqual([
      'pubmed_links_exist',
      [['22222222', 'abstract']],
    ]);
    fake.papers = [IN_METHODS];
    const methods = await open().checkTrial(NCT, {});
    expect([methods.class, methods.papers.map(({ source, matchedBy }) => [source, matchedBy])]).toEqual([
      'pubmed_links_exist',
      [['europepmc', 'methods']],
    ]);
  });

  it('takes a paper of the one source although the other is down', async () => {
    fake.papers = [{ ...NAMED, in: ['europepmc'] }];
    fake.faults = [{ endpoint: 'esearch', kind: 'down' }];
    const checked = await open().checkTrial(NCT, {});
    expect(checked.class).toBe('pubmed_links_exist');
    expect(checked.asked).toMatchObject([{ state: 'unanswered', reason: 'unreachable' }, { state: 'answered' }]);
  });

  it('does not take a longer number for the identifier', async () => {
    fake.papers = [{ pmid: '5', title: 'x', abstract: `About ${NCT}8 and X${NCT}.`, in: ['pubmed'] }];
    const checked = await open().checkTrial(NCT, {});
    expect(checked.class).toBe('pubmed_unreachable');
    expect(checked.asked[0]).toMatchObject({ state: 'unanswered', reason: 'another_id' });
  });
});

describe('checking a trial for the paper that is claimed', () => {
  it.each([
    ['registry_linked', LINKED, { pmid: '11111111' }],
    ['registry_linked', LINKED, { doi: '10.1000/LINKED' }],
    ['registry_linked', LINKED, { pmid: '11111111', doi: '10.1000/linked' }],
    ['abstract_mentions', NAMED, { pmid: '22222222' }],
    ['abstract_mentions', { ...NAMED, doi: '10.1000/p', in: ['europepmc' as const] }, { doi: '10.1000/p' }],
    ['unverified', LINKED, { pmid: '11111111', doi: '10.1000/other' }],
    ['unverified', UNRELATED, { pmid: '44444444' }],
    ['unverified', IN_METHODS, { pmid: '33333333' }],
    ['unverified', UNRELATED, { pmid: '999' }],
  ])('is %s for %o claimed by %o', async (verdict, paper, claim) => {
    fake.papers = [paper, { ...UNRELATED, pmid: '1' }];
    const checked = await open().checkTrial(NCT, claim);
    expect(checked.class).toBe(verdict);
    expect(checked.papers.length).toBe(verdict === 'unverified' ? 0 : 1);
  });
});

describe('a source that does not answer', () => {
  const cases: [string, FakeFault][] = [
    ['server_error', { endpoint: 'esearch', kind: 'status', status: 502 }],
    ['rate_limited', { endpoint: 'esearch', kind: 'status', status: 429, headers: { 'retry-after': '3600' } }],
    ['refused', { endpoint: 'esearch', kind: 'status', status: 403 }],
    ['refused', { endpoint: 'esearch', kind: 'status', status: 302, headers: { location: 'http://127.0.0.1:9/' } }],
    ['not_the_source', { endpoint: 'esearch', kind: 'html' }],
    ['malformed', { endpoint: 'esearch', kind: 'body', body: '{"esearchresult":{"count":"0","idl' }],
    [
      'malformed',
      { endpoint: 'esearch', kind: 'body', body: '{"esearchresult":{"ERROR":"x","count":"0","idlist":[]}}' },
    ],
    ['malformed', { endpoint: 'esearch', kind: 'body', body: '{"error":"API rate limit exceeded","count":"4"}' }],
    ['partial', { endpoint: 'esearch', kind: 'partial' }],
    ['another_id', { endpoint: 'esearch', kind: 'other-ids' }],
    ['another_id', { endpoint: 'efetch', kind: 'other-ids' }],
    ['partial', { endpoint: 'efetch', kind: 'partial' }],
    ['malformed', { endpoint: 'efetch', kind: 'body', body: '<PubmedArticleSet><PubmedArticle>' }],
    ['malformed', { endpoint: 'efetch', kind: 'body', body: `${'<a>'.repeat(5000)}${'</a>'.repeat(5000)}` }],
    [
      'malformed',
      {
        endpoint: 'efetch',
        kind: 'body',
        body: '<!DOCTYPE x [<!ENTITY a "aaaa"><!ENTITY b "&a;&a;&a;">]><PubmedArticleSet>&b;</PubmedArticleSet>',
      },
    ],
    ['unreachable', { endpoint: 'efetch', kind: 'cut' }],
    ['timeout', { endpoint: 'efetch', kind: 'drip' }],
    ['too_large', { endpoint: 'efetch', kind: 'huge', bytes: 300_000 }],
  ];

  it.each(cases)('is named %s, reported once, and never none: %o', async (reason, fault) => {
    fake.papers = [{ ...LINKED, in: ['pubmed'] }];
    fake.faults = [fault];
    const faults: string[] = [];
    const onFault: LiteratureOptions['onFault'] = ({ source, reason: of }) => faults.push(`${source} ${of}`);
    const literature = open({ questionMs: reason === 'timeout' ? 400 : AMPLE_MS, maxBodyBytes: 100_000, onFault });
    const checked = await literature.checkTrial(NCT, {});
    expect([checked.class, checked.papers]).toEqual(['pubmed_unreachable', []]);
    expect(checked.asked[0]).toEqual({ source: 'pubmed', state: 'unanswered', at: null, ageSeconds: null, reason });
    expect(faults).toEqual([`pubmed ${reason}`]);
  });

  it('is asked once more after a short pause, and no more', async () => {
    fake.faults = [{ endpoint: 'esearch', kind: 'status', status: 503, times: 1 }];
    expect((await open().checkTrial(NCT, {})).class).toBe('pubmed_none');
    fake.requests.length = 0;
    fake.faults = [{ endpoint: 'esearch', kind: 'status', status: 503 }];
    await open().checkTrial(NCT, {});
    expect(fake.requests.filter((request) => request.includes('esearch')).length).toBe(2);
  });

  it('is not remembered: the next call asks again', async () => {
    fake.papers = [LINKED];
    fake.faults = [
      { endpoint: 'esearch', kind: 'html', times: 1 },
      { endpoint: 'search', kind: 'html', times: 1 },
    ];
    const literature = open();
    expect((await literature.checkTrial(NCT, {})).class).toBe('pubmed_unreachable');
    expect((await literature.checkTrial(NCT, {})).class).toBe('pubmed_links_exist');
  });

  it('holds a caller no longer than its budget, and no longer than it stays', async () => {
    fake.faults = [
      { endpoint: 'esearch', kind: 'drip' },
      { endpoint: 'search', kind: 'drip' },
    ];
    const literature = open({ budgetMs: 150, questionMs: 2_000 });
    expect((await literature.checkTrial(NCT, {})).class).toBe('pubmed_unreachable');
    const gone = await literature.checkTrial(NCT, {}, AbortSignal.abort());
    expect(gone.asked).toMatchObject([{ reason: 'timeout' }, { reason: 'timeout' }]);
  });

  it('that is switched off is not asked, and its silence proves nothing', async () => {
    const europepmcOnly = await open({ pubmedUrl: null }).checkTrial(NCT, {});
    expect(europepmcOnly).toMatchObject({
      class: 'pubmed_unreachable',
      asked: [{ state: 'not_asked', reason: 'off' }, {}],
    });
    const pubmedOnly = await open({ europepmcUrl: null }).checkTrial(NCT, {});
    expect(pubmedOnly).toMatchObject({ class: 'pubmed_none', asked: [{}, { state: 'not_asked', reason: 'off' }] });
    expect(open({ pubmedUrl: null, europepmcUrl: null }).isOn).toBe(false);
  });
});

describe('answers that are kept', () => {
  it('are given again with their age, found ones for longer than none', async () => {
    fake.papers = [LINKED];
    const literature = open();
    await literature.checkTrial(NCT, {});
    await literature.checkTrial('NCT00000002', {});
    const asked = fake.requests.length;
    clock = new Date('2026-11-22T00:59:59Z');
    const again = await literature.checkTrial(NCT, {});
    expect(again.asked[0]).toMatchObject({ at: '2026-11-22T00:00:00.000Z', ageSeconds: 3599 });
    await literature.checkTrial('NCT00000002', {});
    expect(fake.requests.length).toBe(asked);
    clock = new Date('2026-11-22T02:00:00Z');
    await literature.checkTrial(NCT, {});
    expect(fake.requests.length).toBe(asked);
    await literature.checkTrial('NCT00000002', {});
    expect(fake.requests.length).toBe(asked + 3);
    clock = new Date('2026-11-22T12:00:01Z');
    await literature.checkTrial(NCT, {});
    expect(fake.requests.length).toBe(asked + 5);
  });

  it('are shared by questions that are asked at once', async () => {
    fake.papers = [LINKED];
    const literature = open();
    await Promise.all(Array.from({ length: 20 }, () => literature.checkTrial(NCT, {})));
    expect(fake.requests.length).toBe(2);
  });

  it('are bounded in number: the one that was used least lately goes first', async () => {
    const literature = open({ cache: { maxEntries: 3, maxBytes: 1_000_000 } });
    await literature.checkTrial(NCT, {});
    await literature.checkTrial('NCT00000002', {});
    fake.requests.length = 0;
    await literature.checkTrial('NCT00000002', {});
    expect(fake.requests.length).toBe(0);
    await literature.checkTrial(NCT, {});
    expect(fake.requests.length).toBe(3);
  });
});

describe('what the sources are sent', () => {
  it('is the tool, the address and the key, and an identifier cannot break out of its term', async () => {
    await open({ ncbiApiKey: 'abc123', contactEmail: 'ops@example.org' }).checkTrial('NCT1"[si] OR all[sb]', {});
    expect(fake.requests[0]).toBe(
      '/pubmed/esearch.fcgi?db=pubmed&tool=trial-board&email=ops@example.org&api_key=abc123&term="NCT1[si] OR all[sb]"[si]&retmode=json&retmax=20',
    );
    expect([...fake.agents]).toEqual(['trial-board/0.1 (ops@example.org)']);
  });

  it('never exceeds the rate in any second', async () => {
    const literature = open({ requestsPerSecond: 3, europepmcUrl: null });
    await Promise.all(['NCT00000001', 'NCT00000002', 'NCT00000003'].map((id) => literature.checkTrial(id, {})));
    const gaps = fake.times.slice(3).map((time, at) => time - fake.times[at]!);
    expect(fake.times.length).toBe(6);
    // On a busy machine a request may arrive late, which shortens the gap after it. Without a rate limit each gap would
    // be near 0.
    expect(Math.min(...gaps)).toBeGreaterThanOrEqual(500);
  });

  it('is refused here once more wait than any caller would wait for', async () => {
    const literature = open({ requestsPerSecond: 1, budgetMs: 300, europepmcUrl: null });
    const checks = ['NCT00000001', 'NCT00000002', 'NCT00000003', 'NCT00000004'].map((id) =>
      literature.checkTrial(id, {}),
    );
    const reasons = (await Promise.all(checks)).map(({ asked }) => asked[0]!.reason);
    expect(reasons).toContain('busy');
  });
});

describe('mentions of several identifiers', () => {
  it('gives each paper once, completed by what the other source says', async () => {
    fake.papers = [LINKED, NAMED, IN_METHODS, { doi: '10.1000/pre', title: `A preprint on ${NCT}`, in: ['europepmc'] }];
    const found = await open().mentions([NCT, 'ISRCTN12345678'], { limit: 10 });
    expect(found.complete).toBe(true);
    expect(
      found.found.map(({ record }) => [
        record.pmid ?? record.doi,
        record.matchedIdentifier,
        record.matchedBy,
        record.citations,
      ]),
    ).toEqual([
      ['11111111', NCT, 'databank', null],
      ['22222222', NCT, 'abstract', 0],
      ['33333333', NCT, 'methods', 0],
      ['10.1000/pre', NCT, 'abstract', 0],
    ]);
    expect(found.found[3]!.record.isPreprint).toBe(true);
  });

  it('says how many there are beyond the limit', async () => {
    fake.papers = Array.from({ length: 12 }, (_, at) => ({ ...NAMED, pmid: String(500 + at), doi: `10.1000/${at}` }));
    const found = await open().mentions([NCT], { limit: 3 });
    expect(found.sources.map(({ beyondLimit }) => beyondLimit)).toEqual([9, 9]);
    expect(found.found.length).toBe(3);
  });

  it('names the identifiers that a source did not answer for, and is not complete', async () => {
    fake.papers = [NAMED];
    fake.faults = [{ endpoint: 'search', kind: 'html', times: 1 }];
    const found = await open().mentions([NCT, 'ISRCTN12345678'], { limit: 10 });
    expect([found.complete, found.anyAnswer, found.found.length]).toEqual([false, true, 1]);
    expect(found.sources).toMatchObject([
      { source: 'pubmed', state: 'answered', unanswered: [], reason: null },
      { source: 'europepmc', state: 'unanswered', reason: 'not_the_source', beyondLimit: null },
    ]);
    expect(found.sources[1]!.unanswered.length).toBe(1);
  });
});
