import { XMLValidator } from 'fast-xml-parser';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { CHART_NAMES } from '../../contract/take-away.ts';
import { openGateway, type TestGateway } from '../support/gateway.ts';

let gateway: TestGateway;
beforeAll(async () => {
  gateway = await openGateway();
});
afterAll(() => gateway[Symbol.asyncDispose]());

async function take(path: string): Promise<{ status: number; headers: Headers; text: string }> {
  const response = await gateway.app.fetch(new Request(`http://test.example${path}`));
  return { status: response.status, headers: response.headers, text: await response.text() };
}

describe.each(CHART_NAMES)('the chart %s', (name) => {
  it('is a picture with a title, a description and its source', async () => {
    const { status, headers, text } = await take(`/charts/${name}.svg?registry=clinicaltrials_gov`);
    expect(status).toBe(200);
    expect(headers.get('content-type')).toBe('image/svg+xml; charset=utf-8');
    expect(XMLValidator.validate(text)).toBe(true);
    expect(text).toMatch(/^<svg [^>]+>\n<title>[A-Z][^<]+<\/title>\n<desc>[^<]+<\/desc>/);
    expect(text).toContain('>Trial Board, snapshot ');
    expect(text).not.toMatch(/var\(|<script|style="/);
  });

  it('is a page that others may frame, without a script', async () => {
    const { status, headers, text } = await take(`/charts/${name}.html`);
    expect(status).toBe(200);
    expect(headers.get('content-security-policy')).toContain('frame-ancestors *');
    expect(headers.get('content-security-policy')).toContain("default-src 'none'");
    expect(text).not.toContain('<script');
    expect(text).toContain('target="_top"');
    const narrowed = await take(`/charts/${name}.html?condition=diabetes`);
    expect(narrowed.text).toContain('<p>Only for condition = diabetes</p>');
  });

  it('has its numbers as CSV', async () => {
    const { status, text } = await take(`/charts/${name}.csv?header=names`);
    expect(status).toBe(200);
    const isShare = name === 'results-gap';
    expect(text.startsWith(`value,title,trials,${isShare ? 'among,share,' : ''}"About this file: `)).toBe(true);
  });
});

it('a chart counts what the read counts', async () => {
  const { body } = await gateway.get('/api/v1/trials/landscape?q=diabetes');
  const { text } = await take('/charts/phases.csv?q=diabetes');
  const rows = text
    .trimEnd()
    .split('\r\n')
    .slice(1)
    .map((line) => line.split(','));
  const phases = body.data.phases.filter(({ trials }: { trials: number }) => trials > 0);
  expect(rows.map(([value, , trials]) => [value, Number(trials)])).toEqual(
    phases.map(({ value, trials }: { value: string; trials: number }) => [value, trials]),
  );
});

it.each(['/charts/nothing.svg', '/charts/trend.png', '/charts/trend.svg?phase=9'])('%s is refused', async (path) => {
  expect((await take(path)).status).toBe(400);
});

it('/results-gap.csv has the shares of all and of each group, with the list behind each', async () => {
  const { body } = await gateway.get('/api/v1/trials/results-gap?by=phase&pageSize=100');
  const { text } = await take('/results-gap.csv?by=phase&header=names');
  const [head, ...rows] = text
    .trimEnd()
    .split('\r\n')
    .map((line) => line.split(','));
  expect(head!.slice(0, 6)).toEqual(['group', 'value', 'title', 'numerator', 'denominator', 'share']);
  expect(text.replaceAll('""', '"').replaceAll(/\s+/g, ' ')).toContain(
    body.data.definition.replace(/\.$/, '').slice(0, 60),
  );
  const { numerator, denominator, groups } = body.data;
  expect(rows[0]!.slice(3, 5)).toEqual([String(numerator), String(denominator)]);
  expect(rows.slice(1).map((row) => [row[1], row[3], row[4]])).toEqual(
    groups.values.map((one: Record<string, unknown>) => [one.value, String(one.numerator), String(one.denominator)]),
  );
});
