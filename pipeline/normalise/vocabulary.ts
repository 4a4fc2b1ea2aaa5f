import { CTGOV_SPONSOR_CLASSES } from '../../contract/fields/registry-words.ts';
import type {
  Phase,
  PublicationKind,
  RecruitmentStatus,
  SponsorClass,
  StudyType,
  TrialStatus,
} from '../../snapshot/format/registration.ts';

/** How the registries' words map to ours. Source: ClinicalTrials.gov API v2 enumerations, ISRCTN definitions. */

interface StatusPair {
  status: TrialStatus;
  recruitmentStatus: RecruitmentStatus;
}

export const CTGOV_STATUS: ReadonlyMap<string, StatusPair> = new Map<string, StatusPair>([
  ['NOT_YET_RECRUITING', { status: 'running', recruitmentStatus: 'not_yet_recruiting' }],
  ['RECRUITING', { status: 'running', recruitmentStatus: 'recruiting' }],
  ['ENROLLING_BY_INVITATION', { status: 'running', recruitmentStatus: 'enrolling_by_invitation' }],
  ['ACTIVE_NOT_RECRUITING', { status: 'running', recruitmentStatus: 'active_not_recruiting' }],
  ['COMPLETED', { status: 'completed', recruitmentStatus: 'completed' }],
  ['TERMINATED', { status: 'terminated', recruitmentStatus: 'terminated' }],
  ['WITHDRAWN', { status: 'withdrawn', recruitmentStatus: 'withdrawn' }],
  ['SUSPENDED', { status: 'suspended', recruitmentStatus: 'suspended' }],
  ['AVAILABLE', { status: 'expanded_access', recruitmentStatus: 'available' }],
  ['NO_LONGER_AVAILABLE', { status: 'expanded_access', recruitmentStatus: 'no_longer_available' }],
  ['TEMPORARILY_NOT_AVAILABLE', { status: 'expanded_access', recruitmentStatus: 'temporarily_not_available' }],
  ['APPROVED_FOR_MARKETING', { status: 'expanded_access', recruitmentStatus: 'approved_for_marketing' }],
  ['WITHHELD', { status: 'unknown', recruitmentStatus: 'withheld' }],
  ['UNKNOWN', { status: 'unknown', recruitmentStatus: 'unknown' }],
]);

const CTGOV_PHASES: ReadonlyMap<string, Phase> = new Map<string, Phase>([
  ['NA', 'not-applicable'],
  ['EARLY_PHASE1', 'early-1'],
  ['PHASE1', '1'],
  ['PHASE1+PHASE2', '1-2'],
  ['PHASE2', '2'],
  ['PHASE2+PHASE3', '2-3'],
  ['PHASE3', '3'],
  ['PHASE3+PHASE4', '3-4'],
  ['PHASE4', '4'],
]);

/** ClinicalTrials.gov gives a combined phase as a list without meaningful order. */
export function ctgovPhase(phases: string[]): { phase: Phase; phaseRaw: string | null } {
  if (phases.length === 0) return { phase: 'not-stated', phaseRaw: null };
  const key = [...new Set(phases)].sort().join('+');
  return { phase: CTGOV_PHASES.get(key) ?? 'not-stated', phaseRaw: phases.join('+') };
}

const ISRCTN_PHASES: ReadonlyMap<string, Phase> = new Map<string, Phase>([
  ['NOT APPLICABLE', 'not-applicable'],
  ['PHASE 0', 'early-1'],
  ['PHASE I', '1'],
  ['PHASE I/II', '1-2'],
  ['PHASE II', '2'],
  ['PHASE II/III', '2-3'],
  ['PHASE III', '3'],
  ['PHASE III/IV', '3-4'],
  ['PHASE IV', '4'],
]);
const ROMAN = ['0', 'I', 'II', 'III', 'IV'];

function isrctnPhaseOf(raw: string): Phase {
  const upper = raw
    .toUpperCase()
    .replace(/\s+/g, ' ')
    .replace(/\s*\/\s*/g, '/');
  const roman = upper.replace(/[1-4]/g, (digit) => ROMAN[Number(digit)] ?? digit);
  return ISRCTN_PHASES.get(roman) ?? 'not-stated';
}

/**
 * The phase of an ISRCTN record from the phases of its interventions. A numbered phase goes before `Not Applicable`.
 * Interventions in different phases give `not-stated`, with every raw value kept.
 */
export function isrctnPhase(phases: string[]): { phase: Phase; phaseRaw: string | null } {
  const raw = [...new Set(phases)];
  const read = new Set(raw.map(isrctnPhaseOf));
  read.delete('not-stated');
  if (read.size > 1) read.delete('not-applicable');
  const [only] = read;
  return { phase: read.size === 1 && only ? only : 'not-stated', phaseRaw: raw.length === 0 ? null : raw.join('; ') };
}

const STUDY_TYPES: ReadonlyMap<string, StudyType> = new Map<string, StudyType>([
  ['INTERVENTIONAL', 'interventional'],
  ['OBSERVATIONAL', 'observational'],
  ['EXPANDED_ACCESS', 'expanded_access'],
]);

/** ClinicalTrials.gov studyType or ISRCTN primaryStudyDesign, whose list is open. */
export function studyTypeOf(raw: string | null): StudyType {
  return (raw === null ? undefined : STUDY_TYPES.get(raw.toUpperCase())) ?? 'unknown';
}

export function ctgovSponsorClass(raw: string | null): SponsorClass {
  return (raw === null ? undefined : CTGOV_SPONSOR_CLASSES.get(raw)) ?? 'unknown';
}

const ISRCTN_SPONSOR_CLASSES: ReadonlyMap<string, SponsorClass> = new Map<string, SponsorClass>([
  ['industry', 'industry'],
  ['commercial', 'industry'],
  ['government', 'government'],
  ['university/education', 'other'],
  ['hospital/treatment centre', 'other'],
  ['research organisation', 'other'],
  ['research council', 'other'],
  ['charity', 'other'],
  ['other', 'other'],
  ['non-commercial', 'other'],
]);

/** ISRCTN sponsorType, or commercialStatus where current records leave the type blank. */
export function isrctnSponsorClass(raw: string | null): SponsorClass {
  return (raw === null ? undefined : ISRCTN_SPONSOR_CLASSES.get(raw.toLowerCase())) ?? 'unknown';
}

const CTGOV_REFERENCE_KINDS: ReadonlyMap<string, PublicationKind> = new Map<string, PublicationKind>([
  ['BACKGROUND', 'background'],
  ['RESULT', 'results'],
  ['DERIVED', 'derived'],
]);

export function ctgovReferenceKind(raw: string | null): PublicationKind {
  return (raw === null ? undefined : CTGOV_REFERENCE_KINDS.get(raw)) ?? 'other';
}

/** ISRCTN's kinds are free text (`Results article`, `Preprint results`, `protocolarticle`); the noun decides. */
export function isrctnPublicationKind(raw: string | null): PublicationKind {
  if (raw === null) return 'other';
  if (/protocol/i.test(raw)) return 'protocol';
  return /result/i.test(raw) ? 'results' : 'other';
}
