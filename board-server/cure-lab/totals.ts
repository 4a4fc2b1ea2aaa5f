import { EVIDENCE_DIRECTIONS, LAB_DISEASE_IDS, type LabDiseaseId } from '../../contract/declared/research.ts';
import type { EvidenceCell, EvidenceTotals } from '../../contract/schemas/research/lab-diseases.ts';
import type { Reader } from '../store/reader.ts';
import { talliesOf, talliesUnder } from './evidence-tally-store.ts';
import { aboutOf, cellScope, diseaseScope } from './scopes.ts';
import type { EvidenceTallyRow } from './tables.ts';

/** Counts of every disease, zero where nothing was submitted. */
export async function totalsByDisease(db: Reader): Promise<Record<string, EvidenceTotals>> {
  const tallies = await talliesOf(db, LAB_DISEASE_IDS.map(diseaseScope));
  return Object.fromEntries(LAB_DISEASE_IDS.map((id) => [id, totalsFrom(tallies, id)]));
}

/** Counts of one disease, and those of each track, stage, direction and class that has a claim. */
export async function evidenceOfDisease(
  db: Reader,
  disease: LabDiseaseId,
): Promise<{ totals: EvidenceTotals; cells: EvidenceCell[] }> {
  const totals = totalsFrom(await talliesOf(db, [diseaseScope(disease)]), disease);
  const tallies = await talliesUnder(db, cellScope(disease, '', '').slice(0, -1));
  return { totals, cells: tallies.flatMap(cellOf) };
}

function totalsFrom(tallies: readonly EvidenceTallyRow[], disease: LabDiseaseId): EvidenceTotals {
  const own = tallies.filter(({ scope, evidence_class }) => scope === diseaseScope(disease) && evidence_class === '');
  const counted = (wanted: string) => {
    const tally = own.find(({ direction }) => direction === wanted);
    return { claims: tally?.claims ?? 0, cohorts: tally?.cohorts ?? 0 };
  };
  const [supports, contradicts, neutral] = EVIDENCE_DIRECTIONS.map(counted);
  return { ...counted(''), supports: supports!, contradicts: contradicts!, neutral: neutral! };
}

function cellOf({ scope, direction, evidence_class: evidenceClass, claims, cohorts }: EvidenceTallyRow) {
  if (direction === '' || evidenceClass === '') return [];
  const [, track, stage] = aboutOf(scope).split('/') as [string, EvidenceCell['track'], EvidenceCell['stage']];
  return [{ track, stage, direction, evidenceClass, claims, cohorts }];
}
