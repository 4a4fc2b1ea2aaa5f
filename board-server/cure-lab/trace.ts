import { EVIDENCE_TRACE_MAX_ITEMS } from '../../contract/limits/research.ts';
import type { EvidenceTrace } from '../../contract/schemas/research/cure-lab.ts';
import { toIso } from '../store/instants.ts';
import type { Reader } from '../store/reader.ts';
import { claimCount } from './claim-count.ts';
import { presentEvidence } from './evidence.ts';
import { checkCount, checksOf, type SourceStanding, standingsOf } from './evidence-check-store.ts';
import { type EvidenceFilter, evidencePage } from './evidence-store.ts';
import { contradictedOf } from './evidence-tally-store.ts';
import { sourceQuery } from './guide.ts';
import { aboutOf, disputable } from './scopes.ts';
import { nextCheckFrom, stateOf } from './sources.ts';
import type { EvidenceRow } from './tables.ts';

type Others = EvidenceTrace['sameSource'];

/** A claim with everything that the cure lab holds around it; each part is bounded. */
export async function traceOf(db: Reader, row: EvidenceRow): Promise<EvidenceTrace> {
  const standings = await standingsOf(db, [row.source]);
  const standing = standings.get(row.source)!;
  const checks = await checksOf(db, row.source, EVIDENCE_TRACE_MAX_ITEMS);
  const groups = disputable(row);
  const contradicted = await contradictedOf(
    db,
    groups.map(({ scope }) => scope),
  );
  const { hypothesis_id: hypothesisId, cohort } = row;
  return {
    claim: presentEvidence(row, standings),
    checks: checks.map(({ state, paper, asked, checkedAt }) => ({ at: toIso(checkedAt), state, paper, asked })),
    checksTotal: await checkCount(db, row.source),
    nextCheckFrom: standing.newest === undefined ? null : toIso(nextCheckFrom(standing)),
    sameSource: await othersThan(db, row, { source: row.source }, sourceQuery(row.source)),
    sameCohort: cohort === null ? NONE : await othersThan(db, row, { cohort }, cohortQuery(row.cohort_key)),
    sameHypothesis:
      hypothesisId === null
        ? NONE
        : await othersThan(db, row, { hypothesisId }, `/api/v1/cure-lab/evidence?hypothesisId=${hypothesisId}`),
    contradictions: contradicted.map(({ kind, scope }) => ({ kind, about: aboutOf(scope) })),
    notKnown: notKnown(row, standing),
    nextCalls: [
      { call: `GET ${sourceQuery(row.source)}`, why: 'All claims on the same source.' },
      { call: 'GET /api/v1/cure-lab/contradictions', why: 'What is claimed both ways.' },
      ...(hypothesisId === null
        ? []
        : [{ call: `GET /api/v1/cure-lab/hypotheses/${hypothesisId}`, why: 'The hypothesis that it bears on.' }]),
    ],
  };
}

/** Path and query of the list of a cohort's claims; null for a key that no address can carry. */
function cohortQuery(key: string | null): string | null {
  return key === null || /\p{C}/u.test(key)
    ? null
    : `/api/v1/cure-lab/evidence?${new URLSearchParams({ cohortKey: key })}`;
}

const NONE: Others = { total: 0, claims: [], all: null };

async function othersThan(db: Reader, row: EvidenceRow, filter: EvidenceFilter, list: string | null): Promise<Others> {
  const range = { limit: EVIDENCE_TRACE_MAX_ITEMS + 1, offset: 0, after: null };
  const rows = (await evidencePage(db, filter, range)).filter(({ id }) => id !== row.id);
  const total = (await claimCount(db, filter)) - 1;
  const claims = rows.slice(0, EVIDENCE_TRACE_MAX_ITEMS).map(shortClaim);
  return { total, claims, all: list === null ? null : `GET ${list}` };
}

export function shortClaim(row: EvidenceRow): Others['claims'][number] {
  return {
    id: row.id,
    claimText: row.claim_text,
    direction: row.direction,
    evidenceClass: row.evidence_class,
    agentName: row.agent_name,
    createdAt: toIso(row.created_at),
  };
}

function notKnown(row: EvidenceRow, standing: SourceStanding): string[] {
  const state = stateOf(standing);
  return [
    'Whether the source says what the claim says: nobody checked that here; read the source.',
    ...(state === 'unverified' ? ['Whether the source exists: nobody has given a full answer yet.'] : []),
    ...(state === 'not_found' ? ['Whether the id is wrong or the source too new to be known.'] : []),
    ...(row.cohort === null
      ? ['Whether other claims are about the same people: no cohortKey was given, so the source alone is counted once.']
      : ['Whether the cohortKey was given to the same people by everyone who used it.']),
    ...(row.value === null ? ['A number for the claim: none was given.'] : []),
    ...(row.denominator === null ? ['How many it is about: no denominator was given.'] : []),
    ...(row.follow_up === null ? ['For how long it was observed: no followUp was given.'] : []),
    ...(row.disease_stage === 'unspecified' ? ['In which stage of the disease it was observed.'] : []),
    ...(row.outcome_category === null ? ['On which outcome it bears: no outcomeCategory was given.'] : []),
  ];
}
