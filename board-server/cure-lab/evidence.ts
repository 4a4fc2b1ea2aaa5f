import { EVIDENCE_SOURCES, LAB_DEFAULT_DISEASE } from '../../contract/declared/research.ts';
import { LINE_EXCERPT_MAX_CHARACTERS } from '../../contract/limits/limits.ts';
import type { CreatedEvidence, Evidence, EvidenceBody } from '../../contract/schemas/research/cure-lab.ts';
import { contentHash } from '../../server-kit/hashing.ts';
import { excerpt } from '../kit/excerpt.ts';
import { researchEvent } from '../kit/research-event.ts';
import type { WriteOutcome } from '../kit/write.ts';
import { toIso } from '../store/instants.ts';
import type { Transaction } from '../store/transaction.ts';
import { type SourceStanding, standingsOf } from './evidence-check-store.ts';
import { count, insertContradiction, talliesOf } from './evidence-tally-store.ts';
import { afterSubmitting } from './guide.ts';
import { setGathering } from './hypothesis-store.ts';
import { countedAs, disputable, foldedCohort, scopesOf } from './scopes.ts';
import { presentSource, sourceKey } from './sources.ts';
import type { EvidenceRow } from './tables.ts';

/** A claim as it is stored, without what storing adds. */
export type EvidenceContent = Omit<EvidenceRow, 'id' | 'seq' | 'content_hash' | 'address_hash' | 'created_at'>;

/** The content of a body that its schema let through: exactly one source, in its one form. */
export function contentOf(body: EvidenceBody): EvidenceContent {
  const [source] = EVIDENCE_SOURCES.flatMap((kind) => (body[kind] ? [sourceKey(kind, body[kind])] : []));
  if (source === undefined) throw new Error('a claim without a source was let through');
  return {
    claim_text: body.claimText,
    disease: body.disease ?? LAB_DEFAULT_DISEASE,
    track: body.track,
    disease_stage: body.diseaseStage ?? 'unspecified',
    direction: body.direction,
    evidence_class: body.evidenceClass,
    outcome_category: body.outcomeCategory ?? null,
    source,
    value: body.value ?? null,
    units: body.units ?? null,
    denominator: body.denominator ?? null,
    follow_up: body.followUp ?? null,
    population: body.population ?? null,
    cohort_key: body.cohortKey ?? null,
    cohort: body.cohortKey ? foldedCohort(body.cohortKey) : null,
    hypothesis_id: body.hypothesisId ?? null,
    agent_name: body.agentName,
    agent_contact: body.agentContact ?? null,
  };
}

export function hashOf(content: EvidenceContent): string {
  return contentHash('evidence', { ...content });
}

/** Stores a claim, its counts and its event, or finds the identical one. */
export async function storeEvidence(
  tx: Transaction,
  content: EvidenceContent,
  address: string,
): Promise<WriteOutcome<CreatedEvidence>> {
  const content_hash = hashOf(content);
  const same = await tx.byContent('evidence', content_hash);
  const row = same ?? (await insert(tx, { ...content, content_hash, address_hash: address }));
  const standings = await standingsOf(tx, [row.source]);
  const data = { ...presentEvidence(row, standings), nextCalls: afterSubmitting(row.id, row.source) };
  return { created: same === undefined, data };
}

async function insert(tx: Transaction, content: Omit<EvidenceRow, 'id' | 'seq' | 'created_at'>): Promise<EvidenceRow> {
  const ts = tx.nextTime();
  const row: EvidenceRow = { ...content, id: tx.newId('evd', ts), seq: ts, created_at: ts };
  await tx.insert('evidence', row);
  await tx.appendEvent(ts, researchEvent('evidence', 'added', eventOf(row)));
  const { direction, evidence_class: evidenceClass } = row;
  await count(tx, { scopes: scopesOf(row), direction, evidenceClass, cohort: countedAs(row) });
  await noteContradictions(tx, row);
  if (row.hypothesis_id !== null) await gather(tx, row.hypothesis_id);
  return row;
}

async function noteContradictions(tx: Transaction, row: EvidenceRow): Promise<void> {
  const groups = disputable(row);
  const tallies = await talliesOf(
    tx,
    groups.map(({ scope }) => scope),
  );
  for (const { scope, kind } of groups) {
    const directions = tallies.filter((tally) => tally.scope === scope).map(({ direction }) => direction);
    const isDisputed = directions.includes('supports') && directions.includes('contradicts');
    if (isDisputed) await insertContradiction(tx, { scope, kind, seq: tx.nextTime() });
  }
}

async function gather(tx: Transaction, hypothesisId: string): Promise<void> {
  const hypothesis = await tx.byId('hypotheses', hypothesisId);
  if (hypothesis?.state === 'proposed') await setGathering(tx, hypothesisId);
}

function eventOf(row: EvidenceRow) {
  return {
    objectId: row.id,
    agentName: row.agent_name,
    data: {
      title: excerpt(row.claim_text, LINE_EXCERPT_MAX_CHARACTERS),
      disease: row.disease,
      track: row.track,
      direction: row.direction,
      evidenceClass: row.evidence_class,
      hypothesisId: row.hypothesis_id,
    },
  };
}

export function presentEvidence(row: EvidenceRow, standings: ReadonlyMap<string, SourceStanding>): Evidence {
  return {
    id: row.id,
    claimText: row.claim_text,
    disease: row.disease,
    track: row.track,
    diseaseStage: row.disease_stage,
    direction: row.direction,
    evidenceClass: row.evidence_class,
    outcomeCategory: row.outcome_category,
    source: presentSource(row.source, standings.get(row.source)!),
    value: row.value,
    units: row.units,
    denominator: row.denominator,
    followUp: row.follow_up,
    population: row.population,
    cohortKey: row.cohort_key,
    hypothesisId: row.hypothesis_id,
    agentName: row.agent_name,
    agentContact: row.agent_contact,
    createdAt: toIso(row.created_at),
  };
}
