import { XMLValidator } from 'fast-xml-parser';
import { beforeAll, describe, expect, it } from 'vitest';
import { CHART_NAMES, type ChartName } from '../../contract/interfaces/charts.ts';
import { openGateway, type TestGateway } from '../support/gateway.ts';
import { ofFile } from '../support/of-file.ts';
import { leaveUnchecked } from '../support/runner/openapi-check.ts';
import { twoVersions } from '../support/two-versions.ts';

const versions = ofFile(() => twoVersions());
/** Both versions where the older one is served. */
const versionsBefore = ofFile(() => twoVersions('older'));
const gateway = ofFile(() => openGateway(versions.snapshotsDir));
const before = ofFile(() => openGateway(versionsBefore.snapshotsDir));
/** With sites that have coordinates, in both versions. */
let trial: string;
beforeAll(async () => {
  const search = '/api/v1/trials/search?registry=clinicaltrials_gov&pageSize=20';
  const idsOf = async (from: TestGateway): Promise<string[]> =>
    (await from.get(search)).body.data.trials.map(({ canonicalId }: { canonicalId: string }) => canonicalId);
  const then = await idsOf(before);
  trial = (await idsOf(gateway)).find((id) => then.includes(id))!;
});

async function take(path: string, at = gateway): Promise<{ status: number; headers: Headers; text: string }> {
  const response = await at.app.fetch(new Request(`http://test.example${path}`));
  return { status: response.status, headers: response.headers, text: await response.text() };
}

/** What each picture is of here, and the first line of its numbers. */
const ASKED: Record<ChartName, readonly [query: string, head: string] | null> = {
  coverage: ['', 'registry,title,only_here,in_both,trials,registrations,data_day,note'],
  phases: ['q=diabetes', 'value,title,trials,note'],
  statuses: ['q=diabetes', 'value,title,trials,note'],
  'sponsor-classes': ['q=diabetes', 'value,title,trials,note'],
  trend: ['q=diabetes', 'value,title,trials,note'],
  'phases-by-year': ['q=diabetes', 'year,phase,phases,trials,note'],
  'results-gap': ['by=phase', 'value,title,trials,among,share,note'],
  timeline: ['trial=', 'event,from,to,state,stated_by'],
  sites: ['trial=', 'country,facility,city,state,status,latitude,longitude,registry,note'],
  'versions-trials': ['', 'version,published,as_of,trials,bytes'],
  'versions-bytes': ['', 'version,published,as_of,trials,bytes'],
  'attention-kinds': ['days=7', 'day,capital,title,items'],
  'attention-items': ['', 'day,items'],
  'beta-cell-fit': ['dataset=clver', 'line,week,value'],
  'beta-cell-plan': ['dataset=clver', 'week,unperturbed,native,graft,total'],
  'beta-cell-combinations': ['dataset=clver', 'combination,suppression,replacement,protection,native,graft,total'],
  'patient-model-needs': ['', 'data,module,needed,purpose'],
  // Needs a board: test/pages/every-page.deep.test.ts opens its files.
  lineage: null,
};
const PICTURED = CHART_NAMES.filter((name) => ASKED[name] !== null);

function queryOf(name: ChartName): string {
  const [query] = ASKED[name]!;
  return query === 'trial=' ? `trial=${trial}` : query;
}

describe.each(PICTURED)('the picture %s', (name) => {
  it('is SVG with a title, a description and its source', async () => {
    const { status, headers, text } = await take(`/charts/${name}.svg?${queryOf(name)}`);
    expect(status, text).toBe(200);
    expect(headers.get('content-type')).toBe('image/svg+xml; charset=utf-8');
    expect(XMLValidator.validate(text)).toBe(true);
    expect(text).toMatch(/^<svg [^>]+>\n<title>[A-Z][^<]+<\/title>\n<desc>[^<]+<\/desc>/);
    expect(text).toContain('>Trial Board, snapshot ');
    expect(text).not.toContain('There is nothing to draw');
    expect(text).not.toMatch(/var\(|<script|style="/);
  });

  it('has its numbers as CSV, at an address that stays for the version that it names', async () => {
    const { status, headers, text } = await take(`/charts/${name}.csv?${queryOf(name)}&header=names`);
    expect(status, text).toBe(200);
    expect(text.startsWith(`${ASKED[name]![1]},"About this file: `), text.slice(0, 200)).toBe(true);
    expect(text.trimEnd().split('\r\n').length).toBeGreaterThan(1);
    const permanent = headers.get('content-location')!;
    expect(permanent).toContain(`snapshot=${versions.newer}`);
    expect(text.replaceAll('""', '"')).toContain(`This file again: http://test.example${permanent}`);
    const again = await take(permanent);
    expect(again.text).toBe(text);
    const isWhole = !name.startsWith('versions-');
    expect(again.headers.get('cache-control')).toBe(isWhole ? 'public, max-age=31536000, immutable' : 'no-cache');
  });

  it('of a version that is not served is as that version has it', async () => {
    const served = await take(`/charts/${name}.csv?${queryOf(name)}&snapshot=${versions.older}`);
    expect(served.status, served.text).toBe(200);
    const then = await take(`/charts/${name}.csv?${queryOf(name)}&snapshot=${versions.older}`, before);
    expect(served.text).toBe(then.text);
    expect(served.text).toContain(`snapshot ${versions.older}`);
  });
});

it('a client cannot have the reads of an operation answered from another version', async () => {
  const request = new Request('http://test.example/api/v1/trials/coverage', {
    headers: { 'x-answer-from-version': versions.older },
  });
  const { _meta } = (await (await gateway.app.fetch(request)).json()) as { _meta: { snapshot: string } };
  expect(_meta.snapshot).toBe(versions.newer);
});

it('a picture says its filters in words', async () => {
  const trend = await take('/charts/trend.svg?condition=diabetes');
  expect(trend.text).toContain('; condition: diabetes');
  const gap = await take('/charts/results-gap.svg?sponsorClass=industry&gapMonths=12&by=sponsor&pageSize=5');
  expect(gap.text).toContain('; class of the sponsor: Industry, months until results are due: 12');
});

it('the numbers of the results gap credit the one registry that they count', async () => {
  const { text } = await take('/charts/results-gap.csv?by=phase');
  expect(text.match(/[\d,]+ registrations held here/g)).toHaveLength(1);
  expect(text).toContain('Source: ClinicalTrials.gov (U.S. National Library of Medicine), data of ');
});

function rowsOf(text: string): string[][] {
  return text
    .trimEnd()
    .split('\r\n')
    .slice(1)
    .map((line) => line.split(','));
}

it.each([
  ['/charts/trend.svg?conditon=diabetes', 'conditon', 'Did you mean condition'],
  ['/charts/trend.svg?by=phase', 'by', 'is not known here'],
  ['/charts/lineage.csv?finding=fnd_x&snapshot=20200101T000000Z-00000000', 'snapshot', 'is not known here'],
])('%s is refused by the name %s', async (path, parameter, words) => {
  const { status, text } = await take(path);
  expect(status).toBe(400);
  const { error } = JSON.parse(text) as { error: { parameter: string; message: string } };
  expect(error.parameter).toBe(parameter);
  expect(error.message).toContain(words);
});

it('/results-gap.csv has a row for each group and none for the total, with the list behind each and its files', async () => {
  const { body } = await gateway.get('/api/v1/trials/results-gap?by=phase&pageSize=100');
  const { text, headers } = await take('/results-gap.csv?by=phase&header=names');
  const [head, ...rows] = text
    .trimEnd()
    .split('\r\n')
    .map((line) => line.split(','));
  expect(head!.slice(0, 6)).toEqual(['group', 'value', 'title', 'numerator', 'denominator', 'share']);
  const { numerator, denominator, groups } = body.data;
  expect(text).toContain(`without posted results: ${numerator} of ${denominator} in all. `);
  expect(rows.map((row) => [row[1], row[3], row[4]])).toEqual(
    groups.values.map((one: Record<string, unknown>) => [one.title, String(one.numerator), String(one.denominator)]),
  );
  const list = new URL(rows.find((row) => row[3] !== '0')!.at(-2)!);
  expect(list.pathname).toBe('/trials.csv');
  const listed = await take(list.pathname + list.search);
  expect(listed.text).toContain(',Results due,Days overdue,');
  expect(headers.get('content-location')).toBe(`/results-gap.csv?by=phase&header=names&snapshot=${versions.newer}`);
});

it('a file is refused as a page to a browser, and is 304 to a caller that holds it', async () => {
  const ask = (path: string, headers: Record<string, string>) =>
    gateway.app.fetch(new Request(`http://test.example${path}`, { headers }));
  const { headers } = await take('/charts/phases.csv');
  expect((await ask('/charts/phases.csv', { 'if-none-match': headers.get('etag') ?? '' })).status).toBe(304);
  using _page = leaveUnchecked();
  const refused = await ask('/results-gap.csv?by=nothing', { accept: 'text/html' });
  expect([refused.status, refused.headers.get('content-type')]).toEqual([400, 'text/html; charset=utf-8']);
});

it('a phase is written as the search takes it and no spreadsheet takes for a day', async () => {
  const rows = rowsOf((await take('/charts/phases.csv')).text);
  expect(rows.map(([value]) => value)).toContain('Phase 1/2');
  for (const [value, , trials] of rows) {
    const { body } = await gateway.get(
      `/api/v1/trials/search?phase=${encodeURIComponent(value!)}&phaseMatch=exact&pageSize=1`,
    );
    expect(String(body._meta.pagination.totalItems), value).toBe(trials);
  }
});
