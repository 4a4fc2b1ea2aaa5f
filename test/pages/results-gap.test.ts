import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { nextResultsGapTrial } from '../../contract/operations/board/results-gap.ts';
import { FailedRead } from '../../gateway/pages/reads.ts';
import { waitingTrial } from '../../gateway/pages/results-gap/agents-part.ts';
import { openOrigin, type TestOrigin } from '../support/origin.ts';
import { readPage } from '../support/read-page.ts';

const SUBMIT = '/api/v1/work/results-gap';

let origin: TestOrigin;
beforeAll(async () => {
  origin = await openOrigin();
});
afterAll(() => origin[Symbol.asyncDispose]());

const next = async (): Promise<string> => (await origin.get(`${SUBMIT}/next`)).body.data.trial.nctId;
const report = (nctId: string, agentName: string, more: object) =>
  origin.send(SUBMIT, { agentName, nctId, outcome: 'publication', searchStrategy: 'PubMed by the id.', ...more });

describe('the results-gap page', () => {
  it('begins with a sentence that has numerator, denominator, share, clock and day, and links both numbers to their lists', async () => {
    const { data } = (await origin.get('/api/v1/trials/results-gap')).body;
    const { status, text, markup } = await readPage(origin, '/results-gap');
    expect(status).toBe(200);
    expect(text).toContain(
      `${data.numerator} of ${data.denominator} completed interventional trials (${(data.share * 100).toFixed(1)} %) had no results posted, 18 months or more after their primary completion`,
    );
    expect(markup).toContain(`<a class="count" href="/trials?resultsGap=true">${data.numerator}</a>`);
    expect(markup).toContain(`<a class="count" href="/trials?resultsDue=true">${data.denominator}</a>`);
    const { data: sources } = (await origin.get('/api/v1/sources')).body;
    const { registrations } = sources.sources.find(
      ({ registry }: { registry: string }) => registry === 'clinicaltrials_gov',
    );
    expect(data.held).toBe(registrations);
    expect(text).toContain(`, of 1 October 2026 (${registrations} registrations held here), ${data.numerator} of `);
    expect(text).toContain('ISRCTN is not covered');
    expect(markup).toContain('"@type":"Dataset"');
    expect(text).toContain('Synthetic sample corpus.');
    expect(text).toContain('No report on a trial of the population is confirmed.');
  });

  it('counts what the address asks for, and every number of a group leads to a list of exactly so many', async () => {
    const { data } = (await origin.get('/api/v1/trials/results-gap?phase=2&gapMonths=12&by=sponsorClass')).body;
    const { text, markup } = await readPage(origin, '/results-gap?phase=2&gapMonths=12&by=sponsorClass');
    expect(text).toContain(`${data.numerator} of ${data.denominator} completed interventional trials (phase: Phase 2)`);
    const [group] = data.groups.values;
    const query = new URLSearchParams({ ...data.groups.queries.numerator, ...group.query });
    expect(markup).toContain(`href="/trials?${String(query).replaceAll('&', '&amp;')}">${group.numerator}</a>`);
    const found = (await origin.get(`/api/v1/trials/search?${query}`)).body;
    expect(found._meta.pagination.totalItems).toBe(group.numerator);
  });

  it('names the clock in a chip that removes it, here and above the list, whose days count from it', async () => {
    const given = 'sponsorClass=industry&gapMonths=12';
    const { markup, text } = await readPage(origin, `/results-gap?${given}`);
    const clock = 'Months until results are due: <bdi>12</bdi>';
    expect(markup).toContain(clock);
    expect(markup).toContain('<select id="gap-sponsorClass" name="sponsorClass">');
    const list = await readPage(origin, `/trials?${given}&resultsGap=true&sort=daysOverdue`);
    expect(list.markup).toContain(clock);
    expect(list.markup).toContain('href="/trials?sponsorClass=industry&amp;resultsGap=true&amp;sort=daysOverdue"');
    expect(list.text).toContain('Days overdue count from 12 months after primary completion');
    const { data } = (await origin.get(`/api/v1/trials/results-gap?${given}`)).body;
    const longest = data.daysOverdue.longest.toLocaleString('en-GB');
    expect(text).toContain(` ${longest} `);
    expect(list.text).toContain(`No results, ${longest} days overdue`);
  });

  it('names the call that gives the same answer first, with its filters, and whose the numbers of agents are', async () => {
    const { markup, text } = await readPage(origin, '/results-gap?phase=2');
    const calls = markup.split('id="same-answer"')[1]!;
    expect(calls.indexOf('/api/v1/trials/results-gap?by=disease&amp;pageSize=5&amp;phase=2')).toBeGreaterThan(0);
    expect(calls.indexOf('/api/v1/trials/results-gap?')).toBeLessThan(calls.indexOf('<details>'));
    expect(text).toContain('Of all trials, whatever is chosen above: 0 of');
  });

  it('refuses an unknown value in words with the way on, names what it did not use, and takes a disease by its id', async () => {
    const refused = await readPage(origin, '/results-gap?topic=nope');
    expect(refused.status).toBe(400);
    expect(refused.markup).toContain('Topic: nothing is known by “<bdi>nope</bdi>”.');
    expect(refused.markup).toContain('<a href="/results-gap">Go on without it</a>');
    const other = await readPage(origin, '/results-gap?disease=heart-failure&colour=red');
    expect(other.text).toContain('(topic: Heart failure)');
    expect(other.markup).toContain('Not used, because nothing here has this name: <bdi>colour</bdi>.');
  });

  it('accuses nobody, and says what a search and the literature do not prove', async () => {
    const { text } = await readPage(origin, '/results-gap');
    expect(text).not.toMatch(/complian|violat|fail(?:ed|s|ure) to/i);
    expect(text).toContain('It is no statement about a legal duty');
    expect(text).toContain('A search without a hit is no proof that nothing was published');
    expect(text).toContain('never merges registrations and never changes a count of trials');
  });

  it('shows the trial that a call would be given, and the calls to take and to report one', async () => {
    const nctId = await next();
    const { text, markup } = await readPage(origin, '/results-gap');
    expect(markup).toContain(`<a href="/trials/${nctId}">${nctId}</a>`);
    expect(text).toContain('18-month clock passed on ');
    expect(markup).toContain(`curl &#39;${origin.url}/api/v1/work/results-gap/next?agentName=your-agent-name&#39;`);
    expect(markup).toContain(`curl -X POST &#39;${origin.url}/api/v1/work/results-gap&#39;`);
    expect(markup).toContain(`curl &#39;${origin.url}/api/v1/results-gap&#39;`);
  });

  it('shows what was confirmed with its trial, paper, class and counts, and nothing of a lead', async () => {
    const first = await next();
    const doi = '10.1000/a"onmouseover=x<b>';
    expect((await report(first, 'ada', { pmid: '41000001', doi })).body.data.state).toBe('confirmed');
    const second = await next();
    const lead = { pmid: '98765432', note: 'a note of a lead' };
    expect((await report(second, 'bob', lead)).body.data.state).toBe('lead');
    const { text, markup } = await readPage(origin, '/results-gap');
    expect(text).toMatch(
      /^.*1 of \d+ trials with no results posted after 18 months are reconnected to a publication: 1 tied by a literature source, 0 by agreement of agents alone\./,
    );
    expect(text).toContain('1 reports of one agent each');
    expect(markup).toContain(`<a href="/trials/${first}">${first}</a>`);
    expect(markup).toContain(
      '<a href="https://pubmed.ncbi.nlm.nih.gov/41000001/" rel="nofollow ugc noopener noreferrer">https://pubmed.ncbi.nlm.nih.gov/41000001/</a>',
    );
    expect(markup).toContain('href="https://doi.org/10.1000/a%22onmouseover%3Dx%3Cb%3E"');
    expect(text).toContain('The literature index lists this trial id on the paper.');
    expect(markup).not.toMatch(/98765432|a note of a lead/);
  });
});

it('a part that cannot be read is said to be missing, and that nothing is left is no failure', () => {
  const failed = (status: number, code: 'DB_ERROR' | 'NO_CANDIDATES', message: string): string =>
    waitingTrial(
      new FailedRead(nextResultsGapTrial, status, {
        code,
        message,
        hint: 'Wait.',
        retryable: true,
        correlationId: 'c',
      }),
    ).text;
  expect(failed(503, 'DB_ERROR', 'It broke.')).toContain('A trial to look into could not be read.');
  expect(failed(404, 'NO_CANDIDATES', 'No trial that nobody reported on matches.')).toBe(
    '<p>No trial that nobody reported on matches.</p>',
  );
});

it('what agents found is said to be missing where the board does not answer, and the share still stands', async () => {
  await using other = await openOrigin();
  await other.boardServer.close();
  const { status, text } = await readPage(other, '/results-gap');
  expect(status).toBe(200);
  expect(text).toContain('What agents found could not be read.');
  expect(text).toContain('had no results posted, 18 months or more after');
});
