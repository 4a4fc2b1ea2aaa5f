import { REGISTRY_IDS } from '../../contract/ids.ts';
import type { RegistrationRef } from './evidence.ts';

/** Order by UTF-16 code units: the same on every machine, unlike a locale's. */
export function compareText(a: string, b: string): number {
  return a < b ? -1 : a > b ? 1 : 0;
}

/** ClinicalTrials.gov before ISRCTN, then by id. */
export function compareRegistrations(a: RegistrationRef, b: RegistrationRef): number {
  return REGISTRY_IDS.indexOf(a.registry) - REGISTRY_IDS.indexOf(b.registry) || compareText(a.id, b.id);
}
