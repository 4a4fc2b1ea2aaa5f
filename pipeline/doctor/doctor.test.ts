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
import { Corpus } from '../../tools/generator/corpus.ts';
import { renderCheckup } from '../cli/reports.ts';
import { checkup } from './doctor.ts';

const folder = folderOfTest();
let registry: FakeRegistry;
let environment: Record<string, string>;
beforeEach(async () => {
  const corpus = new Corpus({ seed: 4, ctgov: 20, isrctn: 20 });
  registry = await startFakeRegistry({
    studies: [...corpus.ctgov()].map((text) => JSON.parse(text) as Record<string, object>),
    trials: [...corpus.isrctn()].map((xml) => ({ xml, lastUpdated: '2026-09-01T10:00:00.000Z' })),
    dataTimestamp: '2026-10-01T09:00:05',
  });
  environment = { CTGOV_URL: registry.url, ISRCTN_URL: registry.url, PUBMED_URL: 'off', EUROPEPMC_URL: 'off' };
});
afterEach(() => registry.close());

const look = () => checkup(configIn(folder.path, environment), quietEffects());
const FEED =
  '<rss version="2.0"><channel><item><title>One</title><link>https://a.example/1</link><pubDate>Thu, 01 Oct 2026 08:00:00 GMT</pubDate></item></channel></rss>';

describe('doctor', () => {
  it('finds sound registries with their counts, and names what the settings turn off', async () => {
    const { probes, run } = await look();
    expect(probes).toMatchObject([
      { source: 'clinicaltrials_gov', state: 'sound', count: 20, faults: [], mend: null },
      { source: 'isrctn', state: 'sound', count: 20, faults: [], mend: null },
      { source: 'literature', state: 'off' },
      { source: 'feeds', state: 'off' },
    ]);
    expect(run).toBe('whole');
    expect(registry.requests).toHaveLength(2);
    const text = renderCheckup({ probes, run });
    expect(text).toMatch(/^clinicaltrials_gov +\d+ +sound +20 /m);
    expect(text).toContain('A live run would publish whole. Nothing was stored or published.');
  });

  it('expects a degraded run without one registry, and a failed run without both or with a changed form', async () => {
    registry.faults.push({ endpoint: 'isrctn', at: 2, kind: 'html' });
    expect((await look()).run).toBe('whole');
    const changed = await look();
    expect(changed.probes[1]!.faults[0]).toContain('web page');
    registry.faults.push({ endpoint: 'isrctn', at: 3, kind: 'down', times: Number.POSITIVE_INFINITY });
    const degraded = await look();
    expect(degraded.probes[1]).toMatchObject({ state: 'unanswered', count: null });
    expect(degraded.run).toBe('degraded');
    expect(renderCheckup(degraded)).toContain('mend      check ISRCTN_URL');
    environment.CTGOV_URL = 'http://127.0.0.1:9';
    expect((await look()).run).toBe('fails');
  });

  it('names a feed that does not answer and an index without the known trial, which fail no run', async () => {
    await using publisher = await startFakeFeedServer({ '/good': { kind: 'feed', body: FEED } });
    await using literature = await startFakeLiterature([
      { pmid: '1', title: 'A paper', databanks: { 'ClinicalTrials.gov': ['NCT00000620'] }, in: ['pubmed'] },
    ]);
    environment.PUBMED_URL = literature.pubmedUrl;
    environment.EUROPEPMC_URL = literature.europepmcUrl;
    environment.FEEDS_FILE = join(folder.path, 'feeds.json');
    const dates = { reviewedOn: '2026-11-01', nextReviewOn: '2027-11-01' };
    const feeds = ['good', 'gone'].map((id) => feedOf(id, { address: `${publisher.url}/${id}` }));
    await writeFile(environment.FEEDS_FILE, JSON.stringify({ note: 'A test.', ...dates, feeds }));
    const { probes, run } = await look();
    expect(probes[2]).toMatchObject({ state: 'faulty', count: 1 });
    expect(probes[3]).toMatchObject({ state: 'faulty', count: 1, faults: [expect.stringMatching(/^gone: /)] });
    expect(run).toBe('whole');
  });

  it('blames the network once where no source answers', async () => {
    for (const name of ['CTGOV_URL', 'ISRCTN_URL', 'PUBMED_URL', 'EUROPEPMC_URL'])
      environment[name] = 'http://127.0.0.1:9';
    const found = await look();
    expect(found.run).toBe('fails');
    expect(renderCheckup(found).match(/mend {6}no source answered: check the network/g)).toHaveLength(1);
  });

  it('expects a failed run where the list of feeds cannot be read', async () => {
    environment.FEEDS_FILE = join(folder.path, 'feeds.json');
    await writeFile(environment.FEEDS_FILE, '{');
    const { probes, run } = await look();
    expect(probes[3]).toMatchObject({ state: 'faulty', count: null });
    expect(run).toBe('fails');
  });
});
