import { describe, expect, it } from 'vitest';
import { matchedFilters } from '../../index-server/search/concepts/answer.ts';
import { compileFilters } from '../../index-server/search/filters.ts';
import { search } from '../../index-server/search/sort-order.ts';
import type { Registration } from '../../snapshot/format/registration.ts';
import { imageOfStudies } from '../builders/serving-image.ts';
import { smallTerminology } from '../builders/terminology.ts';
import { ofFile } from '../support/of-file.ts';

const TERMINOLOGY = smallTerminology([
  { id: 'D006331', heading: 'Heart Diseases', terms: ['heart disease'] },
  { id: 'D006333', heading: 'Heart Failure', terms: ['heart failure', 'cardiac insufficiency'], broader: ['D006331'] },
  { id: 'D001241', heading: 'Aspirin', terms: ['aspirin', 'acetylsalicylic acid'] },
]);
const drug = (name: string, ...otherNames: string[]) => ({ type: 'drug', name, otherNames, description: null });

/** One trial each, in the order of results. */
const TRIALS: Record<string, Partial<Registration>> = {
  named: { title: 'A', conditions: ['Heart Failure'], interventions: [drug('Aspirin')] },
  synonym: { title: 'B', conditions: ['Chronic cardiac insufficiency'], interventions: [drug('Acetylsalicylic acid')] },
  titled: { title: 'Aspirin and heart failure', conditions: ['Ageing'], interventions: [drug('Exercise')] },
  apart: { title: 'Failure of the heart', conditions: ['Heart attack', 'Liver failure'] },
  brand: { title: 'C', interventions: [drug('Zorvex', 'sabitril')] },
  generic: { title: 'D', interventions: [drug('sabitril')] },
  dashed: { title: 'E', conditions: ['Pain -chronic'] },
};
const NAMES = Object.keys(TRIALS);

const built = ofFile(() => imageOfStudies(Object.values(TRIALS), { terminology: TERMINOLOGY }));

type Asked = { q?: string; intervention?: string; condition?: string };
const read = (asked: Asked, match: 'words' | 'concepts', image = built.image) =>
  matchedFilters(image, compileFilters(asked), {
    ...{ q: asked.q, intervention: asked.intervention, condition: asked.condition },
    ...{ topic: undefined, match, year: '2026' },
  });
const found = (asked: Asked, match: 'words' | 'concepts'): string[] => {
  const { rows } = search(built.image, read(asked, match)!.compiled, { offset: 0, limit: 100 });
  return [...rows].map((row) => NAMES[row]!);
};

describe('condition and intervention', () => {
  it.each<[Asked, string[], string[]]>([
    [{ intervention: 'aspirin' }, ['named'], ['named', 'synonym']],
    [{ intervention: 'acetylsalicylic acid' }, ['synonym'], ['named', 'synonym']],
    [{ intervention: 'Zorvex' }, ['brand'], ['brand', 'generic']],
    [{ intervention: 'aspirin OR sabitril' }, [], ['named', 'synonym', 'brand', 'generic']],
    [{ condition: 'heart failure' }, ['named'], ['named', 'synonym']],
    [{ condition: 'heart disease' }, [], ['named', 'synonym']],
    [{ condition: 'Heart attack' }, ['apart'], ['apart']],
    [{ condition: 'cardiac insufficiency', intervention: 'aspirin' }, [], ['named', 'synonym']],
    [{ q: 'aspirin', condition: 'ageing' }, ['titled'], ['titled']],
    // A registry's whole term stays one, even where it looks like an operator.
    [{ condition: 'pain -chronic' }, ['dashed'], ['dashed']],
  ])('%j', (asked, words, concepts) => {
    expect([found(asked, 'words'), found(asked, 'concepts')]).toEqual([words, concepts]);
  });

  it('are named in the answer, by words as what concepts would add', () => {
    const because = [
      {
        ...{ parameter: 'intervention', words: 'aspirin', concept: 'D001241', heading: 'Aspirin' },
        ...{ source: 'Reviewed table of synonyms (small-1)', year: '2026' },
      },
    ];
    const { matching } = read({ intervention: 'aspirin' }, 'concepts')!.meta(false);
    expect(matching).toMatchObject({ strict: 1, expanded: 2, strictOnly: 0, because });
    expect(matching?.fields).toBeUndefined();
    expect(read({ intervention: 'aspirin' }, 'words')!.meta(false)).toEqual({
      alsoMatching: { distinct: 1, total: 2, because },
    });
    expect(read({ condition: 'heart failure' }, 'concepts')!.meta(true).matching?.fields).toMatchObject({
      condition: { words: 'heart failure', concept: 'D006333', heading: 'Heart Failure' },
    });
  });

  it('say of each trial by which name of the field it matched', () => {
    const grounds = read({ condition: 'heart disease' }, 'concepts')!.groundsOf!;
    const words = { parameter: 'condition', words: 'heart disease', concept: 'D006331', heading: 'Heart Diseases' };
    expect(grounds(NAMES.indexOf('synonym'))).toEqual([
      { ...words, source: 'reviewed', via: 'reviewed', term: 'cardiac insufficiency' },
    ]);
  });
});
