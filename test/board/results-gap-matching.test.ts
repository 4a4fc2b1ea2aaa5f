import { describe, expect, it } from 'vitest';
import { openBoard, type TestBoard } from '../support/board/board.ts';
import { literatureSaying, populationOf } from '../support/board/results-gap.ts';

const NEXT = '/api/v1/work/results-gap/next';
const TYPE_1 = 'type-1-diabetes';
const COMPLETED = '2020-01-01';

/** By words, the first two are in the topic; by concepts, the second and third, and the fourth, which is too young. */
const TRIALS = [
  { nctId: 'NCT00000013', completed: COMPLETED, topics: [TYPE_1], topicsByConcepts: [] },
  { nctId: 'NCT00000026', completed: COMPLETED, topics: [TYPE_1] },
  { nctId: 'NCT00000039', completed: COMPLETED, topicsByConcepts: [TYPE_1] },
  { nctId: 'NCT00000052', completed: '2026-01-01', topicsByConcepts: [TYPE_1] },
  { nctId: 'NCT00000065', completed: COMPLETED },
];

const board = async () =>
  openBoard({ population: await populationOf(TRIALS), literature: literatureSaying(() => 'none') });

/** Takes and reports trials until none is left. */
async function takenBy(of: TestBoard, query: string): Promise<string[]> {
  const taken: string[] = [];
  for (;;) {
    const { status, body } = await of.get(`${NEXT}?agentName=ada&${query}`);
    if (status !== 200) return taken.sort();
    const { nctId } = body.data.trial;
    taken.push(nctId);
    const report = { agentName: 'ada', nctId, outcome: 'searched_none', searchStrategy: 'PubMed by the id.' };
    await of.send('/api/v1/work/results-gap', report);
  }
}

describe('a trial of the results gap, by topic', () => {
  it.each([
    [`topic=${TYPE_1}`, ['NCT00000013', 'NCT00000026']],
    [`topic=${TYPE_1}&match=words`, ['NCT00000013', 'NCT00000026']],
    [`topic=${TYPE_1}&match=concepts`, ['NCT00000026', 'NCT00000039']],
    ['disease=t1d&match=concepts', ['NCT00000026', 'NCT00000039']],
    ['match=concepts', ['NCT00000013', 'NCT00000026', 'NCT00000039', 'NCT00000065']],
  ])('%s gives %j', async (query, expected) => {
    await using of = await board();
    expect(await takenBy(of, query)).toEqual(expected);
  });

  it('is replicated by the same topic', async () => {
    await using of = await board();
    for (const nctId of ['NCT00000013', 'NCT00000039']) {
      const report = { agentName: 'bo', nctId, outcome: 'searched_none', searchStrategy: 'PubMed by the id.' };
      await of.send('/api/v1/work/results-gap', report);
    }
    const replicated = async (match: string) =>
      (await of.get(`${NEXT}?agentName=ada&mode=replicate&topic=${TYPE_1}&match=${match}`)).body.data.trial.nctId;
    expect([await replicated('words'), await replicated('concepts')]).toEqual(['NCT00000013', 'NCT00000039']);
  });

  it('has the strict count beside the expanded one, of the trials that are old enough, and how the topic was read', async () => {
    await using of = await board();
    const { body } = await of.get(`${NEXT}?topic=${TYPE_1}&match=concepts`);
    expect(body._meta.matching).toEqual({
      because: [
        {
          words: TYPE_1,
          concept: null,
          heading: 'type-1-diabetes',
          source: 'Curated topics of this index',
          year: '2026',
        },
      ],
      strict: 2,
      expanded: 2,
      strictOnly: 1,
      topic: { id: TYPE_1, words: [TYPE_1], concepts: [{ id: 'D1', heading: TYPE_1 }], without: [] },
      sources: [{ id: 'mesh', name: 'MeSH', year: '2021', licence: 'none' }],
      leftOut: [],
      respelt: [],
    });
    expect(body.data.trial).toMatchObject({ nctId: 'NCT00000026', topics: [TYPE_1], topicsByConcepts: [TYPE_1] });
  });

  it('by words says how many concepts would add, and without a topic says nothing', async () => {
    await using of = await board();
    const { body } = await of.get(`${NEXT}?topic=${TYPE_1}`);
    expect([body._meta.matching, body._meta.alsoMatching]).toEqual([
      undefined,
      {
        distinct: 1,
        total: 2,
        because: [
          { words: TYPE_1, concept: null, heading: TYPE_1, source: 'Curated topics of this index', year: '2026' },
        ],
      },
    ]);
    const without = (await of.get(`${NEXT}?match=concepts`)).body._meta;
    expect([without.matching, without.alsoMatching]).toEqual([undefined, undefined]);
  });
});
