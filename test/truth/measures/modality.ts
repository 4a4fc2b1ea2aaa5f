import { MODALITY_IDS } from '../../../contract/declared/modality.ts';
import { agreement, hasLabels, labelRow, loadLabels, rightLabels } from '../labels.ts';
import type { Measure } from '../measure.ts';

const METHOD =
  'The held records are published and served; the labels that `/api/v1/trials/{id}?include=modality` gives are compared with the settled ones, each label of each trial by itself.';
const SKEW =
  'The sample is not one of all trials: it has more cell therapies, antibodies and heart failure than a registry. The line on trials drawn at random is nearest to what the held records are like.';
const HALVES =
  'When the rules after these (`modality-6+substances-5`) were mended, only the misses of trials with an even number were opened, in the first three development sets; of the odd ones counts alone were seen, but for eight that had got worse. At the end the odd halves of the three had precision 569/585 (97.3 %) and recall 569/607 (93.7 %); of this set alone 172/181 (95.0 %) and 172/191 (90.1 %).';
const FOURTH =
  'The rules of now (`modality-7+substances-6`) were mended on all four development sets. First only the misses of trials with an even number were read: some 1,800 more words for operations, devices, programmes, tests and foods, written from general knowledge and the headings of MeSH and not from misses, brought the even halves from precision 823/845 and recall 823/852 to 827/844 and 827/852, and the unread odd halves from 754/773 and 754/814 to 751/773 and 751/814: more words no longer help. Then the odd misses of the first three sets were read and rules on arms, titles and types added; on the odd half of this set, still unread, precision and recall went from 182/191 and 182/207 to 183/194 and 183/207. At last these were read too, so no figure of now is that of unread trials: the even halves have precision 835/849 (98.4 %) and recall 835/852 (98.0 %), the odd ones 772/784 (98.5 %) and 772/814 (94.8 %).';

/** How some trials of a sample were drawn, by the name of their list of ids. */
const STRATA = { random: 'trials drawn at random', named: 'trials drawn for their words' };

interface LabelledSample {
  title: string;
  /** File of labels in `sets/`. */
  set: string;
  sample: string;
  /** Misses are read by those who mend rules, so the page names those of a development set only. */
  isBlind: boolean;
  remarks: readonly string[];
}

const SAMPLES: readonly LabelledSample[] = [
  {
    title: 'Modality, blind set',
    set: 'modality-blind-5-labels',
    sample:
      '300 ClinicalTrials.gov trials with an intervention out of the 326 held that are in no development set, in the order of the SHA-256 of `modality-blind-5 ` and the id; 111 of them have heart failure in conditions or brief title.',
    isBlind: true,
    remarks: [
      'The readers had labelled it before the rules (`modality-7+substances-6`) were frozen, and these were then measured on it, once. Those who mended the rules had read none of these records for it, and the readers no rules. The misses are not named here, so that the set can serve again.',
      'Earlier rules were made on 200 and 250 held records whose ids were not kept, so some of these trials may have helped to make them.',
      'The sample is like the held records, which have more heart failure than a registry. It holds hardly any cells, genes or antibodies: the earlier sets took most of those that are held.',
    ],
  },
  {
    title: 'Modality, development set',
    set: 'modality-labels',
    sample:
      '300 ClinicalTrials.gov trials with an intervention out of the 1,562 held, drawn at random with a seed: 110 that are not about heart failure and 70 that are (533 of the 1526 held trials with an intervention are), and 120 of those whose text names cells, genes, vaccines, antibodies, peptides or code names.',
    isBlind: false,
    remarks: [
      'This set is not blind: its misses were opened and the rules mended on them on 2026-11-24 and 2026-11-25, so its figures say how well the rules fit what they were made on. When only counts of it had been looked at, precision was 373/399 and recall 373/413.',
      SKEW,
    ],
  },
  {
    title: 'Modality, second development set',
    set: 'modality-labels-2',
    sample:
      '300 ClinicalTrials.gov trials with an intervention out of the 1,226 held that are not in the first development set, in the order of the SHA-256 of `modality-blind-2 ` and the id: the first 110 without and 70 with heart failure in conditions or brief title, then the first 120 of the 176 others whose titles or interventions name cells, genes, vaccines, antibodies, peptides or code names.',
    isBlind: false,
    remarks: [
      'This set was blind until 2026-11-25, but labelled by one reader who had mended the rules. It was then labelled anew, its misses were opened and the rules mended on them. The rules as they had been until then (`modality-4+substances-3`) have precision 401/416 (96.4 %) and recall 401/434 (92.4 %) on the labels of now, and 404/416 and 404/427 on those of before.',
      SKEW,
    ],
  },
  {
    title: 'Modality, third development set',
    set: 'modality-labels-3',
    sample:
      '300 ClinicalTrials.gov trials with an intervention out of the 926 held that are in neither earlier development set, in the order of the SHA-256 of `modality-blind-3 ` and the id: the first 110 without and 70 with heart failure in conditions or brief title, then all 40 others whose titles or interventions name cells, genes, vaccines, antibodies, peptides or code names, then the next 80.',
    isBlind: false,
    remarks: [
      'This set was blind: the guideline was written, the ids were drawn and the rules of then frozen (`modality-5+substances-4`) before these were measured on it, once, with precision 369/394 (93.7 %; 90.8 to 95.7) and recall 369/409 (90.2 %; 87.0 to 92.7).',
      HALVES,
      SKEW,
    ],
  },
  {
    title: 'Modality, fourth development set',
    set: 'modality-labels-4',
    sample:
      '300 ClinicalTrials.gov trials with an intervention out of the 626 held that are in no earlier development set, in the order of the SHA-256 of `modality-blind-4 ` and the id: the first 180 without and 120 with heart failure in conditions or brief title.',
    isBlind: false,
    remarks: [
      'This set was blind: the ids were drawn and the rules of then frozen (`modality-6+substances-5`) before these were measured on it, once, with precision 369/391 (94.4 %; 91.6 to 96.3) and recall 369/410 (90.0 %; 86.7 to 92.5). Those who had mended the rules had read none of these records for it, and the readers no rules; earlier rules were made on 200 and 250 held records whose ids were not kept, so some of these trials may have helped to make them.',
      FOURTH,
      'The sample is like the held records, which have more heart failure than a registry.',
    ],
  },
];

function measureOf({ title, set: name, sample, isBlind, remarks }: LabelledSample): Measure {
  const set = loadLabels(name);
  return {
    title,
    sample,
    method: METHOD,
    checked: set.checked,
    async measure(records) {
      const served = await records.served();
      const found = new Map<string, Set<string>>();
      for (const id of Object.keys(set.trials)) {
        const trial = await served.get(`/api/v1/trials/${id}?include=modality`);
        found.set(id, new Set(trial.modality.labels.map((label: { id: string }) => label.id)));
      }
      const right = rightLabels(set);
      const row = (what: string, options: Parameters<typeof labelRow>[3], isShown = false) => {
        const counted = labelRow(what, right, found, options);
        return isShown ? counted : { ...counted, misses: [] };
      };
      const strata = Object.entries(STRATA).flatMap(([key, what]) => {
        const ids = set.strata[key];
        return ids === undefined || ids.length === right.size ? [] : [row(what, { ids })];
      });
      return {
        rows: [
          row('all labels, all trials', {}),
          ...strata,
          row('cell and gene therapy', { of: ['cell-therapy', 'gene-therapy'] }),
          ...MODALITY_IDS.map((label) => row(label, { of: [label] }, !isBlind)),
        ],
        remarks: [...agreement(set, MODALITY_IDS), ...remarks],
      };
    },
  };
}

/** A blind set is drawn before its labels are written down, and measured once they are there. */
export const MODALITY_MEASURES: readonly Measure[] = SAMPLES.filter(({ set }) => hasLabels(set)).map(measureOf);
