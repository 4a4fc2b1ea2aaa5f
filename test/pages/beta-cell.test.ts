import { execFileSync } from 'node:child_process';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { openRateLimiter } from '../../server-kit/limits/limits.ts';
import { openGateway, type TestGateway } from '../support/gateway.ts';
import { plainTables } from '../support/plain/plain-tables.ts';
import { gatewayPage } from '../support/read-page.ts';

const VISITS = '0 0.6\n13 0.66\n26 0.61\n39 0.53\n52 0.44';
const CUSTOM = {
  dataset: 'custom',
  id: 'invented',
  citation: 'https://example.org/invented',
  population: 'nobody',
  assay: 'invented',
  reportedUnit: 'pmol/mL',
  kind: 'synthetic',
  statistic: 'mean',
  controlLabel: 'nothing',
  control: VISITS,
  comparatorLabel: 'something',
  comparator: VISITS,
};

let sample: TestGateway;
let empty: string;
beforeAll(async () => {
  sample = await openGateway();
  empty = await mkdtemp(join(tmpdir(), 'trial-board-empty-'));
});
afterAll(async () => {
  await sample[Symbol.asyncDispose]();
  await rm(empty, { recursive: true });
});

async function page(
  query: string | Record<string, string>,
  { gateway = sample, headers = {} }: { gateway?: TestGateway; headers?: Record<string, string> } = {},
) {
  const search = typeof query === 'string' ? query : `?${new URLSearchParams(query)}`;
  const read = await gatewayPage(gateway, `/beta-cell${search}`, headers);
  return { ...read, text: plainTables(read.text) };
}

async function run(body: unknown) {
  const init = { method: 'POST', headers: { 'content-type': 'application/json' }, body: JSON.stringify(body) };
  return (await sample.get('/api/v1/twin/beta-cell', init)).body.data;
}

const TEXT: Record<string, string> = { '&amp;': '&', '&lt;': '<', '&gt;': '>', '&quot;': '"', '&#39;': "'" };
const plain = (markup: string): string => markup.replaceAll(/&(?:amp|lt|gt|quot|#39);/g, (entity) => TEXT[entity]!);

/** The markup of one form field, from its label on. */
function field(text: string, name: string): string {
  const from = text.indexOf(`<label for="${name}">`);
  expect(from, name).toBeGreaterThan(0);
  return text.slice(from, text.indexOf('</div>\n', from));
}

const hrefOf = (text: string, words: string): string =>
  plain(new RegExp(`<a href="([^"]+)">${words}</a>`).exec(text)?.[1] ?? 'no such link').replace('/beta-cell', '');

describe('a run', () => {
  it('has an address of its whole input that gives the same page, byte for byte, and is cached', async () => {
    const first = await page({ ...CUSTOM, recoveryRate: '.20' });
    expect(first.status).toBe(200);
    const address = hrefOf(first.text, 'The permanent address of this run');
    expect(Object.fromEntries(new URLSearchParams(address))).toEqual({
      ...CUSTOM,
      trainingThroughWeek: '39',
      recoveryRate: '0.2',
      durationWeeks: '52',
      immuneSuppression: '0.5',
      replacementContribution: '0.25',
      graftProtection: '0.8',
      graftAttrition: '0.01',
    });
    const second = await page(address);
    expect(second.text).toBe(first.text);
    const etag = second.headers.get('etag')!;
    expect((await page(address, { headers: { 'if-none-match': etag } })).status).toBe(304);
  });

  it('is the command below it too: a shell hands on exactly the input', async () => {
    const population = `it's $(id) "quoted" \\ \u202e!`;
    const { text } = await page({ ...CUSTOM, population, assay: 'tab and é 漢' });
    const command = plain(/<pre[^>]*><code>(curl -X POST [\s\S]*?)<\/code>/.exec(text)![1]!);
    expect(command).not.toContain('\u202e');
    const [address, body] = execFileSync('sh', ['-c', `curl() { printf '%s\\n' "$3" "$7"; }\n${command}`])
      .toString()
      .split('\n');
    expect(address).toBe('http://test.example/api/v1/twin/beta-cell');
    const input = JSON.parse(body!);
    expect(input.customDataset).toMatchObject({ population, assay: 'tab and é 漢' });
    expect((await run(input)).replay.input).toEqual(input);
  });
});

describe('a refused input', () => {
  it.each([
    ['recoveryRate', { recoveryRate: '0,1' }, 'Invalid input: expected number, received string.'],
    ['dataset', { dataset: 'clver' }, 'Not taken where dataset is clver; set dataset to custom to run it.'],
    ['durationWeeks', { durationWeeks: '53' }, 'Expected 52, 78 or 104.'],
    ['kind', { kind: '' }, 'Nothing was entered.'],
    ['control', { control: `${VISITS}\n65` }, 'Line 6: expected a week and a value.'],
    ['comparator', { comparator: VISITS.replace('26', '13') }, 'Line 3, week: weeks must be unique and increasing.'],
  ])('is said at its field, %s, with what was entered: %o', async (name, changes: Record<string, string>, message) => {
    const entered = { ...CUSTOM, ...changes };
    const { status, text } = await page(entered);
    expect(status).toBe(422);
    expect(text).toContain('<h1>The model was not run</h1>');
    const hint = name === 'kind' || name === 'statistic' ? '' : `${name}-hint `;
    expect(field(text, name)).toContain(`aria-describedby="${hint}${name}-fault" aria-invalid="true"`);
    expect(field(text, name)).toContain(message);
    expect(text).toContain(`<li><a href="#${name}">`);
    for (const [other, value] of Object.entries(entered)) if (value !== '') expect(field(text, other)).toContain(value);
    expect(text.match(/aria-invalid/g)?.length).toBe(1);
    expect(text).not.toContain('<svg');
  });

  it('with something that is no field is refused without repeating it', async () => {
    const { status, text } = await page({ dataset: 'clver', 'jane-doe-born-1970': 'insulin since 1999' });
    expect(status).toBe(400);
    expect(text).toContain('The address has a parameter that is not a field of this form.');
    expect(text).not.toMatch(/jane-doe|insulin since/);
  });

  it('with a field twice is refused at the field', async () => {
    const { status, text } = await page('?recoveryRate=0.1&recoveryRate=0.2');
    expect(status).toBe(400);
    expect(field(text, 'recoveryRate')).toContain('Given more than once.');
  });

  it('is markup to nobody', async () => {
    const hostile = `"></textarea></option><script>alert(1)</script><img src=x onerror=alert(1)>'\u202e`;
    const everywhere = Object.fromEntries(Object.keys(CUSTOM).map((name) => [name, hostile]));
    for (const { text } of [
      await page({ ...everywhere, recoveryRate: hostile }),
      await page({ ...CUSTOM, id: hostile, population: hostile, assay: hostile, controlLabel: hostile }),
    ]) {
      expect(text).not.toMatch(/<script(?! src=)|<img/);
      expect(text.match(/<\/textarea>/g)?.length).toBe(2);
    }
  });
});

describe('an address', () => {
  const full = (letter: string): Record<string, string> => {
    const week = (at: number): number => (at === 0 ? 0 : 84.25 + at * 0.25);
    const arm = Array.from({ length: 20 }, (_, at) => `${week(at)} ${0.1234567890123456 + at / 7}`).join('\r\n');
    const words = `${letter.repeat(4)} `.repeat(100);
    const labels = { id: words, population: words, assay: words, controlLabel: words, comparatorLabel: words };
    const texts = { ...labels, reportedUnit: words, citation: `https://a.b/${'x'.repeat(988)}` };
    return { ...CUSTOM, ...texts, control: arm, comparator: arm };
  };

  it('can hold the largest input of plain letters', async () => {
    const { status, text } = await page(full('a'));
    expect(status).toBe(200);
    expect(hrefOf(text, 'The permanent address of this run').length).toBeGreaterThan(5000);
  });

  it('that is longer than 8,000 characters is not run; the page says how to, with the input', async () => {
    const { status, text } = await page(full('é'));
    expect(status).toBe(414);
    expect(text).toMatch(/does not fit the 8,000 characters of an address; run it over the API.*curl -X POST/s);

    expect(Buffer.byteLength(text)).toBeLessThan(100_000);
  });
});

describe('a run that cannot be made', () => {
  it('of data that are not there is 503 in the words of the operation, and the form is kept', async () => {
    await using nothing = await openGateway(empty);
    const { status, text } = await page({ dataset: 'clver', recoveryRate: '0.25' }, { gateway: nothing });
    expect(status).toBe(503);
    expect(text).toContain('<a href="/docs/errors/DATASET_UNAVAILABLE">');
    expect(text).toContain('The dataset clver is not available: the index serves no snapshot yet.');
    expect(field(text, 'recoveryRate')).toContain('value="0.25"');
    expect((await page(CUSTOM, { gateway: nothing })).status).toBe(200);
  });

  it('is charged as a run, and one too many is said to be that', async () => {
    await using limiter = await openRateLimiter('memory');
    await using gateway = await openGateway(undefined, undefined, { limiter });
    for (const _ of [1, 2, 3, 4, 5, 6]) expect((await page({ dataset: 'clver' }, { gateway })).status).toBe(200);
    const { status, text } = await page({ dataset: 'clver', recoveryRate: '0.3' }, { gateway });
    expect(status).toBe(429);
    expect(text).toContain('<a href="/docs/errors/WRITE_RATE_LIMITED">');
    expect(field(text, 'recoveryRate')).toContain('value="0.3"');
    expect((await page('', { gateway })).status).toBe(200);
  });
});
