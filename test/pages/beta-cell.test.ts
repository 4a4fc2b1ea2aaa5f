import { execFileSync } from 'node:child_process';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { BETA_CELL_EXAMPLE } from '../../contract/operations/research/twin-beta-cell.ts';
import { openRateLimiter } from '../../server-kit/limits/limits.ts';
import { openGateway, type TestGateway } from '../support/gateway.ts';
import { plainTables } from '../support/plain/plain-tables.ts';

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

interface Shown {
  status: number;
  headers: Headers;
  text: string;
}

async function page(
  query: string | Record<string, string>,
  { gateway = sample, headers = {} }: { gateway?: TestGateway; headers?: Record<string, string> } = {},
): Promise<Shown> {
  const search = typeof query === 'string' ? query : `?${new URLSearchParams(query)}`;
  const response = await gateway.app.fetch(new Request(`http://test.example/beta-cell${search}`, { headers }));
  return { status: response.status, headers: response.headers, text: plainTables(await response.text()) };
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

describe('the form', () => {
  it('has every field of the input with its bounds and its default, as the operation has them', async () => {
    const { status, text } = await page('');
    expect(status).toBe(200);
    const notes = [...text.matchAll(/<p class="hint" id="([A-Za-z]+)-hint">([^<]*)<\/p>/g)];
    expect(Object.fromEntries(notes.map(([, name, words]) => [name, words]))).toEqual({
      dataset: 'clver, or custom with a customDataset',
      trainingThroughWeek: 'visits after this week stay out of the fit; above 0, at most 90; 39 if left empty',
      recoveryRate: 'per week: an assumption that the fit takes as given; 0.02 to 0.3; 0.1 if left empty',
      durationWeeks: 'length of the planner curves: 52, 78 or 104',
      immuneSuppression: 'share of the immune loss that is removed; 0 to 1; 0.5 if left empty',
      replacementContribution: 'graft at week 0 over functional native mass; 0 to 2; 0.25 if left empty',
      graftProtection: 'share of the remaining immune loss that does not reach the graft; 0 to 1; 0.8 if left empty',
      graftAttrition: 'per week: loss of the graft that is not immune; 0 to 0.1; 0.01 if left empty',
      id: 'your name for the data; 3 to 500 characters',
      citation:
        'where the source can be read: an http or https address, or a DOI as doi:10.1000/182; at most 1,000 characters',
      population: 'who was measured, in aggregate; never a person; 3 to 500 characters',
      assay: 'what was measured and how; 3 to 500 characters',
      reportedUnit: 'unit exactly as the source prints it; 3 to 500 characters',
      controlLabel: 'what the arm received; 3 to 500 characters',
      control:
        'one point a visit, weeks increasing; the first is the origin of the fit, and every ratio is to it; a line for each visit, “week value”: 5 to 20 lines, week 0 to 104 in steps of 0.25, value above 0, at most 1,000,000',
      comparatorLabel: 'what the arm received; 3 to 500 characters',
      comparator:
        'one point a visit, weeks increasing; the first is the origin of the fit, and every ratio is to it; a line for each visit, “week value”: 5 to 20 lines, week 0 to 104 in steps of 0.25, value above 0, at most 1,000,000',
    });
    expect(field(text, 'recoveryRate')).toContain('value="0.1"');
    expect(field(text, 'durationWeeks')).toContain(
      '<option value="52" selected>52</option><option value="78">78</option><option value="104">104</option>',
    );
    expect(text).toContain("curl 'http://test.example/api/v1/twin/beta-cell'".replaceAll("'", '&#39;'));
    expect(text).not.toContain('aria-invalid');
  });

  it('says why the cited data cannot be used, and offers no link to a run of them', async () => {
    await using nothing = await openGateway(empty);
    const { status, text } = await page('', { gateway: nothing });
    expect(status).toBe(200);
    expect(text).toContain('cannot be used now: the index serves no snapshot yet.');
    expect(text).not.toContain('?dataset=clver"');
  });
});

describe('a run', () => {
  it('of the example that the form links shows what the operation answers', async () => {
    const { status, text } = await page(hrefOf((await page('')).text, 'an invented example'));
    expect(status).toBe(200);
    const { fit, replay, planner } = await run(BETA_CELL_EXAMPLE);
    expect(text).toContain('<h1>A run of custom data</h1>');
    expect(text).toContain('<strong>Synthetic data.</strong>');
    expect(text.match(/<svg /g)?.length).toBe(3);
    expect(text).toContain(
      '<p class="lead">At week 52, C-peptide stands at 117 % of its level at week 0 with the hypothetical plan, and at 77 % without it.</p>',
    );
    for (const value of [fit.control.lossRate, fit.comparator.stressRatio, planner.combinations[7].total]) {
      expect(text).toContain(`<td class="number">${Number(value.toPrecision(4))}</td>`);
    }
    for (const name of ['none', 'P', 'R', 'R + P', 'S', 'S + P', 'S + R', 'S + R + P']) {
      expect(text).toContain(`<th scope="row">${name}</th>`);
    }
    for (const hash of [replay.inputSha256, replay.datasetChecksum, replay.resultSha256]) expect(text).toContain(hash);
    expect(field(text, 'control')).toContain('>\n0 0.6\n13 0.66\n26 0.61\n39 0.53\n52 0.44</textarea>');
  });

  it('of the cited data says from which snapshot and record they are, and that a sample is synthetic', async () => {
    const { status, text } = await page({ dataset: 'clver' });
    expect(status).toBe(200);
    const { replay } = await run({});
    expect(text).toContain('<h1>A run of the cited data</h1>');
    expect(text).toContain(`<a href="/snapshots/${replay.snapshot}">`);
    expect(text).toContain('<a href="/trials?q=NCT04233034">NCT04233034</a>');
    expect(text).toContain('<strong>Synthetic data.</strong>');
    expect(text).toContain('52</td><td>held-out</td>');
    expect(text).toContain('anything about one person');
  });

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
    const [second, third] = [await page(address), await page(address)];
    expect(second.text).toBe(first.text);
    expect(third.text).toBe(first.text);
    const etag = second.headers.get('etag')!;
    expect((await page(address, { headers: { 'if-none-match': etag } })).status).toBe(304);
  });

  it('is the command below it too: a shell hands on exactly the input', async () => {
    const { text } = await page({ ...CUSTOM, population: `it's $(id) "quoted" \\ \u202e!`, assay: 'tab and é 漢' });
    const command = plain(/<pre[^>]*><code>(curl -X POST [\s\S]*?)<\/code>/.exec(text)![1]!);
    expect(command).not.toContain('\u202e');
    const [address, body] = execFileSync('sh', ['-c', `curl() { printf '%s\\n' "$3" "$7"; }\n${command}`])
      .toString()
      .split('\n');
    expect(address).toBe('http://test.example/api/v1/twin/beta-cell');
    const input = JSON.parse(body!);
    expect([input.customDataset.population, input.customDataset.assay]).toEqual([
      `it's $(id) "quoted" \\ \u202e!`,
      'tab and é 漢',
    ]);
    expect((await run(input)).replay.input).toEqual(input);
  });

  it('whose control cannot be fitted says so in the place of the plan', async () => {
    const { status, text } = await page({ ...CUSTOM, trainingThroughWeek: '12' });
    expect(status).toBe(200);
    expect(text).toContain('<code>too-few-visits</code>');
    expect(text).toContain('it needs the fit of the control arm, which could not be made');
    expect(text.match(/<svg /g)?.length).toBe(1);
  });
});

describe('a refused input', () => {
  it.each([
    ['recoveryRate', { recoveryRate: '9' }, 'Too big: expected number to be &lt;=0.3.'],
    ['recoveryRate', { recoveryRate: '0,1' }, 'Invalid input: expected number, received string.'],
    ['graftAttrition', { graftAttrition: '1e999' }, 'Invalid input: expected number, received string.'],
    ['dataset', { dataset: 'other' }, 'Invalid option: expected one of &quot;clver&quot;|&quot;custom&quot;.'],
    ['dataset', { dataset: 'clver' }, 'Not taken where dataset is clver; set dataset to custom to run it.'],
    ['durationWeeks', { durationWeeks: '53' }, 'Expected 52, 78 or 104.'],
    ['kind', { kind: '' }, 'Nothing was entered.'],
    ['kind', { kind: 'real' }, 'Invalid option: expected one of &quot;experimental&quot;|&quot;synthetic&quot;.'],
    ['citation', { citation: 'a.b' }, 'Expected an http or https address, or a DOI as doi:10.1000/182.'],
    ['comparatorLabel', { comparatorLabel: '' }, 'Nothing was entered.'],
    ['control', { control: '' }, 'Nothing was entered.'],
    ['control', { control: '0 0.6' }, 'Too small: expected array to have &gt;=5 items.'],
    ['control', { control: `\n${VISITS}\n65 -1` }, 'Line 7, value: Too small: expected number to be &gt;0.'],
    ['control', { control: `${VISITS}\n65` }, 'Line 6: expected a week and a value.'],
    ['comparator', { comparator: VISITS.replace('26', '13') }, 'Line 3, week: weeks must be unique and increasing.'],
    ['comparator', { comparator: VISITS.replace('26', '26.1') }, 'Line 3, week: expected a multiple of 0.25.'],
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

  it('without an option chosen names the field that is beside the choice', async () => {
    const { status, text } = await page({ ...CUSTOM, dataset: '' });
    expect(status).toBe(422);
    expect(field(text, 'dataset')).toContain('Not taken where dataset is clver');
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

  it('with a fault on every line stays a small page', async () => {
    const { text } = await page({ ...CUSTOM, control: 'x\n'.repeat(20) });
    expect(field(text, 'control')).toContain('Line 5: expected a week and a value.');
    expect(field(text, 'control')).not.toContain('Line 6');
    expect(field(text, 'control')).toContain('And 15 more.');
    const many = await page({ ...CUSTOM, control: 'x\n'.repeat(1500) });
    expect(many.status).toBe(422);
    expect(Buffer.byteLength(many.text)).toBeLessThan(60_000);
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
  const full = (letter: string, most: number): Record<string, string> => {
    const arm = (step: number) =>
      Array.from(
        { length: most },
        (_, at) => `${84.25 + (at === 0 ? -84.25 : at * step)} ${0.1234567890123456 + at / 7}`,
      ).join('\r\n');
    const words = `${letter.repeat(4)} `.repeat(100);
    return {
      ...CUSTOM,
      ...{
        id: words,
        population: words,
        assay: words,
        reportedUnit: words,
        controlLabel: words,
        comparatorLabel: words,
      },
      citation: `https://a.b/${'x'.repeat(988)}`,
      control: arm(0.25),
      comparator: arm(0.25),
    };
  };

  it('can hold the largest input of plain letters', async () => {
    const { status, text } = await page(full('a', 20));
    expect(status).toBe(200);
    expect(hrefOf(text, 'The permanent address of this run').length).toBeGreaterThan(5000);
  });

  it('that is longer than 8,000 characters is not run; the page says how to, with the input', async () => {
    const { status, text } = await page(full('é', 20));
    expect(status).toBe(414);
    expect(text).toContain(
      'This input does not fit the 8,000 characters of an address; run it over the API, as below.',
    );
    expect(text).toContain('curl -X POST');
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
