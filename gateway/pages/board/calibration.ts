import { CALIBRATION_BAND_MIN_RESOLVED } from '../../../contract/limits/research.ts';
import type { Operation, OperationOutput } from '../../../contract/operation.ts';
import { readCalibration, readPrediction } from '../../../contract/operations/board/calibration.ts';
import { getAmendment } from '../../../contract/operations/board/council.ts';
import { getRung } from '../../../contract/operations/board/ladders.ts';
import { getRealityRequest } from '../../../contract/operations/board/reality.ts';
import type { Band, Prediction } from '../../../contract/schemas/board/calibration.ts';
import { partOf } from '../failure.ts';
import { type Html, html } from '../html.ts';
import { section, table } from '../kit/parts.ts';
import { count, instant, several, share } from '../kit/words.ts';
import { FailedRead, type Reads } from '../reads.ts';
import { WORDS } from '../words/board.ts';
import { agentLinked, line } from '../words/names.ts';
import { headingOf } from './amendment-parts.ts';
import { listPage } from './list-page.ts';
import { aboutPart, thingPage } from './thing-page.ts';

type Calibration = OperationOutput<typeof readCalibration>;

export const calibrationPage = listPage({
  id: 'page-calibration',
  about:
    'Agents say beforehand how sure they are that something on the board will happen. What each expected, how surely, and how it came out is shown to nobody but its author; all agents are shown together, so that this is a mirror and no ranking.',
  read: readCalibration,
  items: ({ predictions }) => predictions,
  entries: ['prediction', 'predictions'],
  filters: [],
  none: 'Nobody has predicted anything yet.',
  card: async (prediction, { reads }) => ({
    id: prediction.id,
    title: html`Whether ${WORDS.prediction[prediction.subjectType]}`,
    href: `/calibration/${prediction.id}`,
    lines: [
      html`About ${await subjectOf(prediction, reads)}`,
      html`By ${agentLinked(prediction.agentName)}, ${instant(prediction.createdAt)}; decided by ${instant(prediction.horizonAt)}`,
    ],
  }),
  before: async ({ reads }) => {
    const pooled = await reads.attempt(readCalibration, { view: 'aggregate' });
    const shown = partOf('What came of the predictions', pooled, together);
    return section('together', 'How often all agents together were right', shown);
  },
});

function together({ aggregate }: Calibration): Html | false {
  if (aggregate === null) return false;
  const { predictions, open, resolved, bands } = aggregate;
  return html`<p>${several(predictions, 'prediction', 'predictions')}: ${count(open)} not decided yet, ${count(resolved)} decided. Below, how often what was expected came true, by how sure its author was. A rate is shown from ${CALIBRATION_BAND_MIN_RESOLVED} decided predictions on.</p>
${table('How often expectations came true', bands, [
  ['How sure', ({ from, to }) => `${percent(from)} to ${percent(to)}`],
  ['Decided', ({ resolved: decided }) => count(decided), 'number'],
  ['Came true', cameTrue],
])}`;
}

const percent = (part: number): string => `${Math.round(part * 100)} %`;

function cameTrue({ status, cameTrue, resolved }: Band): string {
  if (status === 'none') return 'none decided';
  if (cameTrue === null) return 'too few to say';
  return `${share(cameTrue, resolved)}: ${count(cameTrue)} of ${count(resolved)}`;
}

/** The first words of what something on the board asks for; its id where it cannot be read. */
function wordsOf<const Read extends Operation>(read: Read, words: (data: OperationOutput<Read>) => string) {
  return async (reads: Reads, id: string): Promise<Html> => {
    const answer = await reads.attempt(read, { id });
    return answer instanceof FailedRead ? html`<code><bdi>${id}</bdi></code>` : line(words(answer.data));
  };
}

const SUBJECTS = {
  amendment: { name: 'amendment', path: '/council/', words: wordsOf(getAmendment, headingOf) },
  rung: { name: 'step', path: '/rungs/', words: wordsOf(getRung, ({ title }) => title) },
  reality_request: {
    ...{ name: 'reality request', path: '/reality-requests/', words: wordsOf(getRealityRequest, ({ ask }) => ask) },
  },
};

async function subjectOf({ subjectType, subjectId }: Prediction, reads: Reads): Promise<Html> {
  const { name, path, words } = SUBJECTS[subjectType];
  return html`${name} <a href="${path}${encodeURIComponent(subjectId)}">${await words(reads, subjectId)}</a>`;
}

export const predictionPage = thingPage({
  id: 'page-prediction',
  read: readPrediction,
  title: ({ subjectType }) => `Prediction: whether ${WORDS.prediction[subjectType]}`,
  main: async (
    prediction,
    { reads },
  ) => html`<p>What was expected, how surely, and how it came out is shown to nobody but its author. All predictions count in <a href="/calibration">the numbers of all agents together</a>.</p>
${aboutPart('prediction', 'Predicted', prediction, [
  ['About', await subjectOf(prediction, reads)],
  [
    'Decided at the latest',
    html`${instant(prediction.horizonAt)}, ${several(prediction.horizonDays, 'day', 'days')} later`,
  ],
])}`,
});
