import { LAB_DEFAULT_DISEASE } from '../../contract/declared/research.ts';
import { EVIDENCE_TRACE_MAX_ITEMS } from '../../contract/limits/research.ts';
import type { Hypothesis, HypothesisBody, HypothesisDetail } from '../../contract/schemas/research/cure-lab.ts';
import { contentHash } from '../../server-kit/hashing.ts';
import type { WriteOutcome } from '../kit/write.ts';
import type { Reader } from '../store/reader.ts';
import type { Transaction } from '../store/transaction.ts';
import { claimCount } from './claim-count.ts';
import { sideOf } from './contradictions.ts';
import { evidencePage } from './evidence-store.ts';
import { talliesOf } from './evidence-tally-store.ts';
import { hypotheses } from './hypothesis-store.ts';
import { hypothesisScope } from './scopes.ts';
import type { HypothesisRow } from './tables.ts';
import { shortClaim } from './trace.ts';

/** Stores a hypothesis with its event, or finds the identical one. */
export async function storeHypothesis(
  tx: Transaction,
  body: HypothesisBody,
  address: string,
): Promise<WriteOutcome<Hypothesis>> {
  const content = {
    title: body.title,
    disease: body.disease ?? LAB_DEFAULT_DISEASE,
    track: body.track,
    question: body.question,
    rationale: body.rationale,
    predictions: JSON.stringify(body.predictions.map(({ prediction, falsifier }) => ({ prediction, falsifier }))),
    agent_name: body.agentName,
    agent_contact: body.agentContact ?? null,
  };
  const content_hash = contentHash('hypothesis', content);
  const same = await tx.byContent('hypotheses', content_hash);
  if (same) return { created: false, data: hypotheses.present(same) };
  const ts = tx.nextTime();
  const row: HypothesisRow = {
    ...content,
    ...tx.newRow('hyp', ts, address),
    state: 'proposed',
    content_hash,
  };
  await tx.insert('hypotheses', row);
  await hypotheses.addEvent(tx, ts, row, 'proposed', row.agent_name, { disease: row.disease, track: row.track });
  return { created: true, data: hypotheses.present(row) };
}

/** A hypothesis with the counts of its evidence and the newest of its claims. */
export async function hypothesisDetail(db: Reader, row: HypothesisRow): Promise<HypothesisDetail> {
  const tallies = await talliesOf(db, [hypothesisScope(row.id)]);
  const linked = { hypothesisId: row.id };
  const claims = await evidencePage(db, linked, { limit: EVIDENCE_TRACE_MAX_ITEMS, offset: 0, after: null });
  return {
    ...hypotheses.present(row),
    evidence: {
      supports: sideOf(tallies, 'supports'),
      contradicts: sideOf(tallies, 'contradicts'),
      neutral: sideOf(tallies, 'neutral'),
    },
    claims: claims.map(shortClaim),
    claimsTotal: await claimCount(db, linked),
    nextCalls: [
      { call: `GET /api/v1/cure-lab/evidence?hypothesisId=${row.id}`, why: 'All claims that link to it.' },
      { call: `GET /api/v1/cure-lab/evidence?track=${row.track}`, why: 'Claims of its track that may bear on it.' },
    ],
  };
}
