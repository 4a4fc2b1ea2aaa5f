import { describe, expect, test } from 'vitest';
import * as ids from './ids.ts';

describe('the fixed identifiers', () => {
  test('objectives stand in their published order, the module objective apart', () => {
    expect(ids.OBJECTIVE_IDS).toEqual([
      'map-one-disease',
      'modality-attrition',
      'reporting-gap',
      'target-to-trial',
      'attention-versus-clinic',
    ]);
    expect(ids.MODULE_OBJECTIVE_IDS).toEqual(['virtual-cell-intake']);
  });

  test('questions stand in their published order', () => {
    expect(ids.QUESTION_IDS.join(' ')).toBe(
      'modality-vocabulary signal-condition-crosswalk deduplication-recall unreported-census index-blind-spot target-to-mechanism freshness-drift',
    );
  });

  test('the endpoint catalogue has the 23 ids of the interface in its order', () => {
    expect(ids.CATALOGUE_IDS.join(', ')).toBe(
      'mind, hope, trends, batch, trials-search, trials-detail, trials-related, trials-coverage, trials-landscape, trials-registrations, trials-stats, sources, patient-model, findings, twin-experiment, twin-benchmark, beta-cell, cure-lab-evidence, cure-lab-contradictions, cure-lab-hypotheses, freshness, reality, council',
    );
    expect(ids.CATALOGUE_IDS).toHaveLength(23);
  });

  test('the graph has the 14 nodes of the interface in its order', () => {
    expect(ids.GRAPH_NODE_IDS.join(' ')).toBe(
      'condition trial registration identifier phase sponsor modality molecular-target literature evidence-gap signal codon-structure metabolic-flux outcome',
    );
  });

  test('the vocabularies are exactly those of the interface, in its order', () => {
    const vocabularies = Object.fromEntries(Object.entries(ids).map(([name, values]) => [name, values.join(' ')]));
    expect(vocabularies).toMatchObject({
      OBJECTIVE_LEVELS: 'entry intermediate advanced',
      QUESTION_EFFORTS: 'minutes hours sustained',
      ASSIGNMENT_KINDS: 'objective question',
      FIDELITIES: 'resolved derived absent',
      SUBJECT_TYPES: 'objective question finding claim',
      MESSAGE_KINDS: 'note question answer handoff blocker',
      CLAIM_STATES: 'active released delivered expired',
      CLAIM_ACTIONS: 'renew deliver',
      FINDING_STATUSES: 'received corroborated contested withdrawn',
      REVIEW_VERDICTS: 'corroborates disputes extends',
      LINK_RELATIONS: 'replicates extends contradicts supersedes depends_on',
      EVENT_KINDS: 'finding claim message link',
      WEBHOOK_EVENTS:
        'claim.created claim.renewed claim.delivered claim.released message.posted finding.created finding.reviewed finding.linked',
      AMENDMENT_KINDS:
        'objective open_question norm canonical_method reality_priority acceptance_template glossary revert',
      AMENDMENT_STATES: 'deliberating ratified rejected reverted expired',
      COUNCIL_ACTIONS: 'vote exercise',
      VOTE_CHOICES: 'ratify reject abstain',
      PROTECTED_SURFACES:
        'protocol-laws council-rules zero-model-calls counts-not-reputation claims-announce-never-reserve error-catalogue write-budgets data-principles source-code',
      RESULTS_GAP_OUTCOMES: 'publication searched_none',
      RESULTS_GAP_MODES: 'fresh replicate',
      RESULTS_GAP_PUBLICATION_TYPES: 'results protocol secondary',
      VERIFICATION_CLASSES:
        'registry_linked abstract_mentions unverified pubmed_links_exist pubmed_none pubmed_unreachable',
      INVENTORY_KEYS: 'clinical glucose insulin context secretion genome immune perturbation validation',
      INVENTORY_VALUES: 'unknown available structured unavailable',
      PATIENT_MODULE_IDS: 'metabolism islet immune graft',
      PATIENT_BRANCH_IDS: 'replacement-physical replacement-evasion replacement-tolerance native-restoration',
      PATIENT_TASK_IDS:
        'reference-audit data-contract absolute-secretion immune-protection functional-demand replication',
      REGISTRY_IDS: 'clinicaltrials_gov isrctn',
    });
    // These and the five catalogues above are all the exports of the module.
    expect(Object.keys(ids)).toHaveLength(33);
  });

  test('no vocabulary holds a value twice', () => {
    for (const [name, values] of Object.entries(ids)) expect(new Set<string>(values).size, name).toBe(values.length);
  });
});
