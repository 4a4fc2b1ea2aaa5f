import { execFile, spawnSync } from 'node:child_process';
import { describe, expect, it } from 'vitest';
import type { TrialRecord } from '../../contract/schemas/trials/trial.ts';
import { checksumCommand } from '../../gateway/pages/trials/trial-proof.ts';
import { sourceOf, TRIAL_FIELDS, type TrialField } from '../../gateway/pages/trials/trial-sides.ts';
import { titleOfField } from '../../gateway/pages/words/trials.ts';
import { openLiterature } from '../../server-kit/literature/client.ts';
import { COMPARED_FIELDS } from '../../snapshot/format/field-comparison.ts';
import { startFakeLiterature } from '../fakes/literature-server.ts';
import { CLAIM } from '../support/board/board-writes.ts';
import { openGateway, TEST_NOW, type TestGateway } from '../support/gateway.ts';
import { ofFile } from '../support/of-file.ts';

import { openOrigin } from '../support/origin.ts';
import { plainTables } from '../support/plain/plain-tables.ts';
import { gatewayPage, readPage } from '../support/read-page.ts';
import { twoVersions } from '../support/two-versions.ts';

/** A trial of the sample corpus that is in both registries. */
const BOTH = { canonicalId: 'wt_r1r6vb1x9ja8', nct: 'NCT90000183', isrctn: 'ISRCTN90531804' };

const gateway = ofFile(() => openGateway());

async function page(path: string, from: TestGateway = gateway) {
  const { status, text } = await gatewayPage(from, path);
  return { status, text: plainTables(text) };
}

const plain = (html: string): string =>
  html
    .replaceAll(/<[^>]*>/g, '')
    .replaceAll('&lt;', '<')
    .replaceAll('&gt;', '>')
    .replaceAll('&quot;', '"')
    .replaceAll('&#39;', "'")
    .replaceAll('&amp;', '&');

/** The part of a page from the heading with this id to the end of its section. */
const section = (html: string, id: string): string => html.split(`id="${id}"`)[1]?.split('</section>')[0] ?? '';

/** What the page says of a fact under the title. */
const fact = (html: string, name: string): string | undefined => {
  const value = html.split('id="timeline"')[0]!.split(`<dt>${name}</dt><dd>`)[1]?.split('</dd>')[0];
  return value === undefined ? undefined : plain(value);
};

async function trialOf(query: string): Promise<TrialRecord> {
  const { body } = await gateway.get(`/api/v1/trials/search?${query}&pageSize=1`);
  return (await gateway.get(`/api/v1/trials/${body.data.trials[0].canonicalId}`)).body.data;
}

/** The command that a reader is given needs it. */
const hasJq = spawnSync('jq', ['--version']).status === 0;

const LEAD =
  'A trial in Pain, with Sazazagliflozin and Pavavogliflozin, run by Veltrane Pharma 20. It is completed; 337 people took part. No results are posted; they are not due yet.';

describe('the page of a trial', () => {
  it('describes itself for previews and search engines', async () => {
    const { text } = await page(`/trials/${BOTH.canonicalId}`);
    expect(text).toContain(`<meta name="description" content="${LEAD}">`);
    const data = JSON.parse(text.match(/<script type="application\/ld\+json">(.*?)<\/script>/)![1]!);
    expect(data).toMatchObject({
      '@context': 'https://schema.org',
      '@type': 'MedicalTrial',
      url: `http://test.example/trials/${BOTH.canonicalId}`,
      status: 'https://schema.org/Completed',
      sponsor: { '@type': 'Organization', name: 'Veltrane Pharma 20' },
    });
    expect(data.identifier).toEqual([
      BOTH.canonicalId,
      { '@type': 'PropertyValue', propertyID: 'ClinicalTrials.gov', value: BOTH.nct },
      { '@type': 'PropertyValue', propertyID: 'ISRCTN registry', value: BOTH.isrctn },
    ]);
  });

  it('says since when results are due, as the search with the same rule sorts them', async () => {
    const { body } = await gateway.get('/api/v1/trials/search?resultsGap=true&sort=daysOverdue&pageSize=100');
    const days: number[] = [];
    for (const { canonicalId } of body.data.trials.slice(0, 8)) {
      const stated = fact((await page(`/trials/${canonicalId}`)).text, 'Results')!;
      expect(stated).toContain('months after its primary completion, as the results gap counts');
      days.push(Number(stated.match(/^Not posted, ([\d,]+) days after they were due/)![1]!.replaceAll(',', '')));
    }
    expect(days.every((number) => number > 0)).toBe(true);
    expect(days).toEqual(days.toSorted((a, b) => b - a));
    const posted = await trialOf('resultsAvailable=true&registry=clinicaltrials_gov');
    expect(fact((await page(`/trials/${posted.canonicalId}`)).text, 'Results')).toMatch(
      /^✓ Posted on \d{4}-\d{2}-\d{2}/,
    );
  });

  it('shows sites by country, each number leading to exactly that list', async () => {
    const part = section((await page(`/trials/${BOTH.canonicalId}`)).text, 'sites');
    const lists = [...part.matchAll(/href="(\/trials\/[^"]*part=sites[^"]*)">([\d,]+)</g)];
    expect(lists.length).toBeGreaterThan(0);
    for (const [, address, number] of lists) {
      const listed = section((await page(plain(address!))).text, 'sites');
      expect(listed.match(/<li>/g)).toHaveLength(Number(number));
    }
  });

  it('cuts nothing without a link that opens all of it', async () => {
    const { body } = await gateway.get('/api/v1/trials/search?registry=isrctn&inBoth=true&pageSize=20');
    for (const { canonicalId } of body.data.trials) {
      const address = `/trials/${canonicalId}`;
      const { text } = await page(address);
      for (const [, part] of text.matchAll(/<section aria-labelledby="([a-z]+)">/g)) {
        const shown = section(text, part!);
        if (!shown.includes(' more characters)')) continue;
        expect(shown, address).toContain(`?part=${part}"`);
        const whole = await page(`${address}?part=${part}`);
        expect([address, whole.status, whole.text.includes(' more characters)')]).toEqual([address, 200, false]);
      }
    }
  });

  it.skipIf(!hasJq)('has a command for each payload that prints the SHA-256 which stands beside it', async () => {
    await using origin = await openOrigin();
    const { data: trial } = (await origin.get(`/api/v1/trials/${BOTH.canonicalId}`)).body as { data: TrialRecord };
    for (const { id, checksum } of trial.registrations) {
      const printed = execFileAsync(checksumCommand(origin.url, trial.canonicalId, id));
      expect(`sha256:${(await printed).slice(0, 64)}`).toBe(checksum);
    }
  });

  it('shows what agents wrote of it, once where they name two of its ids, and says so where there is nothing', async () => {
    await using origin = await openOrigin();
    const read = async (path: string) => (await readPage(origin, path)).markup;
    const board = async () => section(await read(`/trials/${BOTH.canonicalId}`), 'board');
    expect(plain(await board())).toContain('None so far.');
    const scopes = [1, 2, 3, 4, 5].map((part) => `Part ${part} of ${BOTH.nct}`);
    for (const scope of [`The results of ${BOTH.nct} and ${BOTH.isrctn}`, ...scopes])
      await origin.send('/api/v1/claims', { ...CLAIM, scope });
    const shown = await board();
    expect(shown).toContain('<h3>6 live claims</h3>');
    const href = /<a href="([^"]+)">All live claims that name the trial<\/a>/.exec(shown)![1]!;
    const all = await read(plain(href));
    expect(all).toContain('6 announcements</h2>');
    expect(plain(all)).toContain(`what names ${BOTH.canonicalId} or ${BOTH.nct} or ${BOTH.isrctn}`);
  });

  it('tells what changed from snapshot to snapshot, with the words that changed', async () => {
    await using versions = await twoVersions();
    await using newer = await openGateway(versions.snapshotsDir);
    const { trials } = (await newer.get('/api/v1/trials/changes?limit=100')).body.data;
    const changed = trials.find(
      ({ kinds, heldBy }: { kinds: string[]; heldBy: string | null }) =>
        heldBy !== null && kinds.includes('registration-changed'),
    );
    const { text } = await page(`/trials/${changed.canonicalId}`, newer);
    const history = section(text, 'history');
    expect(history).toContain(`<a href="/snapshots/${versions.newer}">`);
    expect(history.match(/<tr>/g)!.length).toBe(1 + changed.changes.length);
    const ofRecord = plain(/href="([^"]+kind=registrations-changed[^"]+)"/.exec(history)![1]!);
    expect((await page(ofRecord, newer)).text).toContain('1 to 1 of 1 that the filters leave');
    expect(history).not.toContain('payload sha256');
    expect(section(text, 'timeline')).toContain('Changed in a snapshot');
  });

  it('shows each registry payload only when asked, exactly as received and as text', async () => {
    const { body } = await gateway.get(`/api/v1/trials/${BOTH.canonicalId}?includeRaw=true`);
    const { text } = await page(`/trials/${BOTH.canonicalId}?raw=true`);
    const shown = [...text.matchAll(/<pre class="payload"[^>]*>\n([\s\S]*?)<\/pre>/g)];
    const expected = body.data.raw.map(({ payload }: { payload: string }) => payload);
    expect(shown.map(([, payload]) => plain(payload!))).toEqual(expected);
    expect(shown).toHaveLength(2);
    expect((await page(`/trials/${BOTH.canonicalId}`)).text).not.toContain('class="payload"');
  });

  it('shows the beginning of a payload that is too large for a page, with the call that gives all of it', async () => {
    const { store } = gateway.index;
    const { rawPayloads } = store;
    const large = `<study>${'é'.repeat(300_000)}</study>`;
    const json = Buffer.from(JSON.stringify(large));
    store.rawPayloads = async (_snapshot, keys) =>
      keys.map(({ id, checksum }) => ({ registration: id, checksum, format: 'xml', json }));
    const { text } = await page(`/trials/${BOTH.canonicalId}?raw=true`);
    store.rawPayloads = rawPayloads;
    expect(text).toContain(`Payload of ${BOTH.nct} (xml, 300,015 characters)`);
    expect(text).toContain(`<code>/api/v1/trials/${BOTH.canonicalId}?includeRaw=true</code>`);
    expect(text.match(/é/g)?.length).toBe(2 * (20_000 - '<study>'.length));
  });

  it('says that publications could not be read, and that the literature was not asked', async () => {
    const { store } = gateway.index;
    const { publications } = store;
    store.publications = () => Promise.reject(new Error('the file is gone'));
    const { status, text } = await page(`/trials/${BOTH.canonicalId}`);
    store.publications = publications;
    expect(status).toBe(200);
    expect(section(text, 'publications')).toContain('RELATED_RESEARCH_UNAVAILABLE');
    expect(text).not.toContain('the file is gone');
    expect(section(text, 'literature')).toContain(`href="/trials/${BOTH.canonicalId}?literature=true#literature"`);
  });

  it('asks the literature only where the reader does, and never takes no answer for none', async () => {
    await using fake = await startFakeLiterature();
    await using reading = await openGateway();
    const { pubmedUrl, europepmcUrl } = fake;
    reading.index.literature = openLiterature({
      ...{ pubmedUrl, europepmcUrl, ncbiApiKey: null, contactEmail: null },
      ...{ now: () => TEST_NOW, askedBy: 'index', requestsPerSecond: 1000, retryWaitMs: 1 },
    });
    const path = `/trials/${BOTH.canonicalId}`;
    fake.faults = [
      { endpoint: 'esearch', kind: 'html' },
      { endpoint: 'search', kind: 'html' },
    ];
    const { text } = await page(`${path}?literature=true`, reading);
    expect(plain(section(text, 'literature'))).toContain('Unknown. No source gave a list; there may be papers.');
    expect(plain(text)).toContain(`curl 'http://test.example/api/v1/trials/${BOTH.canonicalId}/related'`);
  });

  it.each([BOTH.nct, BOTH.isrctn, BOTH.nct.toLowerCase()])('leads from %s to the address to keep', async (id) => {
    const { status, text } = await page(`/trials/${id}`);
    expect(status).toBe(200);
    expect(text).toContain(`<link rel="canonical" href="http://test.example/trials/${BOTH.canonicalId}">`);
    expect(plain(text)).toContain(`Address to keephttp://test.example/trials/${BOTH.canonicalId}`);
  });

  it('of a trial that is recruiting says where to turn, and names the country first that a list was narrowed to', async () => {
    const { body } = await gateway.get('/api/v1/trials/search?status=recruiting&country=United+Kingdom&pageSize=100');
    const trial = (body.data.trials as TrialRecord[]).find(({ countries }) => countries.indexOf('United Kingdom') > 0)!;
    const { text: list } = await page('/trials?status=recruiting&country=United+Kingdom');
    expect(list).toMatch(/<h3><a href="\/trials\/wt_[0-9a-z]+\?country=United\+Kingdom">/);
    const { text } = await page(`/trials/${trial.canonicalId}?country=United+Kingdom`);
    expect(plain(text)).toContain(
      `To ask about taking part, turn to the contacts in the registry's own record: ${trial.registrations[0]!.id}`,
    );
    expect(text).toMatch(/<dt>Countries<\/dt><dd><a href="\/countries\/United%20Kingdom">/);
    expect(plain((await page(`/trials/${BOTH.canonicalId}`)).text)).not.toContain('To ask about taking part');
  });

  it('refuses what cannot be an identifier, escaped', async () => {
    const { status, text } = await page('/trials/%3Cb%3E');
    expect(status).toBe(400);
    expect(text).toContain('<h1>Not an identifier</h1>');
    expect(text).not.toContain('<b>');
  });
});

it('knows a title for every field that is compared', () => {
  expect(COMPARED_FIELDS.map(({ name }) => name).filter((name) => titleOfField(name) === name)).toEqual([]);
});

it('where a shown value came from is found for every stated field of every merged trial, and is ClinicalTrials.gov wherever it speaks', async () => {
  const merged = await mergedTrials();
  expect(merged.length).toBeGreaterThan(20);
  for (const trial of merged) {
    const [first] = trial.registrations;
    for (const field of TRIAL_FIELDS.filter(({ show }) => show(trial) !== null)) {
      const { ids } = sourceOf(field, trial);
      expect([trial.canonicalId, field.name, ids.length > 0]).toEqual([trial.canonicalId, field.name, true]);
      if (speaks(field, first!))
        expect([trial.canonicalId, field.name, ids]).toContainEqual(expect.arrayContaining([first!.id]));
    }
  }
});

/** Whether the page says in words that the first registration decides the field. */
function speaks({ name, show }: TrialField, { registry, fields }: TrialRecord['registrations'][number]): boolean {
  if (registry !== 'clinicaltrials_gov' || show(fields) === null) return false;
  if (['dates.firstPosted', 'dates.lastUpdated', 'resultsAvailable', 'resultsBasis'].includes(name)) return false;
  if (['status', 'recruitmentStatus', 'statusBasis'].includes(name)) return fields.status !== 'unknown';
  return name !== 'enrollment' || fields.enrollment.count !== null;
}

async function mergedTrials(): Promise<TrialRecord[]> {
  const ids: string[] = [];
  for (let at = 1; ; at++) {
    const { body } = await gateway.get(`/api/v1/trials/search?registry=isrctn&pageSize=100&page=${at}`);
    const trials: { canonicalId: string; registries: string[] }[] = body.data.trials;
    ids.push(...trials.flatMap(({ canonicalId, registries }) => (registries.length === 2 ? canonicalId : [])));
    if (!body._meta.pagination.hasMore) break;
  }
  return Promise.all(ids.map(async (id) => (await gateway.get(`/api/v1/trials/${id}`)).body.data));
}

/** Runs a command as a reader's shell would; asynchronous, since the server is in this process. */
async function execFileAsync(command: string): Promise<string> {
  const { promise, resolve, reject } = Promise.withResolvers<string>();
  execFile('/bin/sh', ['-c', command], (error, stdout) => (error === null ? resolve(stdout) : reject(error)));
  return promise;
}
