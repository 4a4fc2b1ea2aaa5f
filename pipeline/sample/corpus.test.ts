import { createHash } from 'node:crypto';
import fc from 'fast-check';
import { XMLValidator } from 'fast-xml-parser';
import { describe, expect, it } from 'vitest';
import { type CorpusOptions, generateCorpus } from './corpus.ts';

const OPTIONS: CorpusOptions = { seed: 1, ctgov: 400, isrctn: 120, asOf: '2026-10-01' };
const sha256 = (text: string): string => createHash('sha256').update(text).digest('hex').slice(0, 16);

const corpus = generateCorpus(OPTIONS);
const studies = [...corpus.ctgov()];
const trials = [...corpus.isrctn()];
// biome-ignore lint/suspicious/noExplicitAny: registry JSON of every shape
const parsed = studies.map((text) => JSON.parse(text) as any);

describe('the synthetic corpus', () => {
  it('is the same bytes on every machine', () => {
    expect([sha256(studies.join('\n')), sha256(trials.join('\n'))]).toEqual([CTGOV_DIGEST, ISRCTN_DIGEST]);
  });

  it('can be made in any part without the others', () => {
    fc.assert(
      fc.property(fc.nat(399), fc.nat(119), (study, trial) => {
        const alone = generateCorpus(OPTIONS);
        expect(alone.ctgovAt(study)).toBe(studies[study]);
        expect(alone.isrctnAt(trial)).toBe(trials[trial]);
      }),
      { numRuns: 30, seed: 7 },
    );
  });

  it('is well-formed, and says of itself that it is synthetic', () => {
    for (const trial of trials) expect(XMLValidator.validate(trial)).toBe(true);
    expect(parsed.every((study) => study.protocolSection.conditionsModule.keywords?.includes('synthetic'))).toBe(true);
    expect(trials.every((trial) => /synthetic/i.test(trial))).toBe(true);
  });

  it('uses numbers far beyond those that the registries give', () => {
    const own = parsed.map((study) => study.protocolSection.identificationModule.nctId as string);
    expect(own.filter((id) => /^NCT\d{8}$/.test(id) && Number(id.slice(3)) < 90_000_000)).toEqual([]);
  });

  it('states fields about as often as the registry does', () => {
    const share = (holds: (protocol: Record<string, never>) => unknown): number =>
      parsed.filter((study) => holds(study.protocolSection)).length / parsed.length;
    // biome-ignore lint/suspicious/noExplicitAny: registry JSON of every shape
    const at = (path: string) => (protocol: any) => path.split('.').reduce((value, key) => value?.[key], protocol);
    // Presence in 3,116 real records: docs of the registry formats, sections 1.2 and 1.3.
    expect(share(at('outcomesModule.primaryOutcomes'))).toBeCloseTo(0.992, 1);
    expect(share(at('identificationModule.acronym'))).toBeCloseTo(0.445, 0);
    expect(share(at('statusModule.startDateStruct'))).toBeCloseTo(0.999, 1);
    expect(share(at('contactsLocationsModule.locations'))).toBeCloseTo(0.93, 1);
  });

  it('changes a little on its second day, as its plan says', () => {
    const second = generateCorpus({ ...OPTIONS, day: 1 });
    const { added, removed } = second.plan.secondDay;
    expect(second.counts.ctgov).toBe(corpus.counts.ctgov + added.nct.length - removed.nct.length);
    const before = new Set(studies);
    const changed = [...second.ctgov()].filter((study) => !before.has(study));
    expect(changed.length).toBeGreaterThan(added.nct.length);
    expect(changed.length).toBeLessThan(40);
  });
});

const CTGOV_DIGEST = '0a9577dc39afd4e3';
const ISRCTN_DIGEST = 'e63e109802aae5b5';
