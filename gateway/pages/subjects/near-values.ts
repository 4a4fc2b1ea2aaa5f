import { nearestNames } from '../../../contract/nearest-names.ts';
import type { OperationOutput } from '../../../contract/operation.ts';
import type { listTrialValues } from '../../../contract/operations/trial-values.ts';
import { type Html, html } from '../html.ts';
import { count } from '../kit/words.ts';
import { type Answered, FailedRead } from '../reads.ts';

/** How unlike a name may be, as a share of its letters. */
const MOST_UNLIKE = 0.5;

/** Links to the values that are spelled most like a name; none where they could not be read. */
export function nearValues(
  name: string,
  read: Answered<OperationOutput<typeof listTrialValues>> | FailedRead,
  addressOf: (value: string) => string,
): Html[] {
  if (read instanceof FailedRead) return [];
  const { values } = read.data;
  const near = nearestNames(
    name,
    values.map(({ value }) => value),
    MOST_UNLIKE,
  );
  return near.map((value) => {
    const trials = values.find((one) => one.value === value)?.trials ?? 0;
    return html`<a href="${addressOf(value)}"><bdi>${value}</bdi></a> <span class="soft">${count(trials)}</span>`;
  });
}
