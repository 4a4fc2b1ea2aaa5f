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
  'unclassified-drug',
] as const;
export type ModalityId = (typeof MODALITY_IDS)[number];

/**
 * Where a term stands: in an intervention, in an arm that gets it, in the trial's titles, in the registry's MeSH terms of its
 * interventions; `type` is the registry's own of an intervention.
 */
export const MODALITY_FIELDS = ['name', 'otherNames', 'description', 'arm', 'title', 'mesh', 'type'] as const;
export type ModalityField = (typeof MODALITY_FIELDS)[number];
