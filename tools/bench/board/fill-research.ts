import { count } from '../../../board-server/cure-lab/evidence-tally-store.ts';
import { countedAs, scopesOf } from '../../../board-server/cure-lab/scopes.ts';
import type { EvidenceRow } from '../../../board-server/cure-lab/tables.ts';
import { insertLadder } from '../../../board-server/ladders/ladder-store.ts';
import { insertRequest } from '../../../board-server/reality/reality-store.ts';
import {
  CURE_TRACKS,
  DEAD_END_REASONS,
  DISEASE_STAGES,
  EVIDENCE_CLASSES,
  EVIDENCE_DIRECTIONS,
  LAB_DISEASE_IDS,
  OUTCOME_CATEGORIES,
  REALITY_LANES,
} from '../../../contract/declared/research.ts';
import { agentOf, type Put, textOf, workOf } from './row-parts.ts';
import type { Sizes } from './sizes.ts';

const RUNGS_PER_LADDER = 5;
const EFFORTS = ['small', 'medium', 'large'] as const;

const of = <Value>(values: readonly Value[], place: number): Value => values[place % values.length]!;

/** Fills decided amendments, ladders, reality requests (as many as amendments), evidence, dead ends and predictions. */
export async function fillResearch(
  put: (rows: number, one: Put) => Promise<void>,
  sizes: Sizes,
  findings: readonly string[],
): Promise<void> {
  const amendments: string[] = [];
  await put(sizes.amendments, async (tx, place) => void amendments.push(await putAmendment(tx, place, sizes)));
  await put(Math.ceil(sizes.rungs / RUNGS_PER_LADDER), (tx, place) => putLadder(tx, place, sizes));
  await put(sizes.amendments, async (tx, place) => {
    const ts = tx.nextTime();
    const text = textOf(place);
    await insertRequest(tx, {
      ...workOf(place),
      id: tx.newId('rea', ts),
      seq: ts,
      lane: of(REALITY_LANES, place),
      ask: text,
      resolves: text,
      if_result_is_a: text,
      if_result_is_b: text,
      finding_id: findings[place % findings.length] ?? null,
      estimated_cost: null,
      agent_name: agentOf(place, sizes),
      address_hash: '',
      content_hash: `request ${place}`,
      created_at: ts,
      state: 'open',
      fulfilled_at: null,
      fulfilled_by: null,
      fulfilment_url: null,
      fulfilment_note: null,
      fulfilment_branch: null,
    });
  });
  await put(sizes.evidence, (tx, place) => putEvidence(tx, place, sizes));
  await put(sizes.deadEnds, (tx, place) => putDeadEnd(tx, place, sizes));
  await put(sizes.predictions, (tx, place) => putPrediction(tx, place, sizes, amendments));
}

async function putDeadEnd(tx: Parameters<Put>[0], place: number, sizes: Sizes): Promise<void> {
  const ts = tx.nextTime();
  const text = textOf(place);
  await tx.insert('dead_ends', {
    ...workOf(place),
    id: tx.newId('ded', ts),
    seq: ts,
    approach: text,
    how_far: text,
    where_it_stopped: text,
    why_it_stopped: of(DEAD_END_REASONS, place),
    what_would_change_it: text,
    endpoints_used: '["trials-search"]',
    agent_name: agentOf(place, sizes),
    address_hash: '',
    content_hash: `dead end ${place}`,
    created_at: ts,
    state: 'standing',
    overturned_at: null,
    overturned_by: null,
    overturning_finding_id: null,
  });
}

/** A prediction about an amendment; all amendments are decided. */
async function putPrediction(
  tx: Parameters<Put>[0],
  place: number,
  sizes: Sizes,
  amendments: readonly string[],
): Promise<void> {
  const ts = tx.nextTime();
  await tx.insert('predictions', {
    id: tx.newId('prd', ts),
    seq: ts,
    subject_type: 'amendment',
    subject_id: of(amendments, place),
    confidence: (place % 10) / 10,
    expects: place % 2 === 0 ? 'yes' : 'no',
    horizon_days: 30,
    horizon_at: ts + 1,
    agent_name: agentOf(place, sizes),
    token_hash: `author ${place % sizes.agents}`,
    address_hash: '',
    content_hash: `prediction ${place}`,
    created_at: ts,
  });
}

async function putAmendment(tx: Parameters<Put>[0], place: number, sizes: Sizes): Promise<string> {
  const ts = tx.nextTime();
  const id = tx.newId('ame', ts);
  const text = textOf(place);
  const agent_name = agentOf(place, sizes);
  const isRatified = place % 4 === 0;
  await tx.insert('amendments', {
    id,
    seq: ts,
    kind: 'norm',
    proposal: JSON.stringify({ title: text, norm: text }),
    subject: `norm ${place}`,
    rationale: text,
    falsifier: text,
    agent_name,
    agent_key: agent_name,
    content_hash: `amendment ${place}`,
    address_hash: '',
    group_hash: '',
    created_at: ts,
    ratify: isRatified ? 5 : 0,
    reject: isRatified ? 0 : 5,
    abstain: 0,
    exercising_agents: isRatified ? 3 : 0,
    quorum_at: ts,
    exercises_at: isRatified ? ts : null,
    outcome: isRatified ? 'ratified' : 'rejected',
    closes_at: ts,
    reverted_at: null,
    turned_at: ts,
    turned_by: 'bench',
  });
  return id;
}

async function putLadder(tx: Parameters<Put>[0], place: number, sizes: Sizes): Promise<void> {
  const ts = tx.nextTime();
  const ladder_id = tx.newId('lad', ts);
  const text = textOf(place);
  const rungs = Array.from({ length: RUNGS_PER_LADDER }, (_, at) => ({
    id: tx.newId('rng', ts + at),
    seq: place * RUNGS_PER_LADDER + at,
    ladder_id,
    place: at + 1,
    title: text,
    input: text,
    output: text,
    rules: '[{"path":"share","rule":"required"}]',
    effort: of(EFFORTS, place + at),
    state: 'open' as const,
    satisfied_at: null,
    satisfied_by: null,
    finding_id: null,
  }));
  const ladder = {
    ...workOf(place),
    id: ladder_id,
    seq: ts,
    title: text,
    rationale: text,
    agent_name: agentOf(place, sizes),
    state: 'open' as const,
    rungs_total: RUNGS_PER_LADDER,
    rungs_satisfied: 0,
    content_hash: `ladder ${place}`,
    address_hash: '',
    created_at: ts,
    completed_at: null,
  };
  await insertLadder(tx, ladder, rungs);
}

async function putEvidence(tx: Parameters<Put>[0], place: number, sizes: Sizes): Promise<void> {
  const ts = tx.nextTime();
  const row: EvidenceRow = {
    id: tx.newId('evd', ts),
    seq: ts,
    claim_text: textOf(place),
    disease: of(LAB_DISEASE_IDS, place),
    track: of(CURE_TRACKS, Math.floor(place / 3)),
    disease_stage: of(DISEASE_STAGES, Math.floor(place / 5)),
    direction: of(EVIDENCE_DIRECTIONS, Math.floor(place / 7)),
    evidence_class: of(EVIDENCE_CLASSES, Math.floor(place / 2)),
    outcome_category: of(OUTCOME_CATEGORIES, Math.floor(place / 11)),
    source: `pmid:${1_000_000 + (place % Math.ceil(sizes.evidence / 3))}`,
    value: null,
    units: null,
    denominator: null,
    follow_up: null,
    population: null,
    cohort_key: null,
    cohort: null,
    hypothesis_id: null,
    agent_name: agentOf(place, sizes),
    agent_contact: null,
    content_hash: `evidence ${place}`,
    address_hash: '',
    created_at: ts,
  };
  await tx.insert('evidence', row);
  const { direction, evidence_class: evidenceClass } = row;
  await count(tx, { scopes: scopesOf(row), direction, evidenceClass, cohort: countedAs(row) });
}
