import { describe, expect, it } from 'vitest';
import { nextResultsGapTrial } from '../../contract/operations/board/results-gap.ts';
import { FailedRead } from '../../gateway/pages/reads.ts';
import { waitingTrial } from '../../gateway/pages/results-gap/agents-part.ts';
import { ofFile } from '../support/of-file.ts';
import { openOrigin } from '../support/origin.ts';
import { readPage } from '../support/read-page.ts';

const SUBMIT = '/api/v1/work/results-gap';

const origin = ofFile(() => openOrigin());

const next = async (): Promise<string> => (await origin.get(`${SUBMIT}/next`)).body.data.trial.nctId;
const report = (nctId: string, agentName: string, more: object) =>
  origin.send(SUBMIT, { agentName, nctId, outcome: 'publication', searchStrategy: 'PubMed by the id.', ...more });

describe('the results-gap page', () => {
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
