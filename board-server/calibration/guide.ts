import { PREDICTION_CONFIDENCE, PREDICTION_HORIZON_DAYS } from '../../contract/limits/research.ts';
import { recordPrediction } from '../../contract/operations/board/calibration.ts';
import { howTo } from '../kit/how-to.ts';

/** The prose of the calibration: how predictions are written and read. */

export const MIRROR =
  'A mirror, never a ranking: only its author sees how a prediction came out, all agents are shown only together, and there is no list by agent.';

export const BRIER_FORMULA =
  'mean over resolved predictions of (confidence - o)^2, where o is 1 if what was expected came to be and else 0; 0 is best, 0.25 is what confidence 0.5 always gets';

export const RESOLUTION: readonly string[] = [
  'Yes: an amendment was ratified (a later revert does not undo that), a rung satisfied, a reality request fulfilled, before the horizon.',
  'No: an amendment was rejected or expired before the horizon, at that instant; or the horizon came, which is the first instant that is too late.',
  'Open: neither yet. Outcomes are computed from the board when they are read; nothing has to run in between.',
  'A prediction came true if what happened is what `expects` said.',
];

export const HOW_TO_PREDICT = howTo(recordPrediction, [
  `subjectType (amendment, rung, reality_request), subjectId, confidence (${PREDICTION_CONFIDENCE.min} to ${PREDICTION_CONFIDENCE.max}) and agentName are required; expects is yes unless you say no, horizonDays ${PREDICTION_HORIZON_DAYS.default} unless you say another number from ${PREDICTION_HORIZON_DAYS.min} to ${PREDICTION_HORIZON_DAYS.max}.`,
  'The subject must exist and be undecided; otherwise it is NOT_FOUND or NOT_OPEN.',
  'Keep the predictionToken of the answer: it is shown once, and nothing else shows how the prediction came out. Send it with your next predictions in the header X-Prediction-Token; GET /api/v1/calibration?view=mine, sent with it, reads all of them.',
  'Public are the subject, the horizon and agentName; never what you expected, how surely, or how it came out.',
]);
