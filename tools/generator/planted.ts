/** What a planted record adds to the one that would stand at its place anyway. */
export interface SecondaryId {
  id: string;
  type?: string;
  domain?: string;
}

export interface CtgovPlant {
  /** Trial that the record is rendered from; another one's key makes two registrations of one trial. */
  trialKey?: number;
  orgStudyId?: string;
  secondaryIds?: SecondaryId[];
  aliases?: string[];
  /** Added to the brief summary: text, never a typed id field. */
  mention?: string;
  /** Citation of a reference. */
  citation?: string;
  enrolment?: number;
  status?: string;
  /** Shifts every date of the trial, in days. */
  shiftDays?: number;
  /** Renders an older version of the study at this place: the same id twice in a dump. */
  olderVersionOf?: number;
  nctId?: string;
  absent?: boolean;
  /** Stands for the registration of the CLVer trial; clver-study.ts. */
  clver?: true;
}

export interface IsrctnPlant {
  trialKey?: number;
  clinicalTrialsGovNumber?: string;
  eudraCTNumber?: string;
  irasNumber?: string;
  protocolSerialNumber?: string;
  secondaryNumbers?: { type: string; value: string }[];
  mention?: string;
  enrolment?: number;
  shiftDays?: number;
  stopped?: boolean;
  olderVersionOf?: number;
  isrctn?: string;
}

/** One planted situation. `joins` are the pairs that must end in one trial; every other pair of its records must not. */
export interface PlantedCase {
  kind: PlantedKind;
  /** What a reader should see, in a sentence. */
  expect: string;
  nct: string[];
  isrctn: string[];
  joins: [nct: string, isrctn: string][];
  /** Pairs whose link must carry `conflict`. */
  conflicts: [nct: string, isrctn: string][];
  /** The number that the case turns on, where it is not one of the ids above. */
  identifier: string | null;
}

export type PlantedKind =
  | 'mutual'
  | 'declared-by-isrctn'
  | 'declared-by-ctgov'
  | 'shared-eudract'
  | 'shared-euct'
  | 'shared-utn'
  | 'shared-by-many'
  | 'one-to-many'
  | 'many-to-one'
  | 'mutual-beats-one-way'
  | 'conflict'
  | 'alias'
  | 'same-registry'
  | 'self-reference'
  | 'unresolved'
  | 'suspect'
  | 'literature-only'
  | 'placeholder'
  | 'malformed'
  | 'grant'
  | 'corroboration-only'
  | 'sponsor-code'
  | 'duplicate-in-dump'
  | 'disagreement'
  | 'enrolment-sentinel'
  | 'unreadable'
  | 'joins-on-day-1'
  | 'splits-on-day-1'
  | 'removed-on-day-1';

/** Hands out places at the head of each registry and collects what is planted there. */
export class PlantingGround {
  readonly ctgov = new Map<number, CtgovPlant>();
  readonly isrctn = new Map<number, IsrctnPlant>();
  readonly cases: PlantedCase[] = [];
  nextCtgov = 0;
  nextIsrctn = 0;

  plantCtgov(plant: CtgovPlant): number {
    this.ctgov.set(this.nextCtgov, plant);
    return this.nextCtgov++;
  }

  plantIsrctn(plant: IsrctnPlant): number {
    this.isrctn.set(this.nextIsrctn, plant);
    return this.nextIsrctn++;
  }

  add(kind: PlantedKind, expect: string, details: Partial<Omit<PlantedCase, 'kind' | 'expect'>>): void {
    this.cases.push({ kind, expect, nct: [], isrctn: [], joins: [], conflicts: [], identifier: null, ...details });
  }

  /** Adds what another ground holds, whose places follow on this one's. */
  take(other: PlantingGround): void {
    for (const [index, plant] of other.ctgov) this.ctgov.set(index, plant);
    for (const [index, plant] of other.isrctn) this.isrctn.set(index, plant);
    this.cases.push(...other.cases);
    this.nextCtgov = other.nextCtgov;
    this.nextIsrctn = other.nextIsrctn;
  }
}
