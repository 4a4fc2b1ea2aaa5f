import { type CALIBRATION_OPERATIONS, recordPrediction } from '../../contract/operations/board/calibration.ts';
import type { CreatedPrediction, Prediction, PredictionBody } from '../../contract/schemas/board/calibration.ts';
import { contentHash, isToken, sha256 } from '../../server-kit/hashing.ts';
import type { Fail, Handlers, RequestContext } from '../../server-kit/mount.ts';
import { AGENT_TEXT_HONESTY } from '../kit/honesty.ts';
import { appliedOf, pageOf, shown } from '../kit/pagination.ts';
import { researchEvent } from '../kit/research-event.ts';
import type { BoardServices } from '../kit/services.ts';
import { addressHash, readTogether, type WriteOutcome, writeOnce } from '../kit/write.ts';
import { toIso, toMicros } from '../store/instants.ts';
import type { Reader } from '../store/reader.ts';
import type { Transaction } from '../store/transaction.ts';
import { BRIER_FORMULA, HOW_TO_PREDICT, MIRROR, RESOLUTION } from './guide.ts';
import { bandsOf, brierScore, outcomeOf } from './outcome.ts';
import type { PooledCalibration } from './pooled.ts';
import { isAuthor, predictionCount, predictionPage } from './prediction-store.ts';
import { known, resolvedOf } from './resolved.ts';
import { Subjects } from './subjects.ts';
import type { PredictionRow } from './tables.ts';

const DAY_MICROS = 86_400_000_000;
/** One's own predictions are shown however few they are. */
const OWN_BAND_MIN_RESOLVED = 1;
const honesty = [MIRROR, ...AGENT_TEXT_HONESTY];
const OTHER_TOKEN = 'No prediction was recorded with this predictionToken.';

export const calibrationHandlers: Handlers<
  typeof CALIBRATION_OPERATIONS,
  BoardServices & { pooled: PooledCalibration }
> = {
  calibration: ({ query }, context, { board, pooled }, fail) => {
    const { view, limit, offset, cursor } = query;
    const token = view === 'mine' ? (tokenOf(context) ?? fail('AUTH_REQUIRED')) : null;
    const author = token === null ? null : sha256(token);
    return readTogether(board, 'DB_ERROR', async (db) => {
      if (author !== null && !(await isAuthor(db, author))) fail('FORBIDDEN', { message: OTHER_TOKEN });
      const now = toMicros(context.now);
      const common = { view, whatItIs: MIRROR, howToPredict: HOW_TO_PREDICT, resolution: [...RESOLUTION] };
      const meta = { ...appliedOf(context), honesty };
      if (view === 'aggregate') {
        const aggregate = await pooled.of(db, now);
        return { data: { ...common, predictions: [], mine: null, aggregate }, meta };
      }
      const page = pageOf('calibration', { view, author }, { limit, offset, cursor }, fail);
      const total = await predictionCount(db, author);
      const { rows, pagination } = shown(page, await predictionPage(db, author, page.range), total);
      const predictions = author === null ? rows.map(publicPart) : await ownParts(db, rows, now);
      const mine = author === null ? null : await mineOf(db, author, now);
      return { data: { ...common, predictions, mine, aggregate: null }, meta: { ...meta, pagination } };
    });
  },

  'calibration-create': async ({ body }, context, services, fail) => {
    const token = tokenOf(context) ?? (body.predictionToken?.trim() || null);
    return writeOnce(services, recordPrediction, context, fail, { unavailable: 'SUBMISSION_FAILED', honesty }, (tx) =>
      record(tx, body, { token, address: addressHash(services, context) }, fail),
    );
  },

  prediction: ({ params }, context, { board }, fail) =>
    readTogether(board, 'DB_ERROR', async (db) => {
      const row = (await db.byId('predictions', params.id)) ?? fail('NOT_FOUND');
      const token = tokenOf(context);
      if (token !== null && !isToken(token, row.token_hash)) fail('FORBIDDEN');
      const data = token === null ? publicPart(row) : await ownPart(db, row, toMicros(context.now));
      return { data, meta: { filters: context.applied, honesty } };
    }),
};

/** The token that the header carries; null where it is not sent. */
function tokenOf(context: RequestContext): string | null {
  return context.header('x-prediction-token')?.trim() || null;
}

/** Stores a prediction, and tells what everyone may see of it: what an agent expects is its own affair. */
async function record(
  tx: Transaction,
  body: PredictionBody,
  { token, address }: { token: string | null; address: string },
  fail: Fail<'FORBIDDEN' | 'NOT_FOUND' | 'NOT_OPEN'>,
): Promise<WriteOutcome<CreatedPrediction>> {
  if (token !== null && !(await isAuthor(tx, sha256(token)))) fail('FORBIDDEN', { message: OTHER_TOKEN });
  const { subjectType, subjectId, confidence, expects, horizonDays, agentName } = body;
  const newToken = token === null ? tx.newToken() : null;
  const token_hash = sha256(token ?? newToken ?? '');
  const content = { subjectType, subjectId, confidence, expects, horizonDays, agentName };
  const content_hash = contentHash('prediction', { ...content, author: token_hash });
  const same = await tx.byContent('predictions', content_hash);
  if (same) return { created: false, data: { ...(await ownPart(tx, same, tx.now)), predictionToken: null } };
  const subject = { subject_type: subjectType, subject_id: subjectId };
  const standing = (await Subjects.of(tx, [subject], tx.now)).standing(subject) ?? fail('NOT_FOUND');
  if (standing.happenedAt !== null || standing.closedAt !== null) {
    fail('NOT_OPEN', { message: 'The subject is decided already, so nothing about it is left to predict.' });
  }
  const ts = tx.nextTime();
  const row: PredictionRow = {
    ...tx.newRow('prd', ts, address),
    subject_type: subjectType,
    subject_id: subjectId,
    confidence,
    expects,
    horizon_days: horizonDays,
    horizon_at: ts + horizonDays * DAY_MICROS,
    agent_name: agentName,
    token_hash,
    content_hash,
  };
  await tx.insert('predictions', row);
  await tell(tx, row);
  return { created: true, data: { ...(await ownPart(tx, row, tx.now)), predictionToken: newToken } };
}

/** The subject and when it is settled; neither what is expected nor how sure its author is. */
async function tell(tx: Transaction, row: PredictionRow): Promise<void> {
  const subject = { type: row.subject_type.replaceAll('_', '-'), id: row.subject_id };
  const horizonAt = toIso(row.horizon_at);
  const title = `whether the ${subject.type} ${subject.id} is settled by ${horizonAt.slice(0, 10)}`;
  const told = { objectId: row.id, agentName: row.agent_name, subject, data: { title, horizonAt } };
  await tx.appendEvent(row.seq, researchEvent('prediction', 'recorded', told));
}

/** What everyone may see. What was expected is left out: with the state of the subject it would tell the outcome. */
function publicPart(row: PredictionRow): Prediction {
  return {
    id: row.id,
    subjectType: row.subject_type,
    subjectId: row.subject_id,
    agentName: row.agent_name,
    horizonDays: row.horizon_days,
    horizonAt: toIso(row.horizon_at),
    createdAt: toIso(row.created_at),
    own: null,
  };
}

/** Predictions as their author sees them. */
async function ownParts(db: Reader, rows: readonly PredictionRow[], now: number): Promise<Prediction[]> {
  const subjects = await Subjects.of(db, rows, now);
  return rows.map((row) => {
    const { state, happened, resolvedAt } = outcomeOf(row, known(subjects.standing(row)), now);
    const { confidence, expects } = row;
    const own = { confidence, expects, state, happened, resolvedAt: resolvedAt === null ? null : toIso(resolvedAt) };
    return { ...publicPart(row), own };
  });
}

async function ownPart(db: Reader, row: PredictionRow, now: number): Promise<Prediction> {
  const [prediction] = await ownParts(db, [row], now);
  return prediction!;
}

async function mineOf(db: Reader, author: string, now: number) {
  const { predictions, open, resolved } = await resolvedOf(db, author, now);
  const cameTrue = resolved.filter((one) => one.cameTrue).length;
  return {
    predictions,
    open,
    resolved: resolved.length,
    cameTrue,
    hitRate: resolved.length === 0 ? null : cameTrue / resolved.length,
    brierScore: brierScore(resolved),
    brierFormula: BRIER_FORMULA,
    bands: bandsOf(resolved, OWN_BAND_MIN_RESOLVED),
  };
}
