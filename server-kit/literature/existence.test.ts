import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { type FakeLiterature, startFakeLiterature } from '../../test/fakes/literature-server.ts';
import { type Literature, openLiterature } from './client.ts';

const NOW = new Date('2026-11-21T12:00:00.000Z');
const PAPERS = [
  { pmid: '36826844', doi: '10.1001/jama.2023.2064', title: 'Verapamil and C-peptide', journal: 'JAMA', year: 2023 },
  { pmid: '41000001', doi: '10.1000/withdrawn', title: 'Withdrawn', types: ['Retracted Publication'] },
  { doi: '10.1101/preprint', title: 'Only a preprint', in: ['europepmc' as const] },
];

let fake: FakeLiterature;
beforeAll(async () => {
  fake = await startFakeLiterature(PAPERS);
});
afterAll(() => fake.close());
beforeEach(() => {
  fake.faults.length = 0;
  fake.requests.length = 0;
});

function opened(more: { pubmedUrl?: string | null } = {}): Literature {
  const { pubmedUrl, europepmcUrl } = fake;
  const settings = { pubmedUrl, europepmcUrl, ncbiApiKey: null, contactEmail: null, ...more };
  return openLiterature({ ...settings, now: () => NOW, askedBy: 'board', requestsPerSecond: 100, retryWaitMs: 0 });
}

describe('whether a paper exists', () => {
  it.each([
    [{ pmid: '36826844' }, 'Verapamil and C-peptide', 2023, false],
    [{ doi: '10.1001/JAMA.2023.2064' }, 'Verapamil and C-peptide', 2023, false],
    [{ pmid: '41000001' }, 'Withdrawn', 2020, true],
  ])('PubMed says of %j, and nobody else is asked', async (of, title, year, retracted) => {
    const answer = await opened().paper(of);
    expect(answer).toMatchObject({ state: 'found', title, year, retracted });
    expect(answer.asked).toMatchObject([
      { source: 'pubmed', state: 'answered' },
      { source: 'europepmc', state: 'not_asked' },
    ]);
    expect(fake.requests.some((request) => request.startsWith('/europepmc'))).toBe(false);
  });

  it('Europe PMC says of what PubMed does not hold', async () => {
    const answer = await opened().paper({ doi: '10.1101/preprint' });
    expect(answer).toMatchObject({ state: 'found', pmid: null, doi: '10.1101/preprint', title: 'Only a preprint.' });
  });

  it('takes an answer of both to say that there is none', async () => {
    expect(await opened().paper({ pmid: '99999999' })).toMatchObject({ state: 'not_found', title: null, doi: null });
    fake.faults.push({ endpoint: 'search', kind: 'status', status: 503 });
    const answer = await opened().paper({ pmid: '99999998' });
    expect(answer).toMatchObject({ state: 'unreachable', asked: [{ state: 'answered' }, { state: 'unanswered' }] });
  });

  it('is found in one source while the other does not answer', async () => {
    fake.faults.push({ endpoint: 'esearch', kind: 'down' });
    expect(await opened().paper({ pmid: '36826844' })).toMatchObject({ state: 'found', pmid: '36826844' });
  });

  it('is not denied by an answer about something else, or by one source alone', async () => {
    fake.faults.push({ endpoint: 'efetch', kind: 'other-ids' }, { endpoint: 'search', kind: 'other-ids' });
    expect((await opened().paper({ pmid: '36826844' })).state).toBe('unreachable');
    fake.faults.length = 0;
    expect((await opened({ pubmedUrl: null }).paper({ pmid: '99999999' })).state).toBe('unreachable');
  });
});
