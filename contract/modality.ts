/** Modality groups in the order in which they are tested; data/rules/modality.json says what each is recognised by. */
export const MODALITY_IDS = [
  'antibody-drug-conjugate',
  'engineered-cell',
  'cell-therapy',
  'gene-therapy',
  'vaccine',
  'mrna',
  'oligonucleotide',
  'antibody',
  'protein-peptide',
  'microbiome',
  'radiation',
  'device',
  'procedure',
  'behavioural',
  'dietary',
  'diagnostic',
  'small-molecule',
] as const;
export type ModalityId = (typeof MODALITY_IDS)[number];

/** Where in a trial's interventions a term stands; `type` is the registry's own type, read only where no term matched. */
export const MODALITY_FIELDS = ['name', 'otherNames', 'description', 'type'] as const;
export type ModalityField = (typeof MODALITY_FIELDS)[number];
