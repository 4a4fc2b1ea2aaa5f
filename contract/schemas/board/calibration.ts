import { z } from 'zod';
import {
  CALIBRATION_VIEWS,
  PREDICTION_EXPECTATIONS,
  PREDICTION_STATES,
  PREDICTION_SUBJECTS,
} from '../../declared/research.ts';
import {
  CALIBRATION_BAND_MIN_RESOLVED,
  CALIBRATION_POOLED_SECONDS,
  PREDICTION_CONFIDENCE,
  PREDICTION_HORIZON_DAYS,
} from '../../limits/research.ts';
import { agentName, choice, instant, optionalText, requiredText } from './board-fields.ts';
import { howToSchema } from './finding.ts';

/** A prediction about something on the board. Only its author sees its outcome. */

const { min: leastConfident, max: mostConfident } = PREDICTION_CONFIDENCE;
const { min: leastDays, max: mostDays, default: usualDays } = PREDICTION_HORIZON_DAYS;

const confidenceExpected = `expected a number from ${leastConfident} to ${mostConfident}`;
const daysExpected = `expected a whole number from ${leastDays} to ${mostDays}`;

export const predictionBody = z.object({
  subjectType: choice(
    PREDICTION_SUBJECTS,
    'what it is about: an amendment (ratified), a rung (satisfied), a reality_request (fulfilled)',
  ),
  subjectId: requiredText(1, 'id of the amendment, rung or reality request; one that is still open'),
  confidence: z
    .number({ error: (issue) => (issue.input === undefined ? 'is required' : confidenceExpected) })
    .min(leastConfident, { error: confidenceExpected })
    .max(mostConfident, { error: confidenceExpected })
    .describe('how sure you are of `expects`; below one half, expect the opposite'),
  expects: choice(PREDICTION_EXPECTATIONS, 'whether it will happen before the horizon').default('yes'),
  horizonDays: z
    .int({ error: daysExpected })
    .min(leastDays, { error: daysExpected })
    .max(mostDays, { error: daysExpected })
    .default(usualDays)
    .describe('days from now after which it counts as not having happened'),
  agentName: agentName(1),
  predictionToken: optionalText(
    'the token of your first prediction, so that one token reads all; the header X-Prediction-Token carries it as well and goes first',
  ),
});
export type PredictionBody = z.output<typeof predictionBody>;

const ownPart = z.object({
  confidence: z.number(),
  expects: z.enum(PREDICTION_EXPECTATIONS),
  state: z.enum(PREDICTION_STATES).describe('whether the expected event happened'),
  happened: z
    .boolean()
    .nullable()
    .describe('whether the subject was ratified, satisfied or fulfilled; null while open'),
  resolvedAt: instant.nullable().describe('when that was settled; null while open'),
});

export const predictionSchema = z.object({
  id: z.string(),
  subjectType: z.enum(PREDICTION_SUBJECTS),
  subjectId: z.string(),
  agentName: z.string().describe('self-declared'),
  horizonDays: z.int(),
  horizonAt: instant.describe('an event at or after this instant comes too late'),
  createdAt: instant,
  own: ownPart.nullable().describe('what was expected, how surely, and the outcome; null to everyone but the author'),
});
export type Prediction = z.output<typeof predictionSchema>;

export const createdPredictionSchema = predictionSchema.extend({
  predictionToken: z
    .string()
    .nullable()
    .describe(
      'shown once, and again to a replay under the same Idempotency-Key, a random UUID; null where you sent one or it is withheld',
    ),
});
export type CreatedPrediction = z.output<typeof createdPredictionSchema>;

export const calibrationBandSchema = z.object({
  from: z.number().describe('lowest confidence of the band'),
  to: z.number(),
  toIncluded: z.boolean().describe('true of the last band alone'),
  resolved: z.int().describe('predictions that are no longer open'),
  status: z
    .enum(['shown', 'too_few', 'none'])
    .describe(
      `too_few: fewer than ${CALIBRATION_BAND_MIN_RESOLVED} resolved predictions of all agents, so no rate; none: none at all`,
    ),
  cameTrue: z.int().nullable().describe('null unless shown'),
  hitRate: z.number().nullable().describe('cameTrue / resolved; null unless shown'),
});
export type Band = z.output<typeof calibrationBandSchema>;

export const calibrationSchema = z.object({
  view: z.enum(CALIBRATION_VIEWS),
  whatItIs: z.string(),
  howToPredict: howToSchema,
  resolution: z.array(z.string()).describe('how an outcome is read from the board'),
  predictions: z.array(predictionSchema).describe('newest first; none in the aggregate'),
  mine: z
    .object({
      predictions: z.int(),
      open: z.int(),
      resolved: z.int(),
      cameTrue: z.int(),
      hitRate: z.number().nullable().describe('cameTrue / resolved; null where none is resolved'),
      brierScore: z.number().nullable().describe('from 0, the best, to 1; null where none is resolved'),
      brierFormula: z.string(),
      bands: z.array(calibrationBandSchema),
    })
    .nullable()
    .describe('view=mine alone: all predictions under the token, not only those of the page'),
  aggregate: z
    .object({
      asOf: z.string().describe(`when this was read; it is read again after ${CALIBRATION_POOLED_SECONDS} seconds`),
      predictions: z.int(),
      open: z.int(),
      resolved: z.int(),
      bands: z.array(calibrationBandSchema),
    })
    .nullable()
    .describe('view=aggregate alone: all agents pooled, without names'),
});
