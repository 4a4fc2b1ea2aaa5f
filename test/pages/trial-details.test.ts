import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { titleOfField } from '../../gateway/pages/words/trials.ts';
import { COMPARED_FIELDS } from '../../snapshot/format/field-comparison.ts';
import { openGateway, type TestGateway } from '../support/gateway.ts';
import { plainTables } from '../support/plain/plain-tables.ts';

/** A trial of the sample corpus that is in both registries. */
const BOTH = 'NCT90000183';

let gateway: TestGateway;
beforeAll(async () => {
  gateway = await openGateway();
});
afterAll(() => gateway[Symbol.asyncDispose]());

async function page(path: string): Promise<{ status: number; text: string }> {
  const response = await gateway.app.fetch(
    new Request(`http://test.example${path}`, { headers: { accept: 'text/html' } }),
  );
  return { status: response.status, text: plainTables(await response.text()) };
}

const plain = (html: string): string =>
  html
    .replaceAll(/<[^>]*>/g, '')
    .replaceAll('&lt;', '<')
    .replaceAll('&quot;', '"')
    .replaceAll('&#39;', "'")
    .replaceAll('&amp;', '&');

/** What the page says under a title, in the parts from the summary to the registrations side by side. */
function told(text: string, title: string): string | undefined {
  const study = text.split('id="summary"')[1]!.split('id="sides"')[0]!;
  const value =
    study.split(`<dt>${title}</dt><dd>`)[1]?.split('</dd>')[0] ??
    study.match(new RegExp(`<summary>${title}: \\d+</summary>([\\s\\S]*?)</details>`))?.[1];
  return plain(value ?? '') || undefined;
}

describe('what a trial page tells of the study', () => {
  it('names who says what, and says once what both state', async () => {
    const { text } = await page(`/trials/${BOTH}`);
    expect(told(text, 'Sex')).toBe('both registries: All');
    expect(told(text, 'Age')).toBe('ClinicalTrials.gov: 18 years and olderISRCTN registry: 18 years to 90 years');
    expect(told(text, 'Healthy volunteers')).toBe('both registries: May not take part');
    expect(told(text, 'Allocation')).toBe('both registries: Randomized');
    expect(told(text, 'Purpose')).toBe('ClinicalTrials.gov only: Supportive care');
    expect(told(text, 'Sponsors')).toBe('both registries: Veltrane Pharma 20 (Industry)');
    expect(told(text, 'Funders')).toBe('ISRCTN registry only: Investigator initiated and funded');
    expect(told(text, 'Data of participants')).toBe('ClinicalTrials.gov: NoISRCTN registry: Yes');
    expect(told(text, 'Secondary outcomes')).toBe(
      'ClinicalTrials.gov: Ejection fraction [time frame: From enrollment to the end of treatment at 8 weeks]ISRCTN registry: Remission at the end of treatment [time frame: not stated]',
    );
    expect(plain(text.split('id="identifiers"')[1]!)).toContain('2026-589004-10-00 (CTIS)');
    expect(text).toContain('href="https://cdn.clinicaltrials.gov/large-docs/83/NCT90000183/SAP_000.pdf"');
    expect(text).toContain('<summary>Criteria, as the registry words them</summary>');
  });

  it('leaves out what no registration states', async () => {
    const { text } = await page(`/trials/${BOTH}`);
    for (const title of ['Why it stopped', 'Collaborators', 'Other outcomes', 'Masking in prose', 'When']) {
      expect([title, told(text, title)]).toEqual([title, undefined]);
    }
  });

  it('names no registry where there is one registration, and tells why a study stopped', async () => {
    const { body } = await gateway.get(
      '/api/v1/trials/search?status=terminated&registry=clinicaltrials_gov&inBoth=false',
    );
    const stopped = await gateway.get(`/api/v1/trials/${body.data.trials[0].canonicalId}`);
    const [{ fields }] = stopped.body.data.registrations;
    const { text } = await page(`/trials/${stopped.body.data.canonicalId}`);
    expect(fields.whyStopped).toEqual(expect.any(String));
    expect(plain(text)).toContain(`Why it stopped: ${fields.whyStopped}`);
    expect(text.split('id="summary"')[1]!.split('id="sites"')[0]).not.toContain('ClinicalTrials.gov');
  });

  it('links a trial of two registrations to their comparison, and no other', async () => {
    const { text } = await page(`/trials/${BOTH}`);
    expect(text).toContain('<a href="/trials/wt_r1r6vb1x9ja8/compare">Compare every field of the registrations</a>');
    const { body } = await gateway.get('/api/v1/trials/search?inBoth=false&pageSize=1');
    expect((await page(`/trials/${body.data.trials[0].canonicalId}`)).text).not.toContain('/compare"');
  });
});

interface Named {
  namedInConflicts: boolean;
}

describe('the page that compares registrations', () => {
  /** Titles of the fields in the table under this heading. */
  const fieldsUnder = (text: string, verdict: string): string[] =>
    [
      ...(text.split(`id="verdict-${verdict}"`)[1]?.split('</section>')[0] ?? '').matchAll(
        /<th scope="row">(.*?)<\/th>/g,
      ),
    ].map(([, title]) => title!);

  it('has every field under its verdict, as the operation answers', async () => {
    const { body } = await gateway.get(`/api/v1/trials/${BOTH}/compare`);
    const { status, text } = await page(`/trials/${BOTH}/compare`);
    expect(status).toBe(200);
    for (const verdict of ['differs', 'equal-after', 'only-in', 'equal']) {
      const expected = body.data.fields
        .filter((one: { verdict: string }) => one.verdict === verdict)
        .sort((a: Named, b: Named) => Number(b.namedInConflicts) - Number(a.namedInConflicts))
        .map(({ field }: { field: string }) => titleOfField(field));
      expect(expected.length).toBeGreaterThan(0);
      expect([verdict, fieldsUnder(text, verdict)]).toEqual([verdict, expected]);
    }
    expect(text).toContain('<dt>Differ</dt><dd><a class="count" href="#verdict-differs">11</a> fields</dd>');
    expect(plain(text)).toContain('Not stated at all: Acronym, ');
    expect(text).toContain('<link rel="canonical" href="http://test.example/trials/wt_r1r6vb1x9ja8/compare">');
  });

  it('shows both values in words, what was set aside, and where a registry has no such field', async () => {
    const { text } = await page(`/trials/${BOTH}/compare`);
    const row = (title: string): string =>
      plain((text.split(`<th scope="row">${title}</th>`)[1] ?? '').split('</tr>')[0]!.replaceAll('</td><td>', ' | '));
    expect(row('Enrolment')).toBe('337; actual | 333; actual');
    expect(row('Data of participants')).toBe('No | Yes');
    expect(row('Status')).toBe('Completed');
    expect(row('Started')).toBe(
      'a day and a month are compared as months; whether a date or a number is actual or estimated is set aside | 2025-06 | 2025-06-18',
    );
    expect(row('Keywords')).toMatch(/ \| the registry has no such field$/);
    expect(row('Oldest age, in years')).toBe('not stated | 90');
  });

  it('says that nothing can differ where there is one registration', async () => {
    const { body } = await gateway.get('/api/v1/trials/search?registry=isrctn&inBoth=false&pageSize=1');
    const { status, text } = await page(`/trials/${body.data.trials[0].canonicalId}/compare`);
    expect(status).toBe(200);
    expect(plain(text)).toContain(
      'so that nothing can differ. This index holds no registration of it from the ClinicalTrials.gov',
    );
    expect(fieldsUnder(text, 'differs')).toEqual([]);
  });

  it('is a failure page for an id that nothing holds', async () => {
    const { status, text } = await page('/trials/NCT99999999/compare');
    expect(status).toBe(404);
    expect(text).toContain('TRIAL_NOT_FOUND');
  });

  it('knows a title for every field that is compared', () => {
    expect(COMPARED_FIELDS.map(({ name }) => name).filter((name) => titleOfField(name) === name)).toEqual([]);
  });
});
