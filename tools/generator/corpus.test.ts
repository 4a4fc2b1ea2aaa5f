import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { type CorpusOptions, generateCorpus } from './corpus.ts';

const OPTIONS: CorpusOptions = { seed: 1, ctgov: 400, isrctn: 120, asOf: '2026-10-01' };

const corpus = generateCorpus(OPTIONS);
const studies = [...corpus.ctgov()];
const trials = [...corpus.isrctn()];
// biome-ignore lint/suspicious/noExplicitAny: registry JSON of every shape
const parsed = studies.map((text) => JSON.parse(text) as any);

describe('the synthetic corpus', () => {
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

  it('uses numbers far beyond those that the registries give, but for the one that a built-in dataset is read from', () => {
    const own = parsed.map((study) => study.protocolSection.identificationModule.nctId as string);
    expect(own.filter((id) => /^NCT\d{8}$/.test(id) && Number(id.slice(3)) < 90_000_000)).toEqual(['NCT04233034']);
  });

  it('changes on its second day exactly what its plan says', () => {
    const options = { ...OPTIONS, ctgov: 3000, isrctn: 2000 };
    const first = generateCorpus(options);
    const second = generateCorpus({ ...options, day: 1 });
    const { added, removed, joined, split, changed } = first.plan.secondDay;
    const idOf = (text: string): string =>
      /"nctId":"(NCT\d+)"/.exec(text)?.[1] ?? `ISRCTN${/<isrctn[^>]*>(\d+)</.exec(text)?.[1]}`;
    const before = new Set([...first.ctgov(), ...first.isrctn()]);
    const differing = [...second.ctgov(), ...second.isrctn()].filter((text) => !before.has(text)).map(idOf);
    const planned = [...added.nct, ...added.isrctn, ...[...joined, ...split].map(([, isrctn]) => isrctn)];
    for (const { id } of changed()) planned.push(id);
    expect(differing.sort()).toEqual(planned.sort());
    expect([...second.ctgov()].filter((text) => removed.nct.includes(idOf(text)))).toEqual([]);
    expect(second.counts).toEqual({ ctgov: 3000 + added.nct.length - 1, isrctn: 2000 + added.isrctn.length });
    // About one record in two hundred changes on the second day.
    expect([...changed()].length).toBeGreaterThan(12);
    expect([...changed()].length).toBeLessThan(40);
  });
});
