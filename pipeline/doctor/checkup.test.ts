import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { type Config, loadConfig } from '../../server-kit/config/config.ts';
import type { Manifest } from '../../snapshot/format/versions/manifest.ts';
import { quietEffects } from '../../test/builders/working-database.ts';
import { startFakeFeedServer } from '../../test/fakes/feed-server.ts';
import { startFakeLiterature } from '../../test/fakes/literature-server.ts';
import { type FakeRegistry, startFakeRegistry } from '../../test/fakes/registry-server.ts';
import { NO_FEEDS } from '../../test/support/no-feeds.ts';
import { generateCorpus } from '../../tools/generator/corpus.ts';
import { renderCheckup } from '../cli/render-checkup.ts';
import { type Checkup, checkup } from './checkup.ts';
import { countsOf, forecast } from './forecast.ts';

const { studies, trials } = records();

/** Twenty synthetic records of each registry, whole as the registries send them. */
function records() {
  const corpus = generateCorpus({ seed: 4, ctgov: 20, isrctn: 20, asOf: '2026-10-01' });
  return {
    studies: [...corpus.ctgov()].map((text) => JSON.parse(text) as Record<string, Record<string, object>>),
    trials: [...corpus.isrctn()].map((xml) => ({ xml, lastUpdated: '2026-09-01T10:00:00.000Z' })),
  };
}

let root: string;
let registry: FakeRegistry;
let environment: Record<string, string>;
beforeEach(async () => {
  root = await mkdtemp(join(tmpdir(), 'trial-board-doctor-'));
  registry = await startFakeRegistry({
    studies: structuredClone(studies),
    trials,
    dataTimestamp: '2026-10-01T09:00:05',
  });
  environment = {
    DATA_DIR: join(root, 'data'),
    SNAPSHOTS_DIR: join(root, 'snapshots'),
    FEEDS_FILE: NO_FEEDS,
    CTGOV_URL: registry.url,
    ISRCTN_URL: registry.url,
    PUBMED_URL: 'off',
    EUROPEPMC_URL: 'off',
  };
});
afterEach(async () => {
  await registry.close();
  await rm(root, { recursive: true, force: true });
});

const config = (): Config => loadConfig(environment, root);
const look = (): Promise<Checkup> => checkup(config(), quietEffects());
const faultsOf = ({ findings }: Checkup, source: string): string[] =>
  findings.find((one) => one.source === source)!.faults.map(({ fault }) => fault);

describe('doctor', () => {
  it('finds registries sound: their counts, their day, every usual field, and what a run needs', async () => {
    const found = await look();
    const [ctgov, isrctn, pubmed] = found.findings;
    expect(ctgov).toMatchObject({ state: 'sound', count: 20, date: '2026-10-01T09:00:05', faults: [] });
    expect(isrctn).toMatchObject({ state: 'sound', count: 20, faults: [] });
    expect(pubmed).toMatchObject({ source: 'pubmed', state: 'off', note: 'PUBMED_URL is off' });
    expect(found.findings.at(-1)).toMatchObject({ source: 'terminology', state: 'off' });
    expect(ctgov!.form).toContainEqual({ field: 'title', filled: 20, of: 20 });
    for (const { field, filled } of [...ctgov!.form, ...isrctn!.form]) expect(filled, field).toBeGreaterThan(0);
    expect(found.forecast).toMatchObject({ registrations: 40, faults: [] });
    expect(found.run).toBe('whole');
    const text = renderCheckup(found);
    expect(text).toMatch(/^clinicaltrials_gov {2}sound +\d+ +20 +2026-10-01T09:00:05/m);
    expect(text).toContain('terminology: not asked; no live source of terminology is configured');
    expect(text).toContain('clinicaltrials_gov: 20, its own count of now');
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
    expect(failing).toMatchObject({ run: 'fails', network: null, forecast: { registrations: 626_717 } });
    const text = renderCheckup(failing);
    expect(text).toContain('mend: the server answers, but refuses or has moved');
    expect(text).toContain('a whole run of 626717 registrations needs about');
    expect(text).toContain('clinicaltrials_gov: 597913, its own count of 2026-08-10, since it tells no count now');
    expect(text).toMatch(/^ {2}time {4}10 min of requests, then 8 min on two cores/m);
    expect(text).toMatch(/^ {2}disk {4}5\.6 GB in .*\n {2}disk {4}3\.2 GB in .*\n {2}memory {2}3\.3 GB of /m);
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
    environment.FEEDS_FILE = join(root, 'feeds.json');
    const feed = (id: string, path: string) => ({
      id,
      name: id,
      publisher: 'A publisher',
      licence: 'CC BY 4.0',
      termsUrl: null,
      address: `${publisher.url}${path}`,
      format: 'rss',
      category: 'news',
      language: 'en',
      lag: 'a day',
      why: 'A test.',
      reviewedOn: '2026-11-01',
      nextReviewOn: '2027-11-01',
      verified: true,
    });
    const dates = { reviewedOn: '2026-11-01', nextReviewOn: '2027-11-01' };
    const feeds = [feed('good', '/good'), feed('gone', '/gone')];
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

  it('blames the network, once, where no source gives any answer, and forecasts from what is held', async () => {
    const nowhere = 'http://127.0.0.1:9';
    Object.assign(environment, {
      CTGOV_URL: nowhere,
      ISRCTN_URL: nowhere,
      PUBMED_URL: nowhere,
      EUROPEPMC_URL: nowhere,
    });
    const found = await look();
    expect(found.run).toBe('fails');
    const mends = new Set(found.findings.flatMap(({ faults }) => faults.map(({ mend }) => mend)));
    expect([...mends]).toEqual([expect.stringMatching(/^no source gave any answer, so the network is at fault/)]);
    expect(renderCheckup(found).match(/no source gave any answer/g)).toHaveLength(1);
    const registries = [
      { registry: 'clinicaltrials_gov', registrations: 1562, complete: true },
    ] as Manifest['registries'];
    expect(countsOf(found.findings, { version: '20261122T031649Z-2c6da18a', registries })).toEqual({
      ...{ ctgov: 1562, isrctn: 28_804 },
      basis: [
        'clinicaltrials_gov: 1562, as snapshot 20261122T031649Z-2c6da18a holds, since it tells no count now',
        'isrctn: 28804, its own count of 2026-10-04, since it tells no count now and no snapshot holds it',
      ],
    });
  });

  it.each([
    [
      'a dump, which may be a part',
      { registrations: 3116, complete: false, expectedRecords: null, lastSuccessAt: '2026-10-01T00:00:00.000Z' },
      '597913, its own count of 2026-08-10, since it tells no count now and snapshot V holds a part of it, 3116',
    ],
    [
      'a live sweep that ended early',
      { registrations: 3116, complete: false, expectedRecords: 601_000, lastSuccessAt: '2026-10-01T00:00:00.000Z' },
      '601000, its own count of 2026-10-01T00:00:00.000Z, since it tells no count now and snapshot V holds a part of it, 3116',
    ],
    [
      'a dump of more than it was ever seen to count',
      { registrations: 640_000, complete: false, expectedRecords: null, lastSuccessAt: null },
      '640000, as the part holds that is in snapshot V, since it tells no count now',
    ],
    [
      'nothing, because it never answered',
      { registrations: null, complete: false, expectedRecords: null, lastSuccessAt: null },
      '597913, its own count of 2026-08-10, since it tells no count now and no snapshot holds it',
    ],
  ])('plans a whole run, whatever the snapshot holds of a registry: %s', (_, held, words) => {
    const registries = [{ registry: 'clinicaltrials_gov', ...held }] as Manifest['registries'];
    const { ctgov, basis } = countsOf([], { version: 'V', registries });
    expect(basis[0]).toBe(`clinicaltrials_gov: ${words}`);
    expect(ctgov).toBe(Number(words.split(',')[0]));
  });

  it('says in one line that this machine resolves no names, blames no source, and still forecasts', async () => {
    // Reserved, so that no server of names knows it (RFC 6761).
    const nowhere = 'http://registry.invalid';
    Object.assign(environment, {
      CTGOV_URL: nowhere,
      ISRCTN_URL: nowhere,
      PUBMED_URL: nowhere,
      EUROPEPMC_URL: nowhere,
    });
    const found = await look();
    expect(found).toMatchObject({ run: 'fails', network: expect.stringMatching(/^this machine resolves no names/) });
    const text = renderCheckup(found);
    expect(text.match(/this machine resolves no names/g)).toHaveLength(1);
    expect(text).not.toMatch(/mend:.*(?:CTGOV_URL|PUBMED_URL)/);
    expect(text).toContain('a whole run of 626717 registrations needs about');
  });

  it('tells a list of feeds that cannot be read as a fault of its own, beside all else', async () => {
    environment.FEEDS_FILE = join(root, 'feeds.json');
    await writeFile(environment.FEEDS_FILE, '{');
    const found = await look();
    expect(found.findings.find(({ source }) => source === 'feeds')).toMatchObject({ state: 'faulty', reached: null });
    expect(renderCheckup(found)).toContain('mend: mend or replace the file of FEEDS_FILE');
    expect([found.run, found.forecast.registrations]).toEqual(['fails', 40]);
  });
});

it('a forecast of full size names each disk and the memory that is too small', async () => {
  const place = { dataDir: '/data', snapshotsDir: '/snapshots', rate: 1 };
  const free = async (directory: string): Promise<number> => (directory === '/data' ? 20e9 : 1e9);
  const whole = await forecast({ ctgov: 600_000, isrctn: 29_000, basis: [] }, place, null, free, 2e9);
  expect(whole).toMatchObject({ fetchSeconds: 600, stageSeconds: 425, registrations: 629_000 });
  expect(whole.disk.map(({ neededBytes }) => neededBytes)).toEqual([5_630_000_000, 3_253_000_000]);
  expect(whole.faults.map(({ fault }) => fault)).toEqual([
    '/snapshots has less free than a whole run needs',
    'the machine has less memory than a whole run needs',
  ]);
});
