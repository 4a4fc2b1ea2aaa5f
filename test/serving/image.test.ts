import { hash } from 'node:crypto';
import { readdirSync, readFileSync, truncateSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { trialListItemSchema, trialSchema } from '../../contract/schemas/trials/trial.ts';
import { coverage, stats } from '../../index-server/search/counting/coverage.ts';
import { landscape } from '../../index-server/search/counting/landscape.ts';
import { document, documents } from '../../index-server/search/documents.ts';
import { compileFilters, type TrialFilters } from '../../index-server/search/filters.ts';
import { divisionOf, heldRow, resolveId } from '../../index-server/search/hints/held-trial.ts';
import { unheldId, unheldNotice } from '../../index-server/search/hints/unheld-id.ts';
import { search } from '../../index-server/search/matching.ts';
import { openSnapshotImage, type SnapshotImage } from '../../index-server/snapshot/snapshot-image.ts';
import { buildServingImage } from '../../pipeline/publish/serving/build-serving-image.ts';
import { CORPUS, day } from '../builders/image-corpus.ts';
import { registration } from '../builders/registration.ts';
import { type BuiltImage, buildImage, quietEffects } from '../builders/serving-image.ts';
import type { Corpus } from '../builders/snapshot-tables.ts';

const EMPTY: Corpus = { trials: [], identifiers: [], links: [], relations: [] };

function found(image: SnapshotImage, filters: TrialFilters): string[] {
  const { rows } = search(image, compileFilters(filters), { offset: 0, limit: 100 });
  return JSON.parse(documents(image, rows, { detail: 'brief', eligibility: false }).toString()).map(
    (trial: { canonicalId: string }) => trial.canonicalId.slice(3, 4),
  );
}

describe('serving image', () => {
  let built: BuiltImage;
  beforeAll(async () => {
    built = await buildImage(CORPUS);
  });
  afterAll(() => built[Symbol.asyncDispose]());

  it('orders trials by last update, a month as its last day, blanks last', () => {
    expect(built.image.mapped).toBe(true);
    expect(found(built.image, {})).toEqual(['a', 'b', 'c']);
  });

  it('serves every record in the shape of the contract, in lists and by itself', async () => {
    const { image } = built;
    const rows = [0, 1, 2];
    for (const eligibility of [true, false]) {
      const list = JSON.parse(documents(image, rows, { detail: 'brief', eligibility }).toString());
      expect(list.map((trial: unknown) => trialListItemSchema.parse(trial))).toEqual(list);
    }
    const full = rows.map((row) => JSON.parse(document(image, row, { detail: 'full', eligibility: true }).toString()));
    expect(full.map((trial) => trialSchema.parse(trial))).toEqual(full);
    expect(full[1]).toMatchObject({
      canonicalId: 'wt_bbbbbbbbbbbb',
      aliases: ['wt_oldoldoldold'],
      registries: ['clinicaltrials_gov', 'isrctn'],
      status: 'completed',
      eligibilityText: 'Inclusion: "any" child',
      identifiers: [
        {
          type: 'eudract',
          value: '2008-005514-40',
          inIndex: false,
          role: 'declared',
          declaredBy: ['NCT00000026', 'ISRCTN12345678'],
          canonicalId: null,
        },
        {
          type: 'isrctn',
          value: 'ISRCTN12345678',
          inIndex: true,
          role: 'own',
          declaredBy: ['ISRCTN12345678'],
          canonicalId: 'wt_bbbbbbbbbbbb',
        },
        {
          type: 'nct',
          value: 'NCT00000026',
          inIndex: true,
          role: 'own',
          declaredBy: ['NCT00000026', 'ISRCTN12345678'],
          canonicalId: 'wt_bbbbbbbbbbbb',
        },
      ],
      citation: {
        text: 'ClinicalTrials.gov NCT00000026; ISRCTN registry ISRCTN12345678: Gastro-oesophageal reflux in children with tumours. Last updated 2026-03-05; retrieved 2026-11-20.',
        verifyAt: 'https://clinicaltrials.gov/study/NCT00000026',
      },
      registrations: [
        { id: 'NCT00000026', fields: { statusRaw: 'COMPLETED' } },
        { id: 'ISRCTN12345678', fields: { status: 'running' } },
      ],
    });
  });

  it('names the fields on which two registrations differ, and no field that only one states or that merely differs in form', async () => {
    const trial = trialSchema.parse(
      JSON.parse(document(built.image, 1, { detail: 'full', eligibility: true }).toString()),
    );
    expect(trial.conflicts.map(({ field, values }) => [field, ...values.map(({ value }) => value)])).toEqual([
      ['title', 'Gastro-oesophageal reflux in children with tumours.', 'Reflux in children'],
      ['status', 'completed', 'running'],
      ['recruitmentStatus', 'completed', 'recruiting'],
      ['phase', '1-2', '2'],
      ['sponsor', 'Acme  Pharma', 'Royal Hospital'],
      ['countries', ['United Kingdom'], ['United Kingdom', 'Ireland']],
      [
        'dates.completion',
        { date: '2025-06-15', precision: 'day', type: null },
        { date: '2025-07-01', precision: 'day', type: null },
      ],
      [
        'dates.lastUpdated',
        { date: '2026-03-05', precision: 'day', type: null },
        { date: '2026-02-01', precision: 'day', type: null },
      ],
    ]);
  });

  it('shows a rejected link and the typed relation on both trials, each with the other trial', async () => {
    const trials = JSON.parse(documents(built.image, [0, 2], { detail: 'brief', eligibility: false }).toString());
    const relation = {
      kind: 'related',
      reason: 'ambiguous',
      from: 'ISRCTN87654323',
      to: 'NCT00000052',
      linkId: 'ln_two',
    };
    expect(trials.map((trial: { relations: unknown }) => trial.relations)).toEqual([
      [{ ...relation, canonicalId: 'wt_cccccccccccc' }],
      [{ ...relation, canonicalId: 'wt_aaaaaaaaaaaa' }],
    ]);
    expect(trials[0].evidence).toMatchObject([
      { linkId: 'ln_two', verdict: 'rejected', reason: 'ambiguous', conflict: true },
    ]);
  });

  it('finds compounds joined and apart, British and American spellings, plurals, and phrases within one field only', async () => {
    const { image } = built;
    expect(found(image, { q: 'gastroesophageal tumor' })).toEqual(['b']);
    expect(found(image, { q: 'gastro-esophageal' })).toEqual(['b']);
    expect(found(image, { q: 'oesophageal child' })).toEqual(['b']);
    expect(found(image, { q: 'type 1 response' })).toEqual(['a', 'b']);
    expect(found(image, { q: '"type 1 response"' })).toEqual(['b']);
    expect(found(image, { q: '"type 1 diabetes"' })).toEqual(['a']);
    expect(found(image, { q: '"response type 1"' })).toEqual([]);
    expect(found(image, { q: 'royal hospital' })).toEqual(['b']);
    expect(found(image, { q: 'nowhere' })).toEqual([]);
  });

  it('filters by exact terms, combined phases, either level of status, and dates that a month may hold', async () => {
    const { image } = built;
    expect(found(image, { condition: 'NEOPLASMS' })).toEqual(['b']);
    expect(found(image, { condition: 'neoplasm' })).toEqual([]);
    expect(found(image, { intervention: 'losec' })).toEqual(['b']);
    expect(found(image, { intervention: 'reflux' })).toEqual([]);
    expect(found(image, { sponsor: 'acme' })).toEqual(['a', 'b']);
    expect(found(image, { phase: ['1'] })).toEqual(['b']);
    expect(found(image, { phase: ['1-2', '3'] })).toEqual(['a', 'b']);
    expect(found(image, { status: ['active'] })).toEqual(['a']);
    expect(found(image, { status: ['recruiting', 'completed'] })).toEqual(['a', 'b']);
    expect(found(image, { country: 'ireland' })).toEqual(['b']);
    expect(found(image, { registry: ['isrctn'] })).toEqual(['b', 'c']);
    expect(found(image, { topic: 'type-1-diabetes' })).toEqual(['a']);
    expect(found(image, { topic: 'oncology' })).toEqual(['b']);
    expect(found(image, { resultsAvailable: false })).toEqual(['b', 'c']);
    expect(found(image, { startedAfter: day('2020-02-29') })).toEqual(['b']);
    expect(found(image, { startedAfter: day('2020-03-01') })).toEqual([]);
    expect(found(image, { updatedBefore: day('2026-03-01') })).toEqual(['a']);
    expect(found(image, { updatedAfter: day('2026-03-05') })).toEqual(['a', 'b']);
    expect(found(image, { completedBefore: day('2025-06-15'), completedAfter: day('2025-06-15') })).toEqual(['b']);
  });

  it('counts each trial once and says what summing the registries would have counted', async () => {
    expect(coverage(built.image, compileFilters({}))).toEqual({
      distinct: 3,
      registrations: { clinicaltrials_gov: 2, isrctn: 2 },
      exclusive: { clinicaltrials_gov: 1, isrctn: 1 },
      inBoth: 1,
      inflation: 1,
      crossReferences: { mutual: 0, oneWay: 1, shared: 0, conflicting: 2, unresolved: 1, trialsWithUnresolved: 1 },
    });
    expect(stats(built.image).topics.find(({ id }) => id === 'type-1-diabetes')).toEqual({
      id: 'type-1-diabetes',
      title: 'Type 1 diabetes',
      trials: 1,
      trialsByConcepts: 1,
    });
  });

  it('describes the landscape, the results gap per registry and counted from the end of a month', async () => {
    const view = landscape(built.image, compileFilters({}), day('2026-11-30'));
    expect(view.phases.filter(({ trials }) => trials > 0)).toEqual([
      { value: '1-2', trials: 1 },
      { value: '3', trials: 1 },
      { value: 'not-stated', trials: 1 },
    ]);
    expect(view.sponsors).toEqual({
      trialsWithSponsor: 2,
      sponsors: 1,
      top: [{ name: 'acme pharma', trials: 2, share: 1 }],
      topShare: 1,
      hhi: 1,
    });
    expect(view.enrollment).toEqual({
      stated: 2,
      notStated: 1,
      lowerQuartile: 25_030,
      median: 50_020,
      upperQuartile: 75_010,
    });
    expect(view.momentum.map(({ days, current, previous }) => [days, current, previous])).toEqual([
      [30, 1, 0],
      [90, 1, 0],
      [365, 1, 0],
    ]);
    expect(view.reportingGap).toEqual({
      clinicaltrials_gov: {
        population: 1,
        withResults: 0,
        completionNotStated: 0,
        withoutResultsAfter12Months: 1,
        withoutResultsAfter18Months: 0,
      },
      isrctn: {
        population: 0,
        withResults: 0,
        completionNotStated: 0,
        withoutResultsAfter12Months: 0,
        withoutResultsAfter18Months: 0,
      },
    });
    const after = landscape(built.image, compileFilters({}), day('2026-12-01'));
    expect(after.momentum[0]).toEqual({ days: 30, current: 0, previous: 1, change: -1 });
    const conditions = view.fieldCompleteness.isrctn.fields.find(({ field }) => field === 'conditions');
    expect([view.fieldCompleteness.isrctn.registrations, conditions]).toEqual([
      2,
      { field: 'conditions', stated: 1, share: 0.5 },
    ]);
  });

  it('leads canonical ids, former ones, record numbers, their aliases and declared numbers to the trial, mentions nowhere', async () => {
    const { image } = built;
    expect(resolveId(image, 'wt_bbbbbbbbbbbb')).toEqual({ standing: 'canonical', rows: [1] });
    expect(resolveId(image, 'wt_oldoldoldold')).toEqual({ standing: 'alias', rows: [1] });
    expect(resolveId(image, 'nct 00000026')).toEqual({ standing: 'registration', rows: [1] });
    expect(resolveId(image, 'NCT00000039')).toEqual({ standing: 'registration', rows: [1] });
    expect(resolveId(image, 'https://www.isrctn.com/ISRCTN12345678')).toEqual({ standing: 'registration', rows: [1] });
    expect(resolveId(image, '2008-005514-40-GB')).toEqual({ standing: 'declared', rows: [1] });
    expect(resolveId(image, 'rg 0367-23')).toEqual({ standing: 'sponsor-code', rows: [1] });
    expect(heldRow(image, 'RG 0367-23')).toBeNull();
    expect(resolveId(image, 'NCT99999990')).toEqual({ standing: 'declared', rows: [2] });
    expect(heldRow(image, 'NCT99999990')).toBeNull();
    expect(unheldId(image, 'NCT99999990').message).toContain(
      'not held: no registration here has it. It is only stated by',
    );
    expect(resolveId(image, 'NCT99999977')).toBeNull();
    expect(resolveId(image, '')).toBeNull();
  });

  it.each([
    ['NCT000026', 'NCT00000026'],
    ['nct 0000000026', 'NCT00000026'],
    ['NCT0000026', 'NCT00000026'],
  ])('names for %s, a number with zeros lost or added, the near one that is held', (id, held) => {
    expect(unheldId(built.image, id).hint).toContain(`GET /api/v1/trials/${held}.`);
  });

  it.each([
    ['NCT4280705', 'an NCT number has eight digits; this one has seven'],
    ['nct 002715', 'an NCT number has eight digits; this one has six'],
    ['ISRCTN1234567', 'an ISRCTN number has eight digits; this one has seven', 'ISRCTN12345678'],
    ['ISRCTN123456789', 'an ISRCTN number has eight digits; this one has nine', 'ISRCTN12345678'],
    [
      '2008-005514-4',
      'a EudraCT number has the form YYYY-NNNNNN-CC, with four, six and two digits; this one has four, six and one',
      '2008-005514-40',
    ],
  ])('says of %s which digits are missing or too many', (id, told, near?: string) => {
    const { message, hint } = unheldId(built.image, id);
    expect(message).toBe(`${id} is not understood: ${told}. No record states it as it stands.`);
    if (near === undefined) expect(hint).toBeUndefined();
    else expect(hint).toContain(`GET /api/v1/trials/${near}.`);
    expect(unheldNotice(built.image, id)).toContain(message);
  });

  it('takes a date or the code of a sponsor for no number of a registry', () => {
    for (const id of ['2008-05-14', '123-45678-90', 'ABC1234567']) expect(unheldNotice(built.image, id)).toBeNull();
  });

  it('names none where no near number is held, and for a number of eight digits', () => {
    for (const id of ['NCT000027', 'NCT00000027', 'NCT26', 'NCT00000000000026', 'what']) {
      expect(unheldId(built.image, id).hint).toBeUndefined();
    }
  });

  it('leads a divided id to both trials, and says why it names neither', async () => {
    const [pace, diabetes, ...others] = CORPUS.trials;
    const aliases = ['wt_dddddddddddd'];
    await using divided = await buildImage({
      ...CORPUS,
      trials: [{ ...pace!, aliases }, { ...diabetes!, aliases }, ...others],
    });
    const { image } = divided;
    expect(resolveId(image, 'wt_dddddddddddd')?.standing).toBe('divided');
    expect(resolveId(image, 'wt_dddddddddddd')?.rows).toHaveLength(2);
    expect(heldRow(image, 'wt_dddddddddddd')).toBeNull();
    const { message } = divisionOf(image, 'wt_dddddddddddd');
    expect(message).toContain('wt_bbbbbbbbbbbb (NCT00000026 with ISRCTN12345678)');
    expect(message).toContain('wt_aaaaaaaaaaaa (');
    expect(message).toContain('came to stand with another partner');
    expect(divisionOf(image, 'wt_bbbbbbbbbbbb')).toEqual({});
  });

  it('leads a number that two trials have among their earlier ones to none, and names both', async () => {
    const claimed = {
      type: 'nct',
      value: 'NCT00000065',
      role: 'alias',
      field: 'nctIdAliases',
      rawValue: 'NCT00000065',
    } as const;
    const trials = ['NCT00000013', 'NCT00000026'].map((id, place) => ({
      ...{ canonicalId: `wt_${'ab'[place]!.repeat(12)}`, aliases: [] },
      registrations: [registration(id, { aliases: ['NCT00000065'] })],
    }));
    const identifiers = trials.map(({ registrations: [one] }) => ({
      ...{ ...claimed, registry: one!.registry, registrationId: one!.id },
      ...{ suspect: false, inIndex: false, resolvesTo: null },
    }));
    await using built = await buildImage({ trials, identifiers, links: [], relations: [] });
    const { image } = built;
    expect(resolveId(image, 'NCT00000065')).toEqual({ standing: 'claimed', rows: [0, 1] });
    expect(heldRow(image, 'NCT00000065')).toBeNull();
    expect(unheldId(image, 'NCT00000065').message).toBe(
      'NCT00000065 is an earlier number of NCT00000013 (wt_aaaaaaaaaaaa) and of NCT00000026 (wt_bbbbbbbbbbbb): a number that several records claim means none of them. Use the number of the record that you mean.',
    );
  });

  it('serves a snapshot without a single trial', async () => {
    await using built = await buildImage(EMPTY);
    const { image } = built;
    expect(found(image, {})).toEqual([]);
    expect(found(image, { q: '"type 1"', status: ['active'], startedAfter: 0 })).toEqual([]);
    expect(coverage(image, compileFilters({}))).toMatchObject({ distinct: 0, inBoth: 0, inflation: 0 });
    expect(landscape(image, compileFilters({}), 0)).toMatchObject({
      trials: 0,
      sponsors: { hhi: null, top: [] },
      enrollment: { median: null },
    });
    expect(resolveId(image, 'NCT00000026')).toBeNull();
  });

  it('gives the same bytes for the same tables', async () => {
    await using one = await buildImage(CORPUS);
    const reversed = {
      trials: [...CORPUS.trials].reverse(),
      identifiers: [...CORPUS.identifiers].reverse(),
      links: [...CORPUS.links].reverse(),
      relations: CORPUS.relations,
    };
    await using other = await buildImage(reversed);
    expect(hashes(one.snapshotDir)).toEqual(hashes(other.snapshotDir));
    expect(Object.keys(hashes(one.snapshotDir))).toEqual([
      'documents-000.arrow',
      'ids.arrow',
      'pairs.arrow',
      'results-gap.arrow',
      'rows.arrow',
      'sequences.arrow',
      'sponsors.arrow',
      'terminology.bin',
      'terms.arrow',
      'topics.arrow',
    ]);
  });

  it('refuses tables in which a registration belongs to more than one trial, and a directory without tables', async () => {
    const stray = { ...CORPUS, trials: [{ ...CORPUS.trials[0]!, canonicalId: 'wt_dddddddddddd' }, ...CORPUS.trials] };
    await expect(buildImage(stray)).rejects.toThrow(/registration ISRCTN12345678 belongs to \d+ trials instead of one/);
    await expect(
      buildServingImage({ snapshotDir: '/nonexistent', outDir: join('/tmp', `none-${process.pid}`) }, quietEffects),
    ).rejects.toThrow(/ENOENT/);
  });

  it('refuses a cut or foreign file by its name and keeps nothing mapped', async () => {
    await using own = await buildImage(CORPUS);
    const file = join(own.snapshotDir, 'serving', 'terms.arrow');
    const whole = readFileSync(file);
    own.image.release();
    truncateSync(file, whole.length - 10);
    expect(() => openSnapshotImage(own.snapshotDir)).toThrow(/terms\.arrow is not a whole Arrow file/);
    writeFileSync(file, whole);
    openSnapshotImage(own.snapshotDir).release();
    writeFileSync(file, '');
    expect(() => openSnapshotImage(own.snapshotDir)).toThrow(/terms\.arrow is empty/);
  });
});

function hashes(snapshotDir: string, dir = join(snapshotDir, 'serving')): Record<string, string> {
  const names = readdirSync(dir).sort();
  return Object.fromEntries(names.map((name) => [name, hash('sha256', readFileSync(join(dir, name)))]));
}
