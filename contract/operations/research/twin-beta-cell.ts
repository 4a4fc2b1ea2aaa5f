import { MODEL_RUN_BODY_MAX_BYTES } from '../../limits/limits.ts';
import { defineOperation } from '../../operation.ts';
import { betaCellGuideSchema, betaCellInputSchema, betaCellResultSchema } from '../../schemas/research/beta-cell.ts';

const arm = (id: 'control' | 'comparator', label: string, values: readonly number[]) => ({
  id,
  label,
  points: values.map((value, place) => ({ week: 13 * place, value })),
});

/** A run that succeeds on any snapshot, because it brings its own data: invented values, marked as such. */
export const BETA_CELL_EXAMPLE = {
  dataset: 'custom' as const,
  customDataset: {
    id: 'invented-example',
    citation: 'https://example.org/invented-example',
    population: 'SYNTHETIC: nobody was measured',
    assay: 'SYNTHETIC: invented values in the shape of a stimulated C-peptide AUC',
    reportedUnit: 'pmol/mL',
    kind: 'synthetic' as const,
    statistic: 'mean' as const,
    arms: [
      arm('control', 'Invented control', [0.6, 0.66, 0.61, 0.53, 0.44]),
      arm('comparator', 'Invented comparator', [0.6, 0.69, 0.67, 0.62, 0.56]),
    ],
  },
  trainingThroughWeek: 39,
  recoveryRate: 0.1,
  durationWeeks: 52,
  immuneSuppression: 0.5,
  replacementContribution: 0.25,
  graftProtection: 0.8,
  graftAttrition: 0.01,
};

export const getBetaCellGuide = defineOperation({
  id: 'beta-cell',
  method: 'GET',
  path: '/api/v1/twin/beta-cell',
  summary: 'Read the guide to the beta-cell model',
  description:
    'Version, equations, rules, limits, the built-in dataset with its state, sources, the schema of a run and an example that runs as printed. It is a coarse-grained population model: not a model of a cell, and no advice.',
  whenToUse: 'Before a run: it says what the model assumes and what it cannot tell.',
  next: ['beta-cell-run', 'findings'],
  server: 'index',
  catalogueId: 'beta-cell',
  names: { mcp: 'beta_cell_guide', sdk: 'getBetaCellGuide' },
  tool: {
    title: 'What the beta cell model assumes',
    description:
      'Read before a run of the beta cell model: what it assumes and cannot tell, its equations, its built-in dataset, and an example that runs as printed.',
  },
  bucket: 'read',
  output: betaCellGuideSchema,
  errors: [],
});

export const runBetaCell = defineOperation({
  id: 'beta-cell-run',
  method: 'POST',
  path: '/api/v1/twin/beta-cell',
  summary: 'Run the beta-cell model',
  description:
    'Fits loss and stress of each arm to early ratios of C-peptide, checks the later visits that the fit never saw beside simple baselines, says what cannot be identified, and applies hypothetical changes of mechanism to the control fit. Stores nothing; the same input gives the same bytes. Every run is a lead: no dose, no insulin independence, no cure.',
  whenToUse:
    'To fit published aggregate data or to see what a stated mechanism would imply; never with data of a person.',
  next: ['finding-submit', 'beta-cell'],
  server: 'index',
  names: { mcp: 'run_beta_cell', sdk: 'runBetaCell' },
  tool: {
    title: 'Fit and run the beta cell model',
    description:
      'Fit the beta cell model to C-peptide data of groups, check it on later visits, and see what suppressing immunity or adding cells would imply. Stores nothing; no advice.',
  },
  computes: true,
  bucket: 'beta-cell-run',
  body: betaCellInputSchema,
  bodyMaxBytes: MODEL_RUN_BODY_MAX_BYTES,
  exampleBody: BETA_CELL_EXAMPLE,
  rejection: 'run_rejected',
  output: betaCellResultSchema,
  errors: ['INVALID_BODY', 'BODY_TOO_LARGE', 'run_rejected', 'DATASET_UNAVAILABLE'],
});

export const BETA_CELL_OPERATIONS = [getBetaCellGuide, runBetaCell] as const;
