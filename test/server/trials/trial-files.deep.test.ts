import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import type { TrialListItem } from '../../../contract/schemas/trials/trial.ts';
import { Database } from '../../../pipeline/store/database.ts';
import { unguarded } from '../../support/checks/unguarded.ts';
import { openGateway } from '../../support/gateway.ts';
import { ofFile } from '../../support/of-file.ts';
import { leaveUnchecked } from '../../support/runner/openapi-check.ts';
import { twoVersions } from '../../support/two-versions.ts';

const versions = ofFile(() => twoVersions());
const gateway = ofFile(() => openGateway(versions.snapshotsDir));
const db = ofFile(() => Database.open(':memory:'));
let folder: string;
beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), 'trial-board-files-'));
});
afterAll(() => rm(folder, { recursive: true, force: true }));

async function take(path: string, headers: Record<string, string> = {}, method = 'GET'): Promise<Response> {
  return gateway.app.fetch(new Request(`http://test.example${path}`, { headers, method }));
}

/** The rows of a CSV file as DuckDB reads them, by heading. */
async function readCsv(text: string): Promise<Record<string, string | null>[]> {
  const path = join(folder, 'taken.csv');
  await writeFile(path, text);
  const read = `read_csv('${path}', header = true, all_varchar = true, quote = '"', escape = '"', delim = ',', new_line = '\\r\\n')`;
  return (await db.all(`FROM ${read}`)) as Record<string, string | null>[];
}

async function searched(query: string): Promise<TrialListItem[]> {
  const trials: TrialListItem[] = [];
  for (let page = 1; ; page++) {
    const { body } = await gateway.get(`/api/v1/trials/search?${query}&pageSize=100&page=${page}`);
    trials.push(...body.data.trials);
    if (!body._meta.pagination.hasMore) return trials;
  }
}

/** Never 1-2, which a spreadsheet would show as a day. */
const PHASES_IN_FILES: Record<string, string> = {
  'early-1': 'Early phase 1',
  '1': 'Phase 1',
  '1-2': 'Phase 1/2',
  '2': 'Phase 2',
  '2-3': 'Phase 2/3',
  '3': 'Phase 3',
  '3-4': 'Phase 3/4',
  '4': 'Phase 4',
  'not-applicable': 'Not applicable',
  'not-stated': 'Not stated',
};

const QUERIES = [
  '',
  'q=diabetes&match=concepts&sort=relevance',
  'status=recruiting&sort=enrollment&include=eligibilityText',
  'modality=small-molecule&phase=2',
  'q=nosuchwordatall',
];

describe('/trials.csv', () => {
  it.each(QUERIES)(
    'has the trials of the search ?%s in its order, as another reader of CSV reads them',
    async (query) => {
      const response = await take(`/trials.csv?${query}&header=names`);
      expect(response.status).toBe(200);
      const text = await response.text();
      const rows = await readCsv(text);
      const trials = await searched(query);
      expect(rows.map((row) => row.canonical_id)).toEqual(trials.map(({ canonicalId }) => canonicalId));
      for (const [at, trial] of trials.entries()) {
        const row = Object.fromEntries(
          Object.entries(rows[at]!).map(([name, cell]) => [name, cell === null ? null : unguarded(cell)]),
        );
        expect(row).toMatchObject({
          page: `http://test.example/trials/${trial.canonicalId}`,
          title: trial.title,
          status: trial.status,
          phase: PHASES_IN_FILES[trial.phase],
          sponsor_name: trial.sponsor.name,
          enrollment_count: trial.enrollment.count === null ? null : String(trial.enrollment.count),
          countries: trial.countries.length === 0 ? null : trial.countries.join(' | '),
          conditions: trial.conditions.length === 0 ? null : trial.conditions.join(' | '),
          start_date: trial.dates.start?.date ?? null,
          start_date_type: trial.dates.start?.type ?? null,
          results_available: String(trial.resultsAvailable),
          checksums: trial.registrations.map(({ checksum }) => checksum).join(' | '),
        });
        if (query.includes('eligibilityText')) expect(row.eligibility_text).toBe(trial.eligibilityText);
      }
      expect(text.split('\r\n')[0]).toContain(
        `Number of distinct trials: ${trials.length.toLocaleString('en-GB')}, one a row.`,
      );
    },
  );

  it('begins with headings in words, the last of them saying what the file is', async () => {
    const bytes = await (await take('/trials.csv?q=diabetes&phase=2&page=2&nonsense=1')).bytes();
    expect([...bytes.subarray(0, 3)]).toEqual([0xef, 0xbb, 0xbf]);
    const [head] = Buffer.from(bytes).subarray(3).toString('utf8').split('\r\n');
    const address = `http://test.example/trials.csv?q=diabetes&phase=2&snapshot=${versions.newer}`;
    expect(head).toMatch(/^Trial,ClinicalTrials\.gov number,ISRCTN number,Page,Registry pages,Title,/);
    expect(head).toContain(',Start date,Start date type,');
    expect(head).toContain(`"About this file: Trials found. Number of distinct trials: `);
    expect(head).toContain('Synthetic sample: no record in it is a real trial');
    expect(head).toContain(`Trial Board, snapshot ${versions.newer}, data as of `);
    expect(head).toContain('Query: q = diabetes, phase = 2. Not understood and ignored: nonsense. Source: ');
    expect(head).toContain('licence: CC BY 4.0 for record fields (https://creativecommons.org/licenses/by/4.0/)');
    expect(head).toContain(`This file again: ${address}. Its columns: `);
    expect(head!.endsWith('"')).toBe(true);
  });

  it.each([
    ['resultsGap=true&sort=daysOverdue', 'primaryCompletion', 18],
    ['resultsGap=true&gapClock=completion&gapMonths=12&sort=daysOverdue', 'completion', 12],
  ] as const)(
    'of ?%s has the day due and the days overdue by that clock, longest overdue first',
    async (query, clock, months) => {
      const rows = await readCsv(await (await take(`/trials.csv?${query}&header=names`)).text());
      const gap = await gateway.get(`/api/v1/trials/results-gap?gapClock=${clock}&gapMonths=${months}`);
      const { numerator, daysOverdue, asOf } = gap.body.data;
      expect(rows.length).toBe(numerator);
      const days = rows.map(({ days_overdue }) => Number(days_overdue));
      expect(days).toEqual(days.toSorted((a, b) => b - a));
      expect(days[0]).toBe(daysOverdue.longest);
      for (const { results_due, days_overdue } of rows) {
        expect(Date.parse(asOf) - Date.parse(results_due!)).toBe(Number(days_overdue) * 86_400_000);
      }
    },
  );

  it.each([
    ['status=recruiting&country=United+Kingdom', true],
    ['status=recruiting', false],
  ])(
    'of ?%s says of each trial what the search says of its sites there, in CSV and JSON Lines',
    async (query, says) => {
      const trials = await searched(query);
      const rows = await readCsv(await (await take(`/trials.csv?${query}&header=names`)).text());
      const lines = (await (await take(`/trials.jsonl?${query}`)).text()).trimEnd().split('\n').slice(1);
      expect(trials.length).toBeGreaterThan(0);
      expect(lines.map((line) => JSON.parse(line).siteStatus)).toEqual(trials.map(({ siteStatus }) => siteStatus));
      expect(rows.map((row) => [row.site_status, row.site_status_basis])).toEqual(
        trials.map(({ siteStatus }) => [siteStatus?.statuses.join(' | '), siteStatus?.basis]),
      );
      expect([trials[0]?.siteStatus !== undefined, Object.hasOwn(rows[0]!, 'site_status')]).toEqual([says, says]);
      const { tableSchema } = await (await take(`/trials.csv-metadata.json?${query}`)).json();
      const names: string[] = tableSchema.columns.map(({ name }: { name: string }) => name);
      expect(names.includes('site_status')).toBe(says);
    },
  );

  it('has a permanent address, which gives the same bytes also when another version is served', async () => {
    const response = await take('/trials.csv?q=pain');
    expect(response.headers.get('content-location')).toBe(`/trials.csv?q=pain&snapshot=${versions.newer}`);
    expect(response.headers.get('cache-control')).toBe('no-cache');
    expect(response.headers.get('content-disposition')).toBe(
      `attachment; filename="trials-pain-${versions.newer}.csv"`,
    );
    const permanent = await take(response.headers.get('content-location')!);
    expect(permanent.headers.get('cache-control')).toBe('public, max-age=31536000, immutable');
    expect(await permanent.text()).toBe(await response.text());
    const older = await take(`/trials.csv?q=pain&snapshot=${versions.older}`);
    const text = await older.text();
    expect(text.split('\r\n')[0]).toContain(`snapshot ${versions.older}, `);
    await using before = await twoVersions('older');
    await using served = await openGateway(before.snapshotsDir);
    const then = await served.app.fetch(new Request('http://test.example/trials.csv?q=pain'));
    expect(await then.text()).toBe(text);
  });

  it('describes its columns in the form of CSV on the Web', async () => {
    const response = await take('/trials.csv?q=pain');
    const [, link] = /^<http:\/\/test\.example(.+)>; rel="describedby"; type="application\/csvm\+json"$/.exec(
      response.headers.get('link')!,
    )!;
    const described = await take(link!);
    expect(described.headers.get('content-type')).toBe('application/csvm+json');
    const { tableSchema, url } = (await described.json()) as {
      url: string;
      tableSchema: { columns: { name: string; titles: string }[]; primaryKey: string };
    };
    expect(url).toBe(`http://test.example/trials.csv?q=pain&snapshot=${versions.newer}`);
    const rows = await readCsv(await response.text());
    expect(tableSchema.columns.map(({ titles }) => titles)).toEqual(Object.keys(rows[0]!));
    expect(tableSchema.columns.find(({ name }) => name === 'start_date')).toMatchObject({
      titles: 'Start date',
      datatype: 'string',
      'dc:description':
        'start of the study; empty: the registry left it blank, or states a text that is no date, which date_notes of the registration has',
    });
  });

  it('is not sent again to who holds it, and HEAD sends its headers alone', async () => {
    const head = await take('/trials.csv?q=pain', {}, 'HEAD');
    expect(head.status).toBe(200);
    expect(await head.text()).toBe('');
    const again = await take('/trials.csv?q=pain', { 'if-none-match': head.headers.get('etag')! });
    expect(again.status).toBe(304);
    const other = await take('/trials.csv?q=pains', { 'if-none-match': head.headers.get('etag')! });
    expect(other.status).toBe(200);
    await other.text();
    expect(gateway.index.exports.files).toBe(0);
  });
});

describe('a refused file', () => {
  it.each([
    ['/trials.csv?phase=9', 400, 'INVALID_PARAM'],
    ['/trials.jsonl?snapshot=20200101T000000Z-00000000', 404, 'NOT_FOUND'],
    ['/trials.ris?snapshot=yesterday', 400, 'INVALID_PARAM'],
  ])('%s is answered with %d %s, as a page to a browser', async (path, status, code) => {
    const asJson = await take(path);
    expect(asJson.status).toBe(status);
    expect(await asJson.json()).toMatchObject({ error: { code } });
    // Pages for people stand in no machine description.
    using _page = leaveUnchecked();
    const asPage = await take(path, { accept: 'text/html' });
    expect(asPage.status).toBe(status);
    expect(asPage.headers.get('content-type')).toBe('text/html; charset=utf-8');
    expect(await asPage.text()).toContain('<h1');
    expect(gateway.index.exports.files).toBe(0);
  });

  it('is the fifth of an address at once, and none once one was ended', async () => {
    const open = await Promise.all(Array.from({ length: 4 }, () => take('/trials.jsonl')));
    const fifth = await take('/trials.jsonl');
    expect(fifth.status).toBe(429);
    expect(Number(fifth.headers.get('retry-after'))).toBeGreaterThan(0);
    for (const response of open) await response.body!.cancel();
    expect(gateway.index.exports.files).toBe(0);
    const next = await take('/trials.jsonl');
    expect(next.status).toBe(200);
    await next.body!.cancel();
  });
});

describe('/trials.jsonl', () => {
  it.each(QUERIES)('has a line about itself, then the trials of the search ?%s as it shows them', async (query) => {
    const lines = (await (await take(`/trials.jsonl?${query}`)).text()).trimEnd().split('\n');
    const [about, ...trials] = lines.map((line) => JSON.parse(line));
    const found = await searched(query);
    expect(trials).toEqual(found);
    expect(about.about).toMatchObject({
      rows: { count: found.length, what: 'distinct trials', each: 'one a line' },
      snapshot: versions.newer,
      corpus: 'sample',
    });
  });
});

describe('/trials.ris', () => {
  it('has a reference for each trial, with tags that RIS knows', async () => {
    const response = await take('/trials.ris?q=diabetes&phase=2');
    expect(response.headers.get('content-type')).toBe('application/x-research-info-systems; charset=utf-8');
    const text = await response.text();
    const found = await searched('q=diabetes&phase=2');
    const references = text.split('ER  - \r\n\r\n').slice(0, -1);
    expect(references).toHaveLength(found.length);
    for (const [at, reference] of references.entries()) {
      const lines = reference.trimEnd().split('\r\n');
      expect(lines[0]).toBe('TY  - DATA');
      for (const line of lines) expect(line).toMatch(/^(TY|TI|AU|PY|DA|PB|DB|AN|ID|KW|N1|UR|L2|Y2) {2}- \S/);
      const trial = found[at]!;
      expect(lines).toContain(`TI  - ${trial.title!.replaceAll(/\s+/g, ' ').trim()}`);
      expect(lines).toContain(`UR  - ${trial.registrations[0]!.url}`);
      expect(lines).toContain(`ID  - ${trial.canonicalId}`);
      // The first says what the file is, the others where they came from.
      expect(lines.some((line) => line.includes('Query: q = diabetes, phase = 2'))).toBe(at === 0);
      expect(lines.some((line) => line.includes(`Trial Board, snapshot ${versions.newer}`))).toBe(true);
    }
  });
});
