import type { OperationOutput } from '../../../contract/operation.ts';
import type { getSnapshots } from '../../../contract/operations/trials/snapshots.ts';
import { dayChart } from '../../charts/days.ts';
import { column, type DrawnPicture } from '../kit/picture.ts';
import { count } from '../kit/words.ts';
import { size } from '../words/snapshots.ts';

export type Version = OperationOutput<typeof getSnapshots>['snapshots'][number];

/** Versions drawn, and on one page of their list. */
export const VERSIONS_DRAWN = 50;

const BYTES_PER_MEGABYTE = 1e6;
/** Short enough for the ends of an axis; the caption has the full time. */
const DAY = new Intl.DateTimeFormat('en-GB', { day: 'numeric', month: 'short', timeZone: 'UTC' });

const GROWTH_COLUMNS = [
  column('version', 'Version', 'of the index'),
  column('published', 'Published', 'in UTC'),
  column('as_of', 'Data as of', 'the day of its data', 'date'),
  column('trials', 'Distinct trials', 'in it', 'integer'),
  column('bytes', 'Bytes', 'of its Parquet files', 'integer'),
];

/** How trials or bytes grew over versions that are held, newest first. */
export function growthPicture(
  name: 'versions-trials' | 'versions-bytes',
  newestFirst: readonly Version[],
): DrawnPicture {
  const versions = newestFirst.toReversed();
  const [first, last] = [versions[0], versions.at(-1)];
  const ofTrials = name === 'versions-trials';
  const told = (one: Version): string => (ofTrials ? count(one.counts.trials) : size(one.bytes));
  const span =
    first === undefined || last === undefined
      ? ': no version is held.'
      : ` over ${versions.length === 1 ? 'one version' : `${versions.length} versions`}, ${minute(first)} to ${minute(last)}: from ${told(first)} to ${told(last)}.`;
  const title = `${ofTrials ? 'Distinct trials' : 'Bytes of the Parquet files'}${span}`;
  const values = versions.map(({ counts, bytes }) =>
    ofTrials ? counts.trials : Math.round((bytes / BYTES_PER_MEGABYTE) * 100) / 100,
  );
  return {
    ...{ name, own: {}, title },
    definition: `The last ${VERSIONS_DRAWN} versions that are held at most, oldest first. ${ofTrials ? 'Each trial counts once in a version.' : 'The tables of a version alone, without its serving image.'}`,
    page: '/snapshots',
    columns: GROWTH_COLUMNS,
    rows: versions.map(({ version, publishedAt, asOf, counts, bytes }) => ({
      ...{ version, published: publishedAt, as_of: asOf, trials: counts.trials, bytes },
    })),
    draw:
      versions.length === 0
        ? null
        : (width) =>
            dayChart(
              {
                days: versions.map(({ publishedAt }) => DAY.format(new Date(publishedAt))),
                lines: [{ name: ofTrials ? 'distinct trials' : 'Parquet files', values }],
                unit: ofTrials ? 'trials' : 'MB',
              },
              { width, height: GROWTH_HEIGHT_PX, label: title },
            ),
  };
}

const GROWTH_HEIGHT_PX = 260;

const minute = ({ publishedAt }: Version): string => publishedAt.slice(0, 16).replace('T', ' ');
