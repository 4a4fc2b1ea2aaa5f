import { existsSync } from 'node:fs';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import type { TrialRecord } from '../../contract/schemas/trials/trial.ts';
import { type RunReport, run } from '../../pipeline/run/run.ts';
import { loadConfig } from '../../server-kit/config/config.ts';
import { openGateway, type TestGateway } from '../support/gateway.ts';
import { NO_FEEDS } from '../support/no-feeds.ts';
import { REGISTRY_DATA } from '../support/tree.ts';

/**
 * Tests real records if they lie beside the checkout: counts them, and compares five trials with values read by hand
 * from their payloads.
 */
describe.skipIf(!existsSync(REGISTRY_DATA))('the real registry records', () => {
  let root: string;
  let report: RunReport;
  let gateway: TestGateway;
  beforeAll(async () => {
    root = await mkdtemp(join(tmpdir(), 'trial-board-real-'));
    const environment = { DATA_DIR: join(root, 'data'), SNAPSHOTS_DIR: join(root, 'snapshots'), FEEDS_FILE: NO_FEEDS };
    const config = loadConfig(environment, root);
    const dumps = {
      clinicaltrials_gov: join(REGISTRY_DATA, 'ctgov', 'studies.ndjson.gz'),
      isrctn: join(REGISTRY_DATA, 'isrctn'),
    };
    const effects = { now: () => new Date('2026-11-21T12:00:00.000Z'), progress: () => {}, checkpoint: () => {} };
    report = await run({ source: 'dump', mode: 'auto', dumps, accept: [] }, config, effects);
    gateway = await openGateway(config.snapshotsDir, effects.now);
  });
  afterAll(async () => {
    await gateway[Symbol.asyncDispose]();
    await rm(root, { recursive: true, force: true });
  });

  const trial = async (id: string): Promise<TrialRecord> => (await gateway.get(`/api/v1/trials/${id}`)).body.data;

  it('are all held, counted as the files count them', () => {
    const { registries, counts } = report.published.manifest;
    expect(
      registries.map(({ registrations, quarantined, superseded }) => ({ registrations, quarantined, superseded })),
    ).toEqual([
      { registrations: 1562, quarantined: 0, superseded: 0 },
      // The files hold 11,072 records of the XML export and 33 more, and 19 records are other versions of trials among
      // these. The CSV export holds the same 11,072 trials, and its days give way to the instants of the XML.
      { registrations: 11_086, quarantined: 0, superseded: 19 + 11_072 },
    ]);
    expect(counts).toMatchObject({
      registrations: 12_648,
      trials: 12_647,
      inBoth: 1,
      linksAccepted: 2,
      linksRejected: 0,
    });
  });

  it('that name each other are one trial, with the evidence of both sides', async () => {
    const folfera = await trial('NCT01205711');
    expect(folfera).toEqual(await trial('ISRCTN73199181'));
    expect(folfera).toMatchObject({
      acronym: 'FOLFERA',
      status: 'completed',
      phase: '2',
      sponsor: { name: 'Cardiff University', class: 'other' },
      enrollment: { count: 111, type: 'actual', note: null },
      countries: ['United Kingdom'],
      registries: ['clinicaltrials_gov', 'isrctn'],
      resultsAvailable: false,
      dates: {
        start: { date: '2010-04', precision: 'month', type: null },
        primaryCompletion: { date: '2011-07', precision: 'month', type: 'actual' },
        completion: { date: '2012-09', precision: 'month', type: 'actual' },
        firstPosted: { date: '2009-09-01', precision: 'day' },
        lastUpdated: { date: '2019-07-24', precision: 'day' },
        resultsPosted: null,
      },
    });
    expect(
      folfera.evidence.map(({ rule, field, rawValue, direction, verdict }) => ({
        rule,
        field,
        rawValue,
        direction,
        verdict,
      })),
    ).toEqual([
      {
        rule: 'declared-by-clinicaltrials-gov',
        field: 'secondaryIdInfos.id',
        rawValue: 'ISRCTN-73199181',
        direction: 'mutual',
        verdict: 'accepted',
      },
      {
        rule: 'declared-by-isrctn',
        field: 'clinicalTrialsGovNumber',
        rawValue: 'NCT01205711',
        direction: 'mutual',
        verdict: 'accepted',
      },
    ]);
    expect(folfera.identifiers.find(({ type }) => type === 'eudract')).toMatchObject({
      value: '2009-012151-23',
      inIndex: false,
    });
    expect(folfera.conflicts.map(({ field }) => field)).toContain('dates.completion');
  });

  it('answer to the numbers that the registry replaced', async () => {
    const replaced = await trial('NCT01347970');
    expect(replaced).toMatchObject({
      title: 'Carvedilol in Preventing Heart Failure in Childhood Cancer Survivors',
      phase: '2',
      sponsor: { name: "Children's Oncology Group", class: 'network' },
      enrollment: { count: 196, type: 'actual' },
      countries: ['United States', 'Australia', 'Canada', 'New Zealand'],
      conditions: ['Hematopoietic and Lymphoid Cell Neoplasm', 'Malignant Solid Neoplasm'],
      resultsAvailable: true,
      dates: {
        start: { date: '2016-04-04', precision: 'day', type: 'actual' },
        completion: { date: '2025-03-31', precision: 'day', type: 'actual' },
        resultsPosted: { date: '2023-09-29', precision: 'day', type: 'actual' },
      },
    });
    expect(replaced.registrations[0]).toMatchObject({ id: 'NCT02717507', aliases: ['NCT01347970'] });
  });

  it('of a combined phase are found under each part', async () => {
    const vaccine = await trial('nct05168813');
    expect(vaccine).toMatchObject({
      acronym: 'CoVPN3008',
      phase: '2-3',
      enrollment: { count: 14_237, type: 'actual' },
      countries: ['Botswana', 'Eswatini', 'Kenya', 'Malawi', 'South Africa', 'Uganda', 'Zambia'],
      interventions: [
        { type: 'biological', name: 'Moderna mRNA-1273' },
        { type: 'biological', name: 'Moderna mRNA-1273.222' },
        { type: 'biological', name: 'Vaccine 3 Dose' },
        { type: 'biological', name: 'Vaccine 2 Dose' },
      ],
      dates: { resultsPosted: { date: '2025-11-26', precision: 'day', type: 'actual' } },
    });
    for (const phase of ['2', '3', '2-3']) {
      const { body } = await gateway.get(`/api/v1/trials/search?q=CoVPN3008&phase=${phase}`);
      expect(body.data.trials.map(({ canonicalId }: TrialRecord) => canonicalId)).toEqual([vaccine.canonicalId]);
    }
    expect((await gateway.get('/api/v1/trials/search?q=CoVPN3008&phase=1')).body.data.trials).toEqual([]);
  });

  it('of ISRCTN state where the status comes from, and fold the home nations', async () => {
    const copd = await trial('10.1186/ISRCTN41823570'.replace('10.1186/', ''));
    expect(copd).toMatchObject({
      acronym: 'EASE-COPD',
      status: 'running',
      recruitmentStatus: 'recruiting',
      statusBasis:
        "derived from overallEndDate 2029-08-01, recruitmentStart 2026-07-23, recruitmentEnd 2028-03-31 as of the snapshot's day",
      phase: '3',
      enrollment: { count: 440, type: 'estimated', note: null },
      countries: ['United Kingdom'],
      interventions: [{ name: 'Aspirin' }, { name: 'Colchicine' }, { name: 'Omega-3-acid ethyl esters 90' }],
      primaryEndpoints: [{ timeFrame: '2, 4 and 12 weeks' }],
      dates: { firstPosted: { date: '2026-02-24' }, lastUpdated: { date: '2026-07-27' } },
    });
    expect(copd.registrations[0]!.fields.countriesRaw).toEqual(['United Kingdom', 'England']);
  });

  it('in three vintages count once, as the newest', async () => {
    const newest = await trial('ISRCTN80181452');
    expect(newest.registrations).toHaveLength(1);
    const { body } = await gateway.get('/api/v1/trials/ISRCTN80181452?includeRaw=true');
    // Only records of 2026 have the element for several types.
    expect(body.data.raw[0].payload).toContain('<trialTypes');
  });
});
