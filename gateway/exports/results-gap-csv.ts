import type { OperationOutput } from '../../contract/operation.ts';
import { getTrialResultsGap } from '../../contract/operations/trials/trial-results-gap.ts';
import type { FileColumn } from '../../server-kit/answer/csv.ts';
import { csvHead, csvRow } from '../../server-kit/answer/file-about.ts';
import { fileNameOf } from '../../server-kit/answer/file-name.ts';
import { searchAddress } from '../pages/trials/search-asked.ts';
import { aboutOfReads, csvHeaders } from './about-reads.ts';
import { PERMANENT, type Taken, type TakenRequest } from './taken.ts';

type Gap = OperationOutput<typeof getTrialResultsGap>;
type GapGroup = NonNullable<Gap['groups']>['values'][number];

interface GapRow extends Pick<GapGroup, 'numerator' | 'denominator' | 'share' | 'daysOverdue'> {
  group: string;
  value: string;
  title: string;
  clock: string;
  months: number;
  /** Address of the list of the numerator's trials; null where no filter can ask for it. */
  list: string | null;
}

function column(
  [name, heading, meaning]: readonly [string, string, string],
  type: FileColumn<GapRow>['type'],
  cell: FileColumn<GapRow>['cell'],
): FileColumn<GapRow> {
  return { name, heading, meaning, type, cell };
}

const COLUMNS: readonly FileColumn<GapRow>[] = [
  column(
    ['group', 'Group by', 'what the groups are; all: one row for all trials of the query'],
    'text',
    ({ group }) => group,
  ),
  column(['value', 'Value', 'of the group, for programs'], 'text', ({ value }) => value),
  column(['title', 'Group', 'in words'], 'text', ({ title }) => title),
  column(['numerator', 'Without results', 'due, and not posted; empty: not known'], 'integer', (row) => row.numerator),
  column(['denominator', 'Due', 'posted or not; empty: not known'], 'integer', (row) => row.denominator),
  column(['share', 'Share', 'the first by the second; empty: none was due'], 'number', ({ share }) => share),
  column(['clock', 'Clock', 'the date that the months run from'], 'text', ({ clock }) => clock),
  column(['months', 'Months', 'after which results are due'], 'integer', ({ months }) => months),
  column(
    ['days_overdue_median', 'Days overdue, median', 'of those without'],
    'number',
    (row) => row.daysOverdue?.median ?? null,
  ),
  column(
    ['days_overdue_longest', 'Days overdue, longest', 'of those without'],
    'integer',
    (row) => row.daysOverdue?.longest ?? null,
  ),
  column(['list', 'List', 'address of the trials without results'], 'text', ({ list }) => list),
  column(
    ['list_csv', 'List as CSV', 'the same trials with the day due and the days overdue, longest overdue first'],
    'text',
    ({ list }) => (list === null ? null : `${list.replace('/trials?', '/trials.csv?')}&sort=daysOverdue`),
  ),
];

const PAGE_SIZE = 100;

/** The total, which is no row: a sum over the column would count it twice. */
function shareWords({ numerator, denominator }: Gap): string {
  if (numerator === null || denominator === null) return 'not known, since the registry never answered';
  return `${numerator.toLocaleString('en-GB')} of ${denominator.toLocaleString('en-GB')} in all`;
}

/** The groups are bounded by the names that registries write; they are read page by page as they are taken. */
export const resultsGapCsv: Taken = {
  id: 'results-gap-csv',
  async answer(request) {
    const { reads, applied, snapshot, baseUrl } = request;
    const { header: by, ...given } = applied;
    const { data, meta } = await reads.read(getTrialResultsGap, { ...given, pageSize: PAGE_SIZE });
    const version = snapshot ?? meta.snapshot;
    const query = new URLSearchParams({ ...applied, ...(version !== undefined && { snapshot: version }) });
    const location = `/results-gap.csv${query.size === 0 ? '' : `?${query}`}`;
    const about = await aboutOfReads(
      request,
      {
        title: `Completed trials of ClinicalTrials.gov without posted results: ${shareWords(data)}`,
        rows: { count: data.groups?.total ?? 1, what: 'groups', each: 'one a row' },
        readAs: [data.definition, ...(data.groups === null ? [] : [data.groups.definition])],
        address: `${baseUrl}${location}`,
      },
      ['clinicaltrials_gov'],
    );
    return {
      // Every page of the groups is of the version that the heading names.
      body: pieces(
        { reads: reads.at(version), baseUrl },
        given,
        data,
        csvHead(COLUMNS, about, by === 'names' ? 'names' : 'words'),
      ),
      headers: {
        ...csvHeaders(fileNameOf('results-gap', Object.values(given), about.snapshot, 'csv'), location),
        ...(snapshot === undefined ? {} : PERMANENT),
      },
    };
  },
};

async function* pieces(
  { reads, baseUrl }: Pick<TakenRequest, 'reads' | 'baseUrl'>,
  given: Record<string, string>,
  first: Gap,
  head: string,
): AsyncGenerator<string> {
  const listOf = (filters: Record<string, string>): string => `${baseUrl}${searchAddress(filters)}`;
  const { clock, months } = first;
  const all: GapRow = {
    ...{ group: 'all', value: '', title: 'All trials of the query', clock, months },
    ...{ numerator: first.numerator, denominator: first.denominator, share: first.share },
    ...{ daysOverdue: first.daysOverdue, list: listOf(first.queries.numerator) },
  };
  yield head + (first.groups === null ? csvRow(COLUMNS, all) : '');
  let { groups } = first;
  let told = 0;
  for (let page = 1; groups !== null && groups.values.length > 0; page++) {
    const { by, queries, values, total } = groups;
    yield values
      .map((one) => {
        const list = one.query === null ? null : listOf({ ...queries.numerator, ...one.query });
        // A spreadsheet would read the phase 1-2 as a day.
        const value = by === 'phase' ? one.title : one.value;
        return csvRow(COLUMNS, { ...one, value, group: by, clock, months, list });
      })
      .join('');
    told += values.length;
    if (told >= total) return;
    ({ groups } = (await reads.read(getTrialResultsGap, { ...given, pageSize: PAGE_SIZE, page: page + 1 })).data);
  }
}
