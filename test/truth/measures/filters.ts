import { FILTERS, FILTERS_OF_EACH, type FilterOfEach, inOrder, SORTS } from '../filter-cases.ts';
import { compared, type Measure, type Row } from '../measure.ts';
import { idsOf, type RawTrial, rawTrials } from '../raw/trials.ts';
import { SERVED_DAY, type Served } from '../served.ts';

const PAGE_ITEMS = 100;
export const MODALITIES = ['cell-therapy', 'vaccine,antibody'] as const;

interface Listed {
  canonicalId: string;
  registrations: { id: string }[];
  modality?: { labels: { id: string }[] };
}

const keyOf = ({ registrations }: Listed): string => registrations.map(({ id }) => id).join(' ');

/** All pages of a search. */
async function listed(served: Served, query: string): Promise<Listed[]> {
  const found: Listed[] = [];
  for (let page = 1; ; page++) {
    const asked = new URLSearchParams(query);
    asked.set('pageSize', String(PAGE_ITEMS));
    asked.set('page', String(page));
    const { data, _meta } = await served.answer(`/api/v1/trials/search?${asked}`);
    found.push(...data.trials);
    if (_meta.pagination.hasMore) continue;
    const { totalItems } = _meta.pagination;
    if (totalItems !== found.length) throw new Error(`${query}: ${found.length} trials are listed, of ${totalItems}`);
    return found;
  }
}

async function keysFound(served: Served, query: string): Promise<Set<string>> {
  const found = await listed(served, query);
  const keys = new Set(found.map(keyOf));
  if (keys.size !== found.length) throw new Error(`${query}: a trial is listed twice`);
  return keys;
}

function rowOf(what: string, found: ReadonlySet<string>, right: ReadonlySet<string>): Row {
  return { what, n: right.size, ...compared(found, right) };
}

/** One row for all values of a parameter; a trial counts once for each of its values. */
async function rowOfEach(served: Served, trials: readonly RawTrial[], each: FilterOfEach): Promise<Row> {
  const right = new Set<string>();
  const values = new Set<string>();
  for (const trial of trials) {
    for (const value of each.valuesOf(trial)) {
      if (value === '') continue;
      values.add(value);
      right.add(`${value}: ${idsOf(trial)}`);
    }
  }
  const found = new Set<string>();
  for (const value of values) {
    const query = new URLSearchParams({ [each.parameter]: value });
    for (const key of await keysFound(served, String(query))) found.add(`${value}: ${key}`);
  }
  return rowOf(`\`${each.parameter}\`, ${each.what} (${values.size})`, found, right);
}

/** A trial is found where it stands at the right place. */
function orderRow(query: string, found: readonly string[], right: readonly string[]): Row {
  const placed = (keys: readonly string[]): Set<string> => new Set(keys.map((key, place) => `${place + 1}. ${key}`));
  return rowOf(`\`${query}\`, place of each trial`, placed(found), placed(right));
}

/** The labels that every trial shows are the reference here: nothing else says what a modality is. */
function modalityTrials(all: readonly Listed[], asked: string): Set<string> {
  const ids = asked.split(',');
  return new Set(all.filter(({ modality }) => modality!.labels.some(({ id }) => ids.includes(id))).map(keyOf));
}

async function coverageRow(served: Served, rows: readonly Row[]): Promise<Row> {
  const misses: Row['misses'] = [];
  const queries = Object.keys(FILTERS);
  for (const [place, query] of queries.entries()) {
    const { distinct } = await served.get(`/api/v1/trials/coverage?${new URLSearchParams(query)}`);
    if (distinct !== rows[place]!.n) misses.push({ id: `${query}: ${distinct}`, why: 'other count' });
  }
  const share = { hits: queries.length - misses.length, of: queries.length };
  return { what: '`coverage` of these filters, its count', n: queries.length, precision: share, recall: share, misses };
}

export const filters: Measure = {
  title: 'Filters',
  sample:
    'All held records of both registries: the ClinicalTrials.gov studies, the ISRCTN trials with real text in their newest record, and the other trials of the ISRCTN export of April 2022, which has identifiers, dates, overrides and results but no text.',
  method:
    'The records are published and served. Each filter is asked of `/api/v1/trials/search`, all pages of it, and compared with a scan that reads the raw JSON and XML of every record a second time, by nothing of the pipeline or the index: what a filter means is written by hand in the registries’ own words (`test/truth/filter-cases.ts`, `test/truth/raw/`). n is the number of trials that the scan finds.',
  checked: {
    by: 'the writer of the measure',
    on: '2026-11-25',
    how: 'each meaning was written from the description of its parameter before the filter was asked, by a writer who knew the normaliser, so that a mistake of reading made twice does not show; every difference was read in the records',
  },
  isWhole: true,
  async measure({ data, servedOfBoth }) {
    const served = await servedOfBoth();
    const trials = rawTrials(data, SERVED_DAY);
    const rows: Row[] = [];
    for (const [query, holds] of Object.entries(FILTERS)) {
      const right = new Set(trials.filter(holds).map(idsOf));
      rows.push(rowOf(`\`${query}\``, await keysFound(served, query), right));
    }
    const counts = await coverageRow(served, rows);
    const each: Row[] = [];
    for (const one of FILTERS_OF_EACH) each.push(await rowOfEach(served, trials, one));
    const all = await listed(served, 'include=modality');
    const modality: Row[] = [];
    for (const asked of MODALITIES) {
      const query = `modality=${asked}`;
      modality.push(rowOf(`\`${query}\``, await keysFound(served, query), modalityTrials(all, asked)));
    }
    const canonicalIds = new Map(all.map((trial) => [keyOf(trial), trial.canonicalId]));
    const orders: Row[] = [];
    for (const [query, sort] of Object.entries(SORTS)) {
      const right = inOrder(trials, sort, (trial) => canonicalIds.get(idsOf(trial)) ?? '');
      orders.push(orderRow(query, (await listed(served, query)).map(keyOf), right.map(idsOf)));
    }
    return {
      rows: [...rows, ...each, ...modality, counts, ...orders],
      remarks: remarksOn(trials),
    };
  },
};

function remarksOn(trials: readonly RawTrial[]): string[] {
  const inBoth = trials.filter(({ records }) => records.length === 2).length;
  const isrctn = trials.filter(({ records }) => records.some(({ registry }) => registry === 'isrctn')).length;
  return [
    `${trials.length} trials, ${isrctn} with a record of ISRCTN, ${inBoth} in both registries: what a trial of both states is hardly tested here, and by the properties of \`test/serving\` instead.`,
    'The scan reads statuses of ISRCTN by its definitions (override, else dates against the day), decides that two records are one trial by the NCT number that the ISRCTN record states, and takes the words of the topics from `data/topics.json`. The groups of words that the index holds equal (spellings, plurals) are written out as regular expressions.',
    'Not independent: the reference of `modality` is the labels that each trial shows with `include=modality`; how right those are is measured [above](#modality-development-set). Ties of a sort that values and updates leave are broken by canonical ids, which the answers tell.',
    'The first comparison showed no fault of a filter and two of the scan, which took `Not Applicable` of ISRCTN for a blank, and the end of a month of 30 days for the first of the next.',
  ];
}
