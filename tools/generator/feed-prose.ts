import { CONDITIONS } from './conditions.ts';
import type { Random } from './random.ts';

export interface ItemText {
  title: string;
  /** May hold markup. */
  summary: string;
}

interface ItemKind {
  /** How often each category of feed writes of this; 1 where none is given. */
  weights: Readonly<Record<string, number>>;
  write(random: Random): ItemText;
}

/** Stands before every title, so that no item can be taken for a real one wherever it is shown. */
const MARK = '[Synthetic]';

function kind(weights: ItemKind['weights'], titles: readonly string[], summaries: readonly string[]): ItemKind {
  return {
    weights,
    write(random) {
      const topic = random.pick(CONDITIONS).name;
      const fill = (text: string): string =>
        text.replaceAll('{topic}', topic).replaceAll('{n}', String(random.between(2, 90)));
      return { title: `${MARK} ${fill(random.pick(titles))}`, summary: fill(random.pick(summaries)) };
    },
  };
}

/** What the items of the sample are about, in words that the lexicons know and in words that they do not. */
export const ITEM_KINDS: readonly ItemKind[] = [
  kind(
    { preprint: 8, journal: 6, registry: 4 },
    [
      'A randomised study of {topic} in {n} centres',
      'Biomarkers of {topic}: a cohort analysis',
      'Meta-analysis of trials in {topic}',
    ],
    [
      '<p>Invented abstract. The <b>data</b> of {n} made-up people were analysed; p &lt; 0.05 means nothing here.</p>',
      'Invented abstract of a systematic review.',
    ],
  ),
  kind(
    { preprint: 4, journal: 3 },
    ['Machine learning model for {topic}', 'Sequencing dataset on {topic} deposited'],
    ['Invented abstract about an algorithm and the experiment it was tried in.'],
  ),
  kind(
    { registry: 7, regulator: 3 },
    ['New gene therapy for {topic} approved', 'Vaccine dose for {topic} in a trial at {n} sites'],
    ['Invented notice on a treatment that does not exist.'],
  ),
  kind(
    { regulator: 7, news: 2 },
    ['Recall of a device used in {topic}', 'Safety warning on a tablet for {topic}'],
    ['Invented alert; no such product exists.', '<div>Invented alert&nbsp;&mdash; contamination of one batch.</div>'],
  ),
  kind(
    { funder: 8, news: 3 },
    ['{n} million in funding for {topic}', 'Grants awarded: research facilities for {topic}'],
    ['Invented call: a budget of {n} million for laboratories and equipment.'],
  ),
  kind(
    { funder: 4, news: 3, journal: 2 },
    ['Consortium on {topic} forms a network of {n} partners', 'Open access platform for {topic} announced'],
    ['Invented partnership of institutions that do not exist.'],
  ),
  kind(
    { funder: 3, journal: 2, news: 2 },
    ['Diversity in {topic}: underrepresented groups in studies', 'Equity of care in {topic} for rural communities'],
    ['Invented report on women, older adults and ethnic minorities in research.'],
  ),
  kind(
    { regulator: 3, news: 2 },
    ['Shortage of a medicine for {topic}', 'Waiting times in {topic} reviewed'],
    ['Invented notice on supply and access.'],
  ),
  kind(
    { regulator: 4, funder: 2 },
    ['Consultation on guidance for {topic}', 'New regulation proposed for {topic} registries'],
    ['Invented consultation; answers go nowhere.'],
  ),
  kind({ news: 4 }, ['A day with {topic}', 'Letters: living with {topic}'], ['An invented column.', '']),
];
