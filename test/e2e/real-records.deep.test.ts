import { existsSync } from 'node:fs';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import type { TrialRecord } from '../../contract/schemas/trials/trial.ts';
import { type RunReport, run } from '../../pipeline/run/run.ts';
import { quietEffects } from '../builders/working-database.ts';
import { configIn } from '../support/dump-runs.ts';
import { folderOfFile } from '../support/folders.ts';
import { openGateway, type TestGateway } from '../support/gateway.ts';
import { REGISTRY_DATA } from '../support/tree.ts';

/** Counts real records, if they lie beside the checkout. What their fields say is measured in docs/truth.md. */
describe.skipIf(!existsSync(REGISTRY_DATA))('the real registry records', () => {
  const folder = folderOfFile();
  let report: RunReport;
  let gateway: TestGateway;
  beforeAll(async () => {
    const config = configIn(folder.path);
    const dumps = {
      clinicaltrials_gov: join(REGISTRY_DATA, 'ctgov', 'studies.ndjson.gz'),
      isrctn: join(REGISTRY_DATA, 'isrctn'),
    };
    const effects = quietEffects();
    report = await run({ source: 'dump', mode: 'auto', dumps, accept: [] }, config, effects);
    gateway = await openGateway(config.snapshotsDir, effects.now);
  });
  afterAll(() => gateway[Symbol.asyncDispose]());

  const trial = async (id: string): Promise<TrialRecord> => (await gateway.get(`/api/v1/trials/${id}`)).body.data;

  it.each([
    ['negation', 'q=diabetes+-insulin'],
    ['longer-name', 'q=hypertension'],
    ['identifier', 'q=ISRCTN38597726'],
    ['spelling', 'q=hypertnesion'],
    ['filter', 'q=asthma+Germany+completed'],
    ['filter', 'sponsor=NIH'],
    ['other-name', 'q=MI&match=concepts'],
    ['fewer', 'q=diabetes+zyzzyva'],
    ['keyword', 'q=alfieri'],
  ])('have hints of %s for ?%s, with a call that brings as many trials', async (cause, query) => {
    const { hints } = (await gateway.get(`/api/v1/trials/coverage?${query}`)).body._meta;
    const [hint] = hints.filter((one: { cause: string }) => one.cause === cause);
    const { status, body } = await gateway.get(hint.call);
    expect(status).toBe(200);
    if (hint.total !== undefined) expect(body.data.distinct).toBe(hint.total);
  });

  it.each([
    ['q=what+dose+of+metformin+should+I+take', 'no clinical advice'],
    ['q=asthma+OR+stroke', 'q takes no operators (OR)'],
    ['country=Scotland', 'was read as United Kingdom'],
    ['country=France', 'Other registries of France are not held'],
    ['inBoth=false&conflictsOn=status', 'send one of them'],
    ['phaseMatch=exact', 'phaseMatch had no effect'],
    ['startedAfter=2020-01-01', 'which are planned'],
    ['phase=2&registry=isrctn', 'What they are is unknown, not none'],
  ])('have for ?%s a sentence on how it was read', async (query, words) => {
    const { notices } = (await gateway.get(`/api/v1/trials/coverage?${query}`)).body._meta;
    expect(notices).toContainEqual(expect.stringContaining(words));
  });

  it('are all held, counted as the files count them', () => {
    const { registries, counts } = report.published.manifest;
    expect(registries).toMatchObject([
      { registrations: 1562, quarantined: 0, superseded: 0 },
      // The files hold 11,072 records of the XML export and 33 more, and 19 records are other versions of trials among
      // these. The CSV export holds the same 11,072 trials, and its days give way to the instants of the XML.
      { registrations: 11_086, quarantined: 0, superseded: 19 + 11_072 },
    ]);
    const links = { linksAccepted: 2, linksRejected: 0 };
    expect(counts).toMatchObject({ registrations: 12_648, trials: 12_647, inBoth: 1, ...links });
  });

  it('that name each other are one trial, with the evidence of both sides', async () => {
    const folfera = await trial('NCT01205711');
    expect(folfera).toEqual(await trial('ISRCTN73199181'));
    expect(folfera).toMatchObject({ acronym: 'FOLFERA', registries: ['clinicaltrials_gov', 'isrctn'] });
    const mutual = { direction: 'mutual', verdict: 'accepted' };
    expect(folfera.evidence).toMatchObject([
      { ...mutual, rule: 'declared-by-clinicaltrials-gov', rawValue: 'ISRCTN-73199181' },
      { ...mutual, rule: 'declared-by-isrctn', rawValue: 'NCT01205711' },
    ]);
    const eudract = { value: '2009-012151-23', inIndex: false };
    expect(folfera.identifiers.find(({ type }) => type === 'eudract')).toMatchObject(eudract);
    expect(folfera.conflicts.map(({ field }) => field)).toContain('dates.completion');
  });

  it('answer to the numbers that the registry replaced', async () => {
    const [record] = (await trial('NCT01347970')).registrations;
    expect(record).toMatchObject({ id: 'NCT02717507', aliases: ['NCT01347970'] });
  });

  it('in three vintages count once, as the newest', async () => {
    expect((await trial('ISRCTN80181452')).registrations).toHaveLength(1);
    const { body } = await gateway.get('/api/v1/trials/ISRCTN80181452?includeRaw=true');
    // Only records of 2026 have the element for several types.
    expect(body.data.raw[0].payload).toContain('<trialTypes');
  });
});
