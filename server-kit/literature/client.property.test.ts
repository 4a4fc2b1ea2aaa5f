import fc from 'fast-check';
import { expect, it } from 'vitest';
import {
  type Endpoint,
  type FakeFault,
  type FakePaper,
  startFakeLiterature,
} from '../../test/fakes/literature-server.ts';
import { amountOf } from '../../test/support/runner/amount.ts';
import { openLiterature } from './client.ts';

const NCT = 'NCT01234567';

const misbehaviour = fc.constantFrom<Record<string, unknown>>(
  { kind: 'status', status: 500 },
  { kind: 'status', status: 429, headers: { 'retry-after': '0' } },
  { kind: 'status', status: 404 },
  { kind: 'html' },
  { kind: 'other-ids' },
  { kind: 'partial' },
  { kind: 'cut' },
  { kind: 'drip' },
  { kind: 'down' },
  { kind: 'huge', bytes: 60_000 },
  { kind: 'body', body: '' },
  { kind: 'body', body: 'null' },
  { kind: 'body', body: '{"esearchresult":{"count":"0"},"hitCount":0}' },
  { kind: 'body', body: '<PubmedArticleSet></PubmedArticleSet>' },
);

const faults = fc.array(
  fc
    .tuple(
      fc.constantFrom<Endpoint>('esearch', 'efetch', 'search'),
      misbehaviour,
      fc.option(fc.integer({ min: 1, max: 3 })),
    )
    .map(([endpoint, kind, times]) => ({ endpoint, ...kind, ...(times === null ? {} : { times }) }) as FakeFault),
  { maxLength: 4 },
);

const papers = fc
  .array(
    fc.record({
      linked: fc.boolean(),
      named: fc.boolean(),
      methods: fc.boolean(),
      in: fc.constantFrom<('pubmed' | 'europepmc')[]>(['pubmed'], ['europepmc'], ['pubmed', 'europepmc']),
    }),
    { maxLength: 3 },
  )
  .map((list) =>
    list.map(
      (one, at): FakePaper => ({
        pmid: String(1000 + at),
        title: 'A paper',
        abstract: one.named ? `Registered: ${NCT}` : 'Nothing of it',
        ...(one.linked ? { databanks: { 'ClinicalTrials.gov': [NCT] } } : {}),
        ...(one.methods ? { methods: `We registered ${NCT}` } : {}),
        in: one.in,
      }),
    ),
  );

/** Whether at least one source, when it answers properly, finds the paper for the identifier. */
function ties(paper: FakePaper): boolean {
  const named = paper.abstract?.includes(NCT) ?? false;
  const byPubmed = paper.in!.includes('pubmed') && (named || paper.databanks !== undefined);
  return byPubmed || (paper.in!.includes('europepmc') && (named || paper.methods !== undefined));
}

it('however the sources misbehave, what they did not answer is never none, and nothing is made up', async () => {
  await using fake = await startFakeLiterature();
  await fc.assert(
    fc.asyncProperty(papers, faults, fc.boolean(), async (held, script, claims) => {
      fake.papers = held;
      fake.faults = structuredClone(script);
      const literature = openLiterature({
        pubmedUrl: fake.pubmedUrl,
        europepmcUrl: fake.europepmcUrl,
        ncbiApiKey: null,
        contactEmail: null,
        now: () => new Date('2026-11-22T00:00:00Z'),
        askedBy: 'board',
        requestsPerSecond: 1000,
        retryWaitMs: 1,
        questionMs: 120,
        maxBodyBytes: 50_000,
      });
      const tied = new Set(held.filter(ties).map(({ pmid }) => pmid));

      const checked = await literature.checkTrial(NCT, claims ? { pmid: '1000' } : {});
      const [pubmed, europepmc] = checked.asked;
      if (checked.class === 'pubmed_none' || checked.class === 'unverified') {
        expect([pubmed!.state, europepmc!.state]).toEqual(['answered', 'answered']);
      }
      if (checked.class === 'pubmed_none') expect([...tied]).toEqual([]);
      if (checked.class === 'pubmed_unreachable') {
        expect(checked.asked.map(({ state }) => state)).toContain('unanswered');
        expect(checked.papers).toEqual([]);
      }
      for (const { pmid } of checked.papers) expect([...tied]).toContain(pmid);

      const found = await literature.mentions([NCT, 'ISRCTN12345678'], { limit: 10 });
      const listed = found.found.map(({ record }) => record.pmid);
      if (found.complete) expect(listed.toSorted()).toEqual([...tied].toSorted());
      for (const pmid of listed) expect([...tied]).toContain(pmid);
      expect(found.complete).toBe(found.sources.every(({ state }) => state === 'answered'));
      for (const { state, unanswered, reason } of found.sources) {
        expect([unanswered.length > 0, reason !== null]).toEqual([state === 'unanswered', state === 'unanswered']);
      }
    }),
    { numRuns: amountOf({ quick: 40, deep: 120 }), seed: 5 },
  );
});
