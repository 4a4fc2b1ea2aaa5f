import { columnHeading } from '../../contract/fields/field-shapes.ts';
import { named } from '../../contract/fields/value-names.ts';
import type { OperationOutput } from '../../contract/operation.ts';
import { getSnapshotDiff } from '../../contract/operations/trials/snapshots.ts';
import type { FileColumn } from '../../server-kit/answer/csv.ts';
import { csvHead, csvRow, type FileAbout } from '../../server-kit/answer/file-about.ts';
import { fileNameOf } from '../../server-kit/answer/file-name.ts';
import type { Answered, Reads } from '../pages/reads.ts';
import { KIND_NAMES } from '../pages/words/snapshots.ts';
import { aboutOfReads, csvHeaders } from './about-reads.ts';
import { plainValue } from './plain-value.ts';
import type { Taken, TakenRequest } from './taken.ts';

type Diff = OperationOutput<typeof getSnapshotDiff>;

/** A changed entry has a row for each field that differs; any other has one row. */
interface DiffRow {
  entry: Record<string, unknown>;
  field: { field: string; old: unknown; new: unknown } | null;
  heldBy: string | null;
  page: string | null;
}

const text = (value: unknown): string | null => (typeof value === 'string' ? value : null);
const texts = (value: unknown): string[] => (Array.isArray(value) ? (value as string[]) : []);

const COLUMNS: readonly FileColumn<DiffRow>[] = [
  {
    name: 'id',
    heading: 'Id',
    meaning: 'of the trial, registration or link that differs',
    type: 'text',
    cell: ({ entry }) => text(entry.canonicalId ?? entry.id ?? entry.linkId),
  },
  {
    name: 'title',
    heading: 'Title',
    meaning: 'of the trial or registration; empty: it states none, or a link',
    type: 'text',
    cell: ({ entry }) => text(entry.title),
  },
  {
    name: 'held_by',
    heading: 'Held today by',
    meaning: 'the trial of the served version that has this id or had it before; empty: none does, or a link',
    type: 'text',
    cell: ({ heldBy }) => heldBy,
  },
  {
    name: 'page',
    heading: 'Page',
    meaning: 'address of that trial',
    type: 'text',
    cell: ({ page }) => page,
  },
  {
    name: 'registry',
    heading: 'Registry',
    meaning: 'of a registration',
    type: 'text',
    cell: ({ entry }) => text(entry.registry),
  },
  {
    name: 'registrations',
    heading: 'Registrations',
    meaning: 'numbers that an added, removed or split trial holds',
    type: 'text',
    isList: true,
    cell: ({ entry }) => texts(entry.registrations),
  },
  {
    name: 'other_trials',
    heading: 'Other trials',
    meaning: 'the trial that it merged into, or those that it was split off',
    type: 'text',
    isList: true,
    cell: ({ entry }) => (typeof entry.into === 'string' ? [entry.into] : texts(entry.outOf)),
  },
  {
    name: 'link',
    heading: 'Link',
    meaning: 'the two registrations of a link, its kind, rule and verdict',
    type: 'text',
    isList: true,
    cell: ({ entry }) => ['from', 'to', 'kind', 'rule', 'verdict'].flatMap((name) => text(entry[name]) ?? []),
  },
  {
    name: 'field',
    heading: 'What changed',
    meaning: 'the field that differs, in words',
    type: 'text',
    cell: ({ field }) => (field === null ? null : columnHeading(field.field)),
  },
  {
    name: 'column',
    heading: 'Column',
    meaning: 'the name of that field in the tables of a version',
    type: 'text',
    cell: ({ field }) => field?.field ?? null,
  },
  {
    name: 'before',
    heading: 'Before',
    meaning: 'its value in the first version; empty: nothing stated',
    type: 'text',
    cell: ({ field }) => writtenValue(field?.field, field?.old),
  },
  {
    name: 'after',
    heading: 'After',
    meaning: 'its value in the second version; empty: nothing stated',
    type: 'text',
    cell: ({ field }) => writtenValue(field?.field, field?.new),
  },
];

/** A spreadsheet would read the phase 1-2 as a day. */
function writtenValue(field: string | undefined, value: unknown): string | null {
  return field === 'phase' && typeof value === 'string' ? named(value) : plainValue(value);
}

const PAGE_SIZE = 100;

/** One list of a comparison, page after page as the reader takes it. */
export const diffCsv: Taken = {
  id: 'diff-csv',
  async answer(request) {
    const { reads, applied, baseUrl } = request;
    const { header: by = 'words', ...given } = applied;
    const first = await reads.read(getSnapshotDiff, { ...given, pageSize: PAGE_SIZE });
    const { from, to, kind } = first.data;
    const permanent = new URLSearchParams({ ...applied, from: from.version, to: to.version });
    const location = `/snapshots/diff.csv?${permanent}`;
    const about = await aboutOfReads(request, {
      title: `${KIND_NAMES[kind]} between ${from.version} (data as of ${from.asOf}) and ${to.version} (data as of ${to.asOf})`,
      rows: {
        count: first.meta.pagination?.totalItems ?? 0,
        what: 'entries',
        each: kind.endsWith('-changed') ? 'with a row for each field that differs' : 'one a row',
      },
      ...{ snapshot: to.version, asOf: to.asOf, corpus: to.corpus, identity: null },
      address: `${baseUrl}${location}`,
    });
    return {
      body: pieces(reads, { given, by: by === 'names' ? 'names' : 'words', about, first, baseUrl }),
      headers: csvHeaders(fileNameOf(kind, [from.version, 'to'], to.version, 'csv'), location),
    };
  },
};

interface Pieces {
  given: Record<string, string>;
  by: 'words' | 'names';
  about: FileAbout;
  first: Answered<Diff>;
  baseUrl: TakenRequest['baseUrl'];
}

async function* pieces(reads: Reads, { given, by, about, first, baseUrl }: Pieces): AsyncGenerator<string> {
  yield csvHead(COLUMNS, about, by);
  let answer = first;
  for (let page = 1; ; page++) {
    yield rowsOf(answer.data, baseUrl)
      .map((row) => csvRow(COLUMNS, row))
      .join('');
    if (answer.meta.pagination?.hasMore !== true) return;
    answer = await reads.read(getSnapshotDiff, { ...given, pageSize: PAGE_SIZE, page: page + 1 });
  }
}

function rowsOf({ entries, now }: Diff, baseUrl: string): DiffRow[] {
  const holders = new Map(now.map(({ id, canonicalId }) => [id, canonicalId]));
  return (entries as Record<string, unknown>[]).flatMap((entry): DiffRow[] => {
    const heldBy = holders.get(String(entry.canonicalId ?? entry.id)) ?? null;
    const common = { entry, heldBy, page: heldBy === null ? null : `${baseUrl}/trials/${heldBy}` };
    const fields = entry.fields as NonNullable<DiffRow['field']>[] | undefined;
    if (fields === undefined || fields.length === 0) return [{ ...common, field: null }];
    return fields.map((field) => ({ ...common, field }));
  });
}
