import { expect, it } from 'vitest';
import { matchedFilters } from '../../index-server/search/concepts/answer.ts';
import { compileFilters, type TrialFilters } from '../../index-server/search/filters.ts';
import { matchingRows } from '../../index-server/search/matching.ts';
import type { Registration } from '../../snapshot-format/registration.ts';
import { registration } from '../builders/registration.ts';
import { buildImage } from '../builders/serving-image.ts';
import { smallTerminology } from '../builders/terminology.ts';

const GRIPPE = { D001: 'Grippe' };
const TOPIC = {
  ...{ id: 'grippe', title: 'Grippe', why: 'x', reviewed: '2026-11-25', anyOf: ['grippe', 'sneeze'] },
  ...{ concepts: GRIPPE, without: { D002: 'Rhume' } },
};
/** In the topic, elsewhere alone, and neither. */
const TRIALS: Partial<Registration>[] = [
  { title: 'Grippe at school' },
  { title: 'Masks', conditions: ['grippe'] },
  { title: 'A sneeze' },
  { title: 'Soap', keywords: ['Grippe'] },
  { title: 'Gloves', interventions: [{ type: 'other', name: 'x', otherNames: [], description: 'against grippe' }] },
  { title: 'Soup', keywords: ['Grippe', 'Rhume'] },
  { title: 'Tea', sponsorName: 'Grippe Institute' },
];

it('a topic by concepts says how many trials q finds by its concepts and it does not', async () => {
  const trials = TRIALS.map((given, place) => ({
    ...{ canonicalId: `wt_00000000000${place}`, aliases: [] },
    registrations: [registration(`NCT0000000${place}`, given)],
  }));
  await using built = await buildImage(
    { trials, identifiers: [], links: [], relations: [] },
    {
      topics: [TOPIC],
      terminology: smallTerminology([
        { id: 'D001', heading: 'Grippe' },
        { id: 'D002', heading: 'Rhume' },
      ]),
    },
  );
  const read = (filters: TrialFilters) => {
    const asked = { q: filters.q, topic: filters.topic, match: 'concepts', year: '2026' } as const;
    const matched = matchedFilters(built.image, compileFilters(filters), asked)!;
    return { ...matched.meta(false).matching, count: matchingRows(built.image, matched.compiled).count };
  };
  expect(read({ topic: 'grippe' })).toMatchObject({ count: 3, topic: { id: 'grippe', elsewhere: 2 } });
  expect(read({ topic: 'grippe', q: 'soap' })).toMatchObject({ count: 0, topic: { elsewhere: 1 } });
  // Those of the topic that name it, those elsewhere, and the one with what the topic is without.
  expect(read({ q: 'grippe' })).toMatchObject({ count: 5, because: [{ topic: 'grippe' }] });
  expect(read({ q: 'rhume' }).because?.[0]).not.toHaveProperty('topic');
});
