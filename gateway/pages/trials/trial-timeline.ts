import { RESULTS_GAP_MONTHS } from '../../../contract/limits/limits.ts';
import { parseFilterDate } from '../../../snapshot/format/words/dates.ts';
import { type Html, html } from '../html.ts';
import { chart } from '../kit/chart.ts';
import { section, table } from '../kit/parts.ts';
import { DEFINITION, eventsOf, type Told, timelinePicture } from '../pictures/timeline.ts';

/** What happened when, and what is planned, as a picture and as a table. */
export function timelinePart(told: Told): Html {
  const picture = timelinePicture(told);
  if (picture.draw === null) return html``;
  return section(
    'timeline',
    'Timeline',
    chart({
      picture,
      definition: html`${DEFINITION} Results are due ${RESULTS_GAP_MONTHS} months after primary completion, as the <a href="/results-gap">results gap</a> counts.`,
      table: table('Dates of this trial', eventsOf(told, parseFilterDate(told.asOf)!), [
        ['Event', ({ title }) => title],
        ['Date', ({ date }) => date],
        ['Stated by', ({ from }) => from],
      ]),
    }),
  );
}
