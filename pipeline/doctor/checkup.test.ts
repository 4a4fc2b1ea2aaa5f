import { writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { quietEffects } from '../../test/builders/working-database.ts';
import { startFakeFeedServer } from '../../test/fakes/feed-server.ts';
import { startFakeLiterature } from '../../test/fakes/literature-server.ts';
import { type FakeRegistry, startFakeRegistry } from '../../test/fakes/registry-server.ts';
import { configIn } from '../../test/support/dump-runs.ts';
import { folderOfTest } from '../../test/support/folders.ts';
import { feedOf } from '../../test/support/signal-feeds.ts';
import { generateCorpus } from '../../tools/generator/corpus.ts';
import { renderCheckup } from '../cli/render-checkup.ts';
import { type Checkup, checkup } from './checkup.ts';

const { studies, trials } = records();

/** Twenty synthetic records of each registry, whole as the registries send them. */
function records() {
  const corpus = generateCorpus({ seed: 4, ctgov: 20, isrctn: 20, asOf: '2026-10-01' });
  return {
    studies: [...corpus.ctgov()].map((text) => JSON.parse(text) as Record<string, Record<string, object>>),
    trials: [...corpus.isrctn()].map((xml) => ({ xml, lastUpdated: '2026-09-01T10:00:00.000Z' })),
  };
}

const folder = folderOfTest();
let registry: FakeRegistry;
let environment: Record<string, string>;
beforeEach(async () => {
  registry = await startFakeRegistry({
    studies: structuredClone(studies),
    trials,
    dataTimestamp: '2026-10-01T09:00:05',
  });
  environment = { CTGOV_URL: registry.url, ISRCTN_URL: registry.url, PUBMED_URL: 'off', EUROPEPMC_URL: 'off' };
});
afterEach(() => registry.close());

const look = (): Promise<Checkup> => checkup(configIn(folder.path, environment), quietEffects());
/** Every source at one address. */
const allAt = (address: string) =>
  Object.assign(environment, {
    CTGOV_URL: address,
    ISRCTN_URL: address,
    PUBMED_URL: address,
    EUROPEPMC_URL: address,
  });
const faultsOf = ({ findings }: Checkup, source: string): string[] =>
  findings.find((one) => one.source === source)!.faults.map(({ fault }) => fault);

describe('doctor', () => {
  it('finds registries sound: their counts, their day and every usual field', async () => {
    const found = await look();
    const [ctgov, isrctn, pubmed] = found.findings;
    expect(ctgov).toMatchObject({ state: 'sound', count: 20, date: '2026-10-01T09:00:05', faults: [] });
    expect(isrctn).toMatchObject({ state: 'sound', count: 20, faults: [] });
    expect(pubmed).toMatchObject({ source: 'pubmed', state: 'off', note: 'PUBMED_URL is off' });
    expect(found.findings.at(-1)).toMatchObject({ source: 'terminology', state: 'off' });
    expect(ctgov!.form).toContainEqual({ field: 'title', filled: 20, of: 20 });
    for (const { field, filled } of [...ctgov!.form, ...isrctn!.form]) expect(filled, field).toBeGreaterThan(0);
    expect(found.run).toBe('whole');
    const text = renderCheckup(found);
    expect(text).toMatch(/^clinicaltrials_gov {2}sound +\d+ +20 +2026-10-01T09:00:05/m);
    expect(text).toContain('terminology: not asked; no live source of terminology is configured');
    expect(text).toContain('A live run would publish whole. Nothing was stored or published.');
    // One small question each, and the version.
    expect(registry.requests).toHaveLength(3);
  });

  it('names a field that was renamed in every record, and a form that is no longer there', async () => {
    for (const one of registry.studies as typeof studies) {
      const section = one.protocolSection!;
      section.sponsorsModule = section.sponsorCollaboratorsModule!;
      delete section.sponsorCollaboratorsModule;
    }
    const found = await look();
    expect(faultsOf(found, 'clinicaltrials_gov')).toEqual([
      'none of 20 records has sponsor, which most records have',
      'none of 20 records has sponsorClass, which most records have',
    ]);
    expect(found.run).toBe('fails');
    registry.faults.push({ endpoint: 'isrctn', at: 2, kind: 'html' });
    expect(faultsOf(await look(), 'isrctn')[0]).toContain('web page');
  });

  it('tells a run that would be degraded from one that would fail', async () => {
    registry.faults.push({ endpoint: 'isrctn', at: 1, kind: 'down', times: Number.POSITIVE_INFINITY });
    const degraded = await look();
    expect(degraded.findings[1]).toMatchObject({ state: 'unanswered', count: null });
    expect(degraded.run).toBe('degraded');
    registry.faults.push({ endpoint: 'version', at: 1, kind: 'status', status: 503, times: Number.POSITIVE_INFINITY });
    const failing = await look();
    expect(failing).toMatchObject({ run: 'fails', network: null });
    const text = renderCheckup(failing);
    expect(text).toContain('mend: the server answers, but refuses or has moved');
  });

  it('asks feeds and literature, whose faults stop no run', async () => {
    await using publisher = await startFakeFeedServer({
      '/good': {
        kind: 'feed',
        body: '<rss version="2.0"><channel><item><title>One</title><link>https://a.example/1</link><pubDate>Thu, 01 Oct 2026 08:00:00 GMT</pubDate></item></channel></rss>',
      },
    });
    await using literature = await startFakeLiterature([
      { pmid: '1', title: 'A paper', databanks: { 'ClinicalTrials.gov': ['NCT00000620'] }, in: ['pubmed'] },
    ]);
    environment.PUBMED_URL = literature.pubmedUrl;
    environment.EUROPEPMC_URL = literature.europepmcUrl;
    environment.FEEDS_FILE = join(folder.path, 'feeds.json');
    const dates = { reviewedOn: '2026-11-01', nextReviewOn: '2027-11-01' };
    const feeds = ['good', 'gone'].map((id) => feedOf(id, { address: `${publisher.url}/${id}` }));
    await writeFile(environment.FEEDS_FILE, JSON.stringify({ note: 'A test.', ...dates, feeds }));
    const found = await look();
    const byName = Object.fromEntries(
      found.findings.map(({ source, state, count, date }) => [source, [state, count, date]]),
    );
    expect(byName).toMatchObject({
      pubmed: ['sound', 1, null],
      europepmc: ['faulty', 0, null],
      good: ['sound', 1, '2026-10-01T08:00:00.000Z'],
      gone: ['unanswered', null, null],
    });
    expect(found.run).toBe('whole');
    const gone = () => found.findings.find(({ source }) => source === 'gone')!.faults[0]!.mend;
    expect(gone()).toMatch(/^the server answers, but not with the feed: it has moved or refuses programs/);
  });

  it('blames the network, once, where no source gives any answer', async () => {
    allAt('http://127.0.0.1:9');
    const found = await look();
    expect(found.run).toBe('fails');
    const mends = new Set(found.findings.flatMap(({ faults }) => faults.map(({ mend }) => mend)));
    expect([...mends]).toEqual([expect.stringMatching(/^no source gave any answer, so the network is at fault/)]);
    expect(renderCheckup(found).match(/no source gave any answer/g)).toHaveLength(1);
  });

  it('says in one line that this machine resolves no names, and blames no source', async () => {
    // Reserved, so that no server of names knows it (RFC 6761).
    allAt('http://registry.invalid');
    const found = await look();
    expect(found).toMatchObject({ run: 'fails', network: expect.stringMatching(/^this machine resolves no names/) });
    const text = renderCheckup(found);
    expect(text.match(/this machine resolves no names/g)).toHaveLength(1);
    expect(text).not.toMatch(/mend:.*(?:CTGOV_URL|PUBMED_URL)/);
  });

  it('tells a list of feeds that cannot be read as a fault of its own, beside all else', async () => {
    environment.FEEDS_FILE = join(folder.path, 'feeds.json');
    await writeFile(environment.FEEDS_FILE, '{');
    const found = await look();
    expect(found.findings.find(({ source }) => source === 'feeds')).toMatchObject({ state: 'faulty', reached: null });
    expect(renderCheckup(found)).toContain('mend: mend or replace the file of FEEDS_FILE');
    expect(found.run).toBe('fails');
  });
});
