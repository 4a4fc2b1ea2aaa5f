import { dayChart } from '../../../charts/days.ts';
import type { OperationOutput } from '../../../contract/operation.ts';
import type { getSnapshots } from '../../../contract/operations/snapshots.ts';
import { type Html, html } from '../html.ts';
import type { PageRequest } from '../page.ts';
import { count, picture } from '../parts.ts';
import { size } from './words.ts';

type Summary = OperationOutput<typeof getSnapshots>['snapshots'][number];

const BYTES_PER_MEGABYTE = 1e6;
/** Short enough for the ends of an axis; the caption has the full time. */
const DAY = new Intl.DateTimeFormat('en-GB', { day: 'numeric', month: 'short', timeZone: 'UTC' });

/** Growth of trials and bytes over the versions, oldest first; the table below has the same numbers. */
export function growthPictures(newestFirst: readonly Summary[], pictures: PageRequest['pictures']): Html | false {
  const versions = newestFirst.toReversed();
  const [first, last] = [versions[0], versions.at(-1)];
  if (first === undefined || last === undefined) return false;
  const key = `${last.version} growth since ${first.version} over ${versions.length}`;
  const days = versions.map(({ publishedAt }) => DAY.format(new Date(publishedAt)));
  const span = `${versions.length === 1 ? 'one version' : `${versions.length} versions`}, ${minute(first)} to ${minute(last)}`;
  const drawn = (id: string, name: string, unit: string, label: string, values: number[]): Html =>
    pictures.draw(`${key} ${id}`, () =>
      dayChart({ days, lines: [{ name, values }], unit }, { id, width: 560, height: 260, label }),
    );
  const trials = `Distinct trials over ${span}: from ${count(first.counts.trials)} to ${count(last.counts.trials)}.`;
  const bytes = `Bytes of the Parquet files over ${span}: from ${size(first.bytes)} to ${size(last.bytes)}.`;
  return html`<div class="pictures">
${picture(
  drawn(
    'growth-trials',
    'distinct trials',
    'trials',
    trials,
    versions.map(({ counts }) => counts.trials),
  ),
  trials,
)}
${picture(
  drawn(
    'growth-bytes',
    'Parquet files',
    'MB',
    bytes,
    versions.map((version) => Math.round((version.bytes / BYTES_PER_MEGABYTE) * 100) / 100),
  ),
  bytes,
)}
</div>`;
}

function minute({ publishedAt }: Summary): string {
  return publishedAt.slice(0, 16).replace('T', ' ');
}
