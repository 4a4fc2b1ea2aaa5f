import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { Upstream } from '../../gateway/upstream/upstream.ts';
import { publishSignals } from '../builders/signal-snapshot.ts';
import { openGateway, type TestGateway } from '../support/gateway.ts';
import { openOrigin, type TestOrigin } from '../support/origin.ts';
import { readPage, seenText } from '../support/read-page.ts';

let origin: TestOrigin;
beforeAll(async () => {
  origin = await openOrigin();
});
afterAll(() => origin[Symbol.asyncDispose]());

const number = (value: number): string => value.toLocaleString('en-GB');

async function homeOf(gateway: TestGateway): Promise<{ status: number; markup: string; text: string }> {
  const answer = await gateway.app.fetch(new Request('http://test.example/', { headers: { accept: 'text/html' } }));
  const markup = await answer.text();
  return { status: answer.status, markup, text: seenText(markup) };
}

describe('the first page', () => {
  it('says what this is, for four kinds of reader with a first step each, and what it never does', async () => {
    const { status, text, markup } = await readPage(origin, '/');
    expect(status).toBe(200);
    expect(text).toContain('Clinical trials of the US and UK registries, each counted once');
    for (const reader of ['An agent', 'A data engineer', 'An auditor']) expect(markup).toContain(`<dt>${reader}</dt>`);
    // People first.
    expect(markup.indexOf('id="people"')).toBeLessThan(markup.indexOf('id="programs"'));
    expect(markup).toContain('<h3><a href="/trials">Find trials</a></h3>');
    expect(markup).toContain('<h3><a href="/results-gap">See who has not reported</a></h3>');
    expect(text).toContain(`curl '${origin.url}/api/v1/hello'`);
    expect(text).toContain('npm run pipeline -- run --source live');
    expect(markup).toContain('<a href="/snapshots/diff">Compare two versions</a>');
    for (const never of [
      'Add up registries',
      'Show a registry that did not answer as empty',
      'look alike',
      'by promise',
      'clinical advice',
    ]) {
      expect(text).toContain(never);
    }
    expect(markup).toContain('<form class="search" role="search" action="/trials" method="get">');
  });

  it('has the numbers of the coverage, as a picture and as a table, and the calls that give them', async () => {
    const { data, _meta: meta } = (await origin.get('/api/v1/trials/coverage')).body;
    const [ctgov, isrctn] = data.registries;
    const { text, markup } = await readPage(origin, '/');
    expect(text).toContain(
      `${number(data.distinct)} distinct trials ${number(ctgov.exclusive)} only in ClinicalTrials.gov ${number(isrctn.exclusive)} only in ISRCTN registry ${number(data.inBoth)} in both`,
    );
    expect(markup).toContain(
      `aria-label="Trials by registry. ClinicalTrials.gov holds ${number(ctgov.exclusive)} that the other does not; ISRCTN registry holds ${number(isrctn.exclusive)} that the other does not; in both: ${number(data.inBoth)}."`,
    );
    expect(text).toContain(`Adding up the two would count ${number(data.inflation)} trials twice.`);
    expect(text).toContain('The count may not be called worldwide');
    // As a number by itself: the name of the snapshot may have its digits.
    expect(text.split(/\s+/)).not.toContain(number(ctgov.registrations + isrctn.registrations));
    expect(markup).toContain(`<a href="/snapshots/${meta.snapshot}">${meta.snapshot}</a>`);
    for (const call of ['trials/coverage', 'trials/landscape', 'board?limit=4', 'snapshots']) {
      expect(markup).toContain(`curl '${origin.url}/api/v1/${call}'`.replaceAll("'", '&#39;'));
    }
  });

  it('has the mix of the whole corpus, each number leading to its trials', async () => {
    const { data } = (await origin.get('/api/v1/trials/landscape')).body;
    const { text, markup } = await readPage(origin, '/');
    const phase2 = data.phases.find(({ value }: { value: string }) => value === '2').trials;
    const share = ((phase2 / data.trials) * 100).toFixed(1);
    expect(text).toContain(`Phase 2 ${number(phase2)} ${share} %`);
    expect(markup).toContain(`<a class="count" href="/trials?phase=2&amp;phaseMatch=exact">${number(phase2)}</a>`);
    expect(markup).toMatch(/<a class="count" href="\/trials\?status=completed">[\d,]+<\/a>/);
    const silent = data.phases.find(({ value }: { value: string }) => value === 'not-stated').trials;
    expect(text).toMatch(
      new RegExp(`${number(silent)} trials? states? no phase: [\\d,]+ in (ClinicalTrials.gov|ISRCTN)`),
    );
    expect(markup).toMatch(
      /href="\/trials\?phase=not-stated&amp;phaseMatch=exact&amp;registry=(isrctn|clinicaltrials_gov)"/,
    );
    const found = await readPage(origin, '/trials?phase=2&phaseMatch=exact');
    expect(found.text).toMatch(new RegExp(`\\b${number(phase2)} trials?\\b`));
    expect(markup).toMatch(/aria-label="Trials by status\. Running: [\d,]+; Completed: /);
  });

  it('shows what was posted last, newest first, as what it is: text of agents', async () => {
    expect((await readPage(origin, '/')).text).toContain('There is nothing on the board yet.');
    const scope = '<img src=x onerror=alert(1)>\u202e';
    const claim = {
      objectiveId: 'map-one-disease',
      intent: 'To count the trials of one disease by phase.',
      agentName: '<b>ada',
    };
    const first = await origin.send('/api/v1/claims', { ...claim, scope });
    const later = await origin.send('/api/v1/claims', { ...claim, scope: 'Second slice' });
    expect([first.status, later.status]).toEqual([201, 201]);
    const { text, markup } = await readPage(origin, '/');
    expect(markup).toContain('<b><a class="count" href="/claims">2</a></b> at work now');
    expect(markup).not.toContain('<img');
    expect(markup).not.toContain('\u202e');
    expect(markup).toContain(
      `<a href="/claims/${first.body.data.id}"><bdi>&lt;img src=x onerror=alert(1)&gt;</bdi></a>`,
    );
    expect(markup.indexOf('Second slice')).toBeLessThan(markup.indexOf('onerror'));
    expect(text).toContain('written by agents and not verified');
  });
});

describe('a part of the first page that cannot be read', () => {
  it('is said to have failed when it is the board, and the trials are there', async () => {
    await using boardless = await openGateway(undefined, undefined, { board: new Upstream(null) });
    const { status, text } = await homeOf(boardless);
    expect(status).toBe(200);
    expect(text).toContain('The board could not be read. This is a failure, not an empty list.');
    expect(text).toContain('DB_ERROR');
    expect(text).not.toContain('There is nothing on the board yet.');
    expect(text).toContain('distinct trials');
  });

  it('is said to have failed when there is no snapshot', async () => {
    const empty = await mkdtemp(join(tmpdir(), 'no-snapshots-'));
    try {
      await using without = await openGateway(empty);
      const { text } = await homeOf(without);
      expect(text).toContain('The coverage could not be read. This is a failure, not an empty list.');
      expect(text).toContain('The landscape could not be read.');
      expect(text).toContain('TRIALS_UNAVAILABLE');
      expect(text).not.toContain('distinct trials 0');
    } finally {
      await rm(empty, { recursive: true });
    }
  });

  it('is no answer, and never zero, when one registry has given none', async () => {
    using snapshot = await publishSignals({ unanswered: ['isrctn'] });
    await using half = await openGateway(snapshot.snapshotsDir);
    const { text, markup } = await homeOf(half);
    expect(text).toContain('ISRCTN registry No answer: nothing is known of it no answer no answer not stated');
    expect(text).toContain('not known only in ISRCTN registry not known in both');
    expect(text).toContain('The overlap of the registries is unknown');
    expect(markup).toContain(
      'aria-label="Trials by registry. ClinicalTrials.gov holds 0 that the other does not; in both: not known."',
    );
  });
});
