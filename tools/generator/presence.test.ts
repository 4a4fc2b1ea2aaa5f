import { describe, expect, it } from 'vitest';
import { pairsOf } from '../../test/builders/pairs.ts';
import { generateCorpus } from './corpus.ts';

/**
 * Compares shares in the corpus with those in real records: 3,116 studies, 20 current ISRCTN records and, for study
 * types, the whole registry of September 2026. The corpus is fixed, so a tolerance of two points cannot make a test
 * flicker.
 */
const corpus = generateCorpus({ seed: 3, ctgov: 6000, isrctn: 3000, asOf: '2026-10-01' });
const TOLERANCE = 0.02;

interface Study {
  protocolSection: Record<string, Record<string, unknown>>;
  resultsSection?: unknown;
  documentSection?: unknown;
  hasResults: boolean;
}
const studies = [...corpus.ctgov()].map((text) => JSON.parse(text) as Study);
const interventional = studies.filter((study) => at(study, 'designModule.studyType') === 'INTERVENTIONAL');
const trials = [...corpus.isrctn()];

/** The value at a path below protocolSection. */
function at(study: Study, path: string): unknown {
  return path
    .split('.')
    .reduce<unknown>((value, key) => (value as Record<string, unknown> | undefined)?.[key], study.protocolSection);
}

function share<T>(all: readonly T[], holds: (one: T) => boolean): number {
  return all.filter(holds).length / all.length;
}

function expectShare(found: number, expected: number): void {
  expect(Math.abs(found - expected), `${found.toFixed(3)} against ${expected}`).toBeLessThan(TOLERANCE);
}

describe('the shares of the synthetic ClinicalTrials.gov', () => {
  it.each(
    pairsOf(`
    identificationModule.officialTitle = 0.992 | identificationModule.acronym = 0.445
    identificationModule.secondaryIdInfos = 0.222 | statusModule.startDateStruct = 0.999
    statusModule.primaryCompletionDateStruct = 0.988 | sponsorCollaboratorsModule.collaborators = 0.368
    oversightModule = 0.965 | descriptionModule.detailedDescription = 0.675 | outcomesModule = 0.992
    outcomesModule.secondaryOutcomes = 0.861 | eligibilityModule.minimumAge = 0.968
    eligibilityModule.maximumAge = 0.48 | contactsLocationsModule.locations = 0.929
    referencesModule.references = 0.416 | ipdSharingStatementModule = 0.603
  `),
  )('%s is present in %s of the records', (path, expected) => {
    const found = share(studies, (study) => at(study, path) !== undefined);
    expectShare(found, Number(expected));
  });

  it.each(
    pairsOf(`
    COMPLETED = 0.429 | RECRUITING = 0.213 | UNKNOWN = 0.126 | TERMINATED = 0.078
    NOT_YET_RECRUITING = 0.072 | ACTIVE_NOT_RECRUITING = 0.042 | WITHDRAWN = 0.026
  `),
  )('%s is the status of %s of the records', (status, expected) => {
    const found = share(studies, (study) => at(study, 'statusModule.overallStatus') === status);
    expectShare(found, Number(expected));
  });

  it.each(pairsOf('NA = 0.456 | PHASE2 = 0.178 | PHASE3 = 0.12 | PHASE1,PHASE2 = 0.041 | PHASE2,PHASE3 = 0.024'))(
    '%s is the phase of %s of the interventional records',
    (phases, expected) => {
      const found = share(interventional, (study) => String(at(study, 'designModule.phases')) === phases);
      expectShare(found, Number(expected));
    },
  );

  it('has the study types and posted results of the whole registry', () => {
    expectShare(interventional.length / studies.length, 0.763);
    expectShare(
      share(studies, (study) => study.hasResults),
      0.125,
    );
    expect(studies.filter((study) => study.hasResults !== (study.resultsSection !== undefined))).toEqual([]);
  });

  it('names a month only in a third of its completion dates', () => {
    const dated = studies.filter((study) => at(study, 'statusModule.primaryCompletionDateStruct.date') !== undefined);
    expectShare(
      share(dated, (study) => String(at(study, 'statusModule.primaryCompletionDateStruct.date')).length === 7),
      0.34,
    );
  });

  it('has sponsors with a heavy head and a long tail', () => {
    const counts = new Map<string, number>();
    for (const study of studies) {
      const name = String(at(study, 'sponsorCollaboratorsModule.leadSponsor.name'));
      counts.set(name, (counts.get(name) ?? 0) + 1);
    }
    const ranked = [...counts.values()].sort((a, b) => b - a);
    expect(ranked[0]).toBeGreaterThan(50);
    expect(ranked.filter((count) => count === 1).length).toBeGreaterThan(1000);
  });
});

describe('the shares of the synthetic ISRCTN', () => {
  it('has a seventh of its trials on the other registry, mostly said by itself alone', () => {
    const overlaps = [...corpus.plan.overlaps()];
    expectShare(overlaps.length / trials.length, 0.14);
    expect(share(overlaps, ({ kind }) => kind === 'declared-by-isrctn')).toBeGreaterThan(0.6);
  });

  it('has a placeholder in most of its filled ClinicalTrials.gov fields', () => {
    const filled = trials.flatMap((trial) => /<clinicalTrialsGovNumber>([^<]+)</.exec(trial)?.[1] ?? []);
    // In the registry's own export, which has fewer cross-registered trials, it is 3,921 of 5,401 fields.
    const nothing = share(filled, (text) => /^(nil known|n\/a|not applicable)$/i.test(text));
    expect(nothing).toBeGreaterThan(0.5);
    expect(nothing).toBeLessThan(0.75);
  });
});
