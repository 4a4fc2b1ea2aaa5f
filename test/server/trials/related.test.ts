import { afterEach, beforeAll, beforeEach, describe, expect, inject, it } from 'vitest';
import { loadConfig } from '../../../server-kit/config/config.ts';
import { openLiterature } from '../../../server-kit/literature/client.ts';
import { type FakeLiterature, startFakeLiterature } from '../../fakes/literature-server.ts';
import { type Answer, openGateway, TEST_NOW } from '../../support/gateway.ts';
import { ofFile } from '../../support/of-file.ts';
import { startServer } from '../../support/server-process.ts';

/**
 * A trial of the sample corpus that is in both registries. `otherTrial` below stands for a trial that is cited together
 * with it.
 */
const TRIAL = { canonicalId: 'wt_r1r6vb1x9ja8', nct: 'NCT90000183', isrctn: 'ISRCTN90531804' };
const PATH = `/api/v1/trials/${TRIAL.canonicalId}/related`;

const gateway = ofFile(() => openGateway());
let fake: FakeLiterature;
let otherTrial: { canonicalId: string; nct: string };
beforeAll(async () => {
  const { body } = await gateway.get('/api/v1/trials/search?registry=clinicaltrials_gov&pageSize=5');
  const trials: { canonicalId: string; registrations: { id: string }[] }[] = body.data.trials;
  const other = trials.find(({ canonicalId }) => canonicalId !== TRIAL.canonicalId)!;
  const nct = other.registrations.find(({ id }) => id.startsWith('NCT'))!.id;
  otherTrial = { canonicalId: other.canonicalId, nct };
});
beforeEach(async () => {
  fake = await startFakeLiterature();
  switchOn();
});
afterEach(async () => {
  gateway.index.literature = null;
  await fake.close();
});

function switchOn(urls: { pubmedUrl: string | null; europepmcUrl: string | null } = fake): void {
  gateway.index.literature = openLiterature({
    pubmedUrl: urls.pubmedUrl,
    europepmcUrl: urls.europepmcUrl,
    ncbiApiKey: null,
    contactEmail: null,
    now: () => TEST_NOW,
    askedBy: 'index',
    requestsPerSecond: 1000,
    retryWaitMs: 1,
    budgetMs: 600_000,
    questionMs: 600_000,
  });
}

function down(): void {
  fake.faults = [
    { endpoint: 'esearch', kind: 'down' },
    { endpoint: 'search', kind: 'html' },
  ];
}

async function withoutTables(ask: () => Promise<Answer>): Promise<Answer> {
  const { publications } = gateway.index.store;
  gateway.index.store.publications = () => Promise.reject(new Error('the file is gone'));
  const answer = await ask();
  gateway.index.store.publications = publications;
  return answer;
}

describe('research related to a trial', () => {
  it('has three layers, asks for every identifier, and says of each co-cited one whether it is held', async () => {
    fake.papers = [
      {
        pmid: '11111111',
        doi: '10.1000/a',
        title: 'Results',
        databanks: { 'ClinicalTrials.gov': [TRIAL.nct, otherTrial.nct] },
        abstract: `Also NCT00000102 and ${TRIAL.isrctn}.`,
        openAccess: true,
        citations: 3,
      },
      { pmid: '22222222', title: 'Another', methods: `Registered as ${TRIAL.isrctn}`, in: ['europepmc'] },
    ];
    const { status, headers, body } = await gateway.get(PATH);
    const { registryDeclared, literature, crossRegistryMentions } = body.data;
    expect([status, headers.get('etag'), headers.get('cache-control')]).toEqual([200, null, 'no-store']);
    expect(registryDeclared.state).toBe('answered');
    expect([literature.state, literature.records.length]).toEqual(['answered', 2]);
    expect(literature.records[0]).toEqual({
      pmid: '11111111',
      doi: '10.1000/a',
      title: 'Results',
      journal: 'A Journal',
      year: 2020,
      openAccess: true,
      citations: 3,
      source: 'pubmed',
      matchedIdentifier: TRIAL.nct,
      matchedBy: 'databank',
      isPreprint: false,
      retracted: false,
    });
    expect(literature.records[1]).toMatchObject({ matchedIdentifier: TRIAL.isrctn, matchedBy: 'methods' });
    expect(literature.sources).toMatchObject([
      { source: 'pubmed', state: 'answered', reason: null, cachedAt: TEST_NOW.toISOString(), ageSeconds: 0 },
      { source: 'europepmc', state: 'answered', reason: null },
    ]);
    expect(literature.identifiersAsked).toEqual(expect.arrayContaining([TRIAL.nct, TRIAL.isrctn]));
    expect(crossRegistryMentions.mentions).toEqual(
      [
        {
          id: otherTrial.nct,
          type: 'nct',
          registry: 'clinicaltrials_gov',
          suspect: expect.any(Boolean),
          inIndex: true,
          canonicalId: otherTrial.canonicalId,
          papers: ['pmid:11111111'],
        },
        {
          id: 'NCT00000102',
          type: 'nct',
          registry: 'clinicaltrials_gov',
          suspect: false,
          inIndex: false,
          canonicalId: null,
          papers: ['pmid:11111111'],
        },
      ].sort((a, b) => (a.id < b.id ? -1 : 1)),
    );
  });

  it('is none only where every source answered', async () => {
    const { body } = await gateway.get(PATH);
    expect(body.data.literature).toMatchObject({ state: 'answered', records: [] });
    expect(body.data.crossRegistryMentions).toMatchObject({ state: 'answered', mentions: [] });
  });

  it('is unknown where one source found nothing and the other did not answer', async () => {
    fake.faults = [{ endpoint: 'search', kind: 'html' }];
    const { status, body } = await gateway.get(PATH);
    expect(status).toBe(200);
    expect(body.data.literature).toMatchObject({
      state: 'partial',
      records: null,
      sources: [{ state: 'answered' }, { state: 'unanswered', reason: 'not_the_source', cachedAt: null }],
    });
    expect(body.data.crossRegistryMentions).toMatchObject({ state: 'partial', mentions: null });
  });

  it('keeps the declared layer when no source answers, and says of the others that they are unknown', async () => {
    down();
    const { status, body } = await gateway.get(`/api/v1/trials/${TRIAL.isrctn}/related`);
    expect(status).toBe(200);
    expect(body.data).toMatchObject({
      canonicalId: TRIAL.canonicalId,
      registryDeclared: { state: 'answered', publications: expect.any(Array) },
      literature: { state: 'unanswered', records: null },
      crossRegistryMentions: { state: 'unanswered', mentions: null },
    });
  });

  it('keeps the literature when the declared layer cannot be read', async () => {
    fake.papers = [{ pmid: '1', title: TRIAL.nct }];
    const { status, body } = await withoutTables(() => gateway.get(PATH));
    expect(status).toBe(200);
    expect(body.data).toMatchObject({
      registryDeclared: { state: 'unanswered', publications: null },
      literature: { state: 'answered', records: [{ pmid: '1' }] },
    });
  });

  it.each([
    ['crossref', ['answered', 'answered', 'answered']],
    ['literature,crossref', ['not_asked', 'answered', 'answered']],
    ['literature', ['not_asked', 'answered', 'not_asked']],
  ])('adds the co-cited identifiers for crossref, which removes no layer: include=%s', async (include, states) => {
    fake.papers = [{ pmid: '1', title: `${TRIAL.nct} and ISRCTN12345679` }];
    const { data } = (await gateway.get(`${PATH}?include=${include}`)).body;
    const { registryDeclared, literature, crossRegistryMentions } = data;
    expect([registryDeclared.state, literature.state, crossRegistryMentions.state]).toEqual(states);
    if (states[2] === 'answered') {
      expect(crossRegistryMentions.mentions).toMatchObject([{ id: 'ISRCTN12345679', registry: 'isrctn' }]);
    }
  });

  it('holds each source to the limit for each identifier', async () => {
    fake.papers = Array.from({ length: 4 }, (_, at) => ({ pmid: String(at + 1), title: `Paper on ${TRIAL.nct}` }));
    const { body } = await gateway.get(`${PATH}?include=literature&limit=2`);
    expect(body.data.literature.records.length).toBe(2);
    expect(body.data.literature.sources).toMatchObject([{ beyondLimit: 2 }, { beyondLimit: 2 }]);
  });
});

describe('the settings', () => {
  it('say where the sources are, and who asks', async () => {
    await using server = await startServer('index-server/main.ts', {
      SNAPSHOTS_DIR: inject('sampleSnapshots'),
      PUBMED_URL: fake.pubmedUrl,
      EUROPEPMC_URL: 'off',
      NCBI_API_KEY: 'abc123',
      CONTACT_EMAIL: 'ops@example.org',
    });
    fake.papers = [{ pmid: '1', title: TRIAL.nct }];
    const answer = await fetch(`${server.url}${PATH}`);
    const { data } = (await answer.json()) as { data: { literature: object } };
    expect(data.literature).toMatchObject({
      state: 'answered',
      records: [{ pmid: '1' }],
      sources: [{ state: 'answered' }, { state: 'not_asked', reason: 'off' }],
    });
    expect(fake.requests[0]).toContain('email=ops@example.org&api_key=abc123');
  });

  it.each([['NCBI_API_KEY', 'a key']])('%s stops the start where it is %s', (name, value) => {
    expect(() => loadConfig({ [name]: value }, '/')).toThrow(name);
  });
});

describe('RELATED_RESEARCH_UNAVAILABLE', () => {
  const code = ({ status, body }: Answer): [number, string] => [status, body.error?.code];

  it('is answered where the literature alone was asked and no source answered', async () => {
    down();
    for (const include of ['literature', 'literature,crossref']) {
      expect(code(await gateway.get(`${PATH}?include=${include}`))).toEqual([503, 'RELATED_RESEARCH_UNAVAILABLE']);
    }
  });

  it('is answered where the literature alone was asked of a deployment that asks no source', async () => {
    switchOn({ pubmedUrl: null, europepmcUrl: null });
    expect(code(await gateway.get(`${PATH}?include=literature`))).toEqual([503, 'RELATED_RESEARCH_UNAVAILABLE']);
    expect((await gateway.get(PATH)).body.data.literature).toMatchObject({ state: 'unavailable', records: null });
  });
});
