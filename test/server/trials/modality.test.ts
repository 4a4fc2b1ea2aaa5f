import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { MODALITY_IDS, type ModalityId } from '../../../contract/declared/modality.ts';
import { openGateway } from '../../support/gateway.ts';
import { ofFile } from '../../support/of-file.ts';

const gateway = ofFile(() => openGateway());

const SEARCH = '/api/v1/trials/search';
interface Labelled {
  canonicalId: string;
  modality: { labels: { id: ModalityId; matchedTerms: unknown[] }[] };
}

/** Every trial of the corpus with its labels, read page by page. */
async function everyTrial(query = ''): Promise<Labelled[]> {
  const trials: Labelled[] = [];
  for (let page = 1; ; page++) {
    const { body } = await gateway.get(`${SEARCH}?include=modality&pageSize=100&page=${page}${query}`);
    trials.push(...body.data.trials);
    if (!body._meta.pagination.hasMore) return trials;
  }
}

describe('the filter modality', () => {
  it('finds exactly the trials that show a label of any of the groups, in every count alike', async () => {
    const all = await everyTrial();
    expect(all.length).toBe(766);
    await fc.assert(
      fc.asyncProperty(fc.subarray([...MODALITY_IDS], { minLength: 1 }), async (ids) => {
        const expected = all.filter(({ modality }) => modality.labels.some(({ id }) => ids.includes(id)));
        const query = `modality=${ids.join(',')}`;
        const found = await gateway.get(`${SEARCH}?${query}&pageSize=100`);
        expect(found.body._meta.pagination.totalItems).toBe(expected.length);
        expect(found.body.data.trials).toMatchObject(
          expected.slice(0, 100).map(({ canonicalId, modality }) => ({ canonicalId, modality })),
        );
        const coverage = await gateway.get(`/api/v1/trials/coverage?${query}`);
        expect(coverage.body.data.distinct).toBe(expected.length);
        const { data } = (await gateway.get(`/api/v1/trials/landscape?${query}`)).body;
        expect(data.trials).toBe(expected.length);
        const mix = MODALITY_IDS.map((id) => expected.filter((one) => one.modality.labels.some((l) => l.id === id)));
        expect(data.modality.groups.map(({ trials }: { trials: number }) => trials)).toEqual(
          mix.map(({ length }) => length),
        );
      }),
      { numRuns: 15 },
    );
  });
});

describe('labels of modality', () => {
  it('stand in no answer that did not ask for them, and the rest of an answer is the same with them', async () => {
    const plain = await gateway.get(`${SEARCH}?q=diabetes&pageSize=3`);
    const labelled = await gateway.get(`${SEARCH}?q=diabetes&pageSize=3&include=modality`);
    expect(plain.body.data.trials[0]).not.toHaveProperty('modality');
    expect(plain.body._meta).not.toHaveProperty('derived');
    const stripped = labelled.body.data.trials.map(({ modality: _, ...trial }: Labelled) => trial);
    expect(stripped).toEqual(plain.body.data.trials);
    expect(labelled.headers.get('etag')).not.toBe(plain.headers.get('etag'));
  });

  it('say that they are inferred and by which vocabulary, in the record and in _meta', async () => {
    const { body } = await gateway.get(`${SEARCH}?modality=engineered-cell&pageSize=1`);
    expect(body._meta.derived.modality.vocabulary).toBe('modality-7+substances-6');
    expect(body._meta.honesty.at(-1)).toMatch(/inferred at query time/);
    const { canonicalId, modality } = body.data.trials[0];
    expect(modality).toMatchObject({ basis: 'derived', vocabulary: 'modality-7+substances-6' });
    const detail = await gateway.get(`/api/v1/trials/${canonicalId}?include=modality`);
    expect(detail.body.data.modality).toEqual(modality);
    const raw = await gateway.get(`/api/v1/trials/${canonicalId}?include=modality&includeRaw=true`);
    expect(raw.body.data.modality).toEqual(modality);
    const plain = await gateway.get(`/api/v1/trials/${canonicalId}`);
    expect(plain.body.data).not.toHaveProperty('modality');
  });
});
