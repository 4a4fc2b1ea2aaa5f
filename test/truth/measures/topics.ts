import { agreement, labelRow, loadLabels, rightLabels } from '../labels.ts';
import type { Measure } from '../measure.ts';
import type { Served } from '../served.ts';

const SET = loadLabels('topics-labels');
const PAGE_ITEMS = 100;

interface ListedTrial {
  registrations: { id: string }[];
}

async function idsOfTopic(served: Served, topic: string): Promise<string[]> {
  const ids: string[] = [];
  for (let page = 1; ; page++) {
    const { trials }: { trials: ListedTrial[] } = await served.get(
      `/api/v1/trials/search?topic=${topic}&pageSize=${PAGE_ITEMS}&page=${page}`,
    );
    ids.push(...trials.flatMap(({ registrations }) => registrations.map(({ id }) => id)));
    if (trials.length < PAGE_ITEMS) return ids;
  }
}

export const topics: Measure = {
  title: 'Topics',
  sample:
    '470 ClinicalTrials.gov trials out of the 1,562 held, drawn with a seed: 120 at random, and for each topic up to 12 of those whose titles, conditions, keywords or MeSH terms have any of its words.',
  method:
    'The held records are published and served; the trials that `/api/v1/trials/search?topic=` lists are compared with the settled topics of the sample, each topic of each trial by itself.',
  checked: SET.checked,
  async measure(records) {
    const served = await records.served();
    const { topics: declared }: { topics: { id: string }[] } = await served.get('/api/v1/trials/stats');
    const names = declared.map(({ id }) => id);
    const found = new Map(Object.keys(SET.trials).map((id) => [id, new Set<string>()]));
    for (const topic of names) {
      for (const id of await idsOfTopic(served, topic)) found.get(id)?.add(topic);
    }
    const right = rightLabels(SET);
    return {
      rows: [
        { ...labelRow('all topics', right, found), misses: [] },
        ...names.map((topic) => labelRow(topic, right, found, { of: [topic] })),
      ],
      remarks: [
        ...agreement(SET, names),
        'Trials were drawn by the words of topics, so a share over all topics weighs small topics more than a registry would. Trials of a topic that have none of its words anywhere are found only among the 120 drawn at random: recall is an upper bound.',
      ],
    };
  },
};
