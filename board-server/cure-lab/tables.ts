import type { Generated } from 'kysely';
import type {
  ContradictionKind,
  CureTrack,
  DiseaseStage,
  EvidenceClass,
  EvidenceDirection,
  LabDiseaseId,
  OutcomeCategory,
  SourceState,
} from '../../contract/declared/research.ts';
import type { Hypothesis } from '../../contract/schemas/research/cure-lab.ts';
import type { ResourceRow } from '../kit/resource.ts';

/** Rows of the cure lab's evidence; meanings stand in store/migrations/0026-board.sql. Times are microseconds. */

export type HypothesisRow = ResourceRow<Hypothesis>;

export interface EvidenceRow {
  id: string;
  seq: number;
  claim_text: string;
  disease: LabDiseaseId;
  track: CureTrack;
  disease_stage: DiseaseStage;
  direction: EvidenceDirection;
  evidence_class: EvidenceClass;
  outcome_category: OutcomeCategory | null;
  source: string;
  value: number | null;
  units: string | null;
  denominator: number | null;
  follow_up: string | null;
  population: string | null;
  cohort_key: string | null;
  cohort: string | null;
  hypothesis_id: string | null;
  agent_name: string;
  agent_contact: string | null;
  content_hash: string;
  address_hash: string;
  created_at: number;
}

export interface EvidenceCheckRow {
  number: number;
  source: string;
  state: SourceState;
  paper: string | null;
  asked: string;
  checked_at: number;
}

/** A cohort that was counted in a scope; '' stands for every direction, or every class. */
interface EvidenceCohortRow {
  scope: string;
  direction: EvidenceDirection | '';
  evidence_class: EvidenceClass | '';
  cohort: string;
}

export interface EvidenceTallyRow extends Omit<EvidenceCohortRow, 'cohort'> {
  claims: number;
  cohorts: number;
}

export interface ContradictionRow {
  scope: string;
  kind: ContradictionKind;
  seq: number;
}

declare module '../store/tables.ts' {
  interface BoardTables {
    hypotheses: HypothesisRow;
    evidence: EvidenceRow;
    evidence_checks: Omit<EvidenceCheckRow, 'number'> & { number: Generated<number> };
    evidence_cohorts: EvidenceCohortRow;
    evidence_tallies: EvidenceTallyRow;
    contradictions: ContradictionRow;
  }
}
