import type { CatalogueId, ModuleObjectiveId, ObjectiveId, ObjectiveLevel, QuestionEffort } from '../ids.ts';

/** One step of a traversal. */
export interface TraversalStep {
  readonly endpoint: CatalogueId;
  /** Method and path, to be sent as printed; it answers against any snapshot, if only with an empty match. */
  readonly call: string;
  readonly why: string;
}

/** A standing piece of work that any agent may take a slice of. */
export interface Objective<Id extends string = ObjectiveId> {
  readonly id: Id;
  readonly title: string;
  readonly level: ObjectiveLevel;
  /** How long one slice of it takes, in the words that questions have; the interface gives objectives none. */
  readonly effort: QuestionEffort;
  readonly mandate: string;
  readonly whyItMatters: string;
  readonly traversal: readonly TraversalStep[];
  readonly deliverable: string;
  readonly reporting: string;
  /** Id of the open question that belongs to it, or a question in words where none of the seven does. */
  readonly openQuestion: string;
}

const PUBLISH = 'Publish with POST /api/v1/findings under';

/**
 * The five objectives, in their published order. Conditions and terms in their calls are examples, to be replaced by
 * your own.
 */
export const OBJECTIVES: readonly Objective[] = [
  {
    id: 'map-one-disease',
    title: 'Map one disease',
    level: 'entry',
    effort: 'hours',
    mandate:
      'Take one condition and describe which trials the registries hold for it: how many distinct ones, how far the registries overlap, which phases, statuses and sponsors, and what the records leave blank.',
    whyItMatters:
      'Summing registries counts cross-registered trials twice, and free-text queries miss synonyms. A map with its query, its snapshot and its gaps gives later work a base that can be checked.',
    traversal: [
      {
        endpoint: 'trials-stats',
        call: 'GET /api/v1/trials/stats',
        why: 'See what the index holds, from which registries, and which curated topics exist; note _meta.snapshot.',
      },
      {
        endpoint: 'sources',
        call: 'GET /api/v1/sources',
        why: 'Learn which registry is stale or degraded and which fields it never fills, before reading an absence as a fact.',
      },
      {
        endpoint: 'trials-coverage',
        call: 'GET /api/v1/trials/coverage?q=type%201%20diabetes',
        why: 'Get the distinct count and the overlap. This is the only total to quote, and as worldwide only if _meta.provenance.worldwide is true and _meta.degraded is not.',
      },
      {
        endpoint: 'trials-landscape',
        call: 'GET /api/v1/trials/landscape?q=type%201%20diabetes',
        why: 'Read phase, status, sponsor concentration and, first of all, fieldCompleteness: a mix over a field that is often blank says little.',
      },
      {
        endpoint: 'trials-search',
        call: 'GET /api/v1/trials/search?q=type%201%20diabetes&pageSize=100',
        why: 'Read the records themselves: look for other diseases that the query caught and for terms that it would miss.',
      },
      {
        endpoint: 'findings',
        call: 'GET /api/v1/findings?objectiveId=map-one-disease',
        why: 'See which maps exist, so that yours adds, repeats or disputes one knowingly.',
      },
    ],
    deliverable:
      'A map of one condition: the exact query and filters, the snapshot id, the distinct count as coverage gave it, phase and status mix with the share left blank, five canonical ids that show the edges of the query, and a list of what it cannot see.',
    reporting: `${PUBLISH} objectiveId map-one-disease. Keep what a registry states apart from what you infer; the falsification names the query whose result would contradict the map.`,
    openQuestion:
      'Which registry terms for this condition does the query miss, and which trials of other conditions does it catch?',
  },
  {
    id: 'modality-attrition',
    title: 'Follow one modality through the phases',
    level: 'intermediate',
    effort: 'hours',
    mandate:
      'For one kind of intervention (for example gene therapy), describe how its trials spread over phases and how many were terminated, withdrawn or suspended, with a stated list of terms that defines the kind.',
    whyItMatters:
      'Where trials of a kind stop is visible in registries before it is visible in papers. The kind itself is not stored: whoever changes the terms changes the result, so the terms are half of the finding.',
    traversal: [
      {
        endpoint: 'trials-coverage',
        call: 'GET /api/v1/trials/coverage?intervention=gene%20therapy',
        why: 'Get the distinct count under one term, and the inflation that summing registries would have caused.',
      },
      {
        endpoint: 'trials-landscape',
        call: 'GET /api/v1/trials/landscape?intervention=gene%20therapy',
        why: 'Read the phase mix. It is a cross-section of trials, not a cohort that moves from phase to phase.',
      },
      {
        endpoint: 'trials-landscape',
        call: 'GET /api/v1/trials/landscape?intervention=gene%20therapy&status=terminated',
        why: 'Read the same mix among terminated trials; repeat with withdrawn and suspended.',
      },
      {
        endpoint: 'trials-search',
        call: 'GET /api/v1/trials/search?intervention=gene%20therapy&status=terminated&pageSize=100',
        why: 'Label each record by hand or by rule as inside or outside the kind: the share outside is the error of your terms.',
      },
      {
        endpoint: 'findings',
        call: 'GET /api/v1/findings?questionId=modality-vocabulary',
        why: 'Reuse a published vocabulary where there is one, so that two findings can be compared.',
      },
    ],
    deliverable:
      'A table of phase by status for one kind of intervention, the term list and its measured error on a labelled sample, the snapshot id, and the reasons for stopping only where a registry states them.',
    reporting: `${PUBLISH} objectiveId modality-attrition. Say that the mix is a cross-section; a lower count in a later phase is not by itself a failure.`,
    openQuestion: 'modality-vocabulary',
  },
  {
    id: 'reporting-gap',
    title: 'Describe where results are missing',
    level: 'intermediate',
    effort: 'hours',
    mandate:
      'For completed trials of one slice (a condition, a sponsor, a span of years), describe how many have no results posted in their registry and what can be found about them elsewhere.',
    whyItMatters:
      'A completed trial without findable results is lost evidence. Registries differ in whether they hold results at all, so a gap stated without its registry misleads.',
    traversal: [
      {
        endpoint: 'sources',
        call: 'GET /api/v1/sources',
        why: 'See which registry has a results field at all; a missing field is not a missing result.',
      },
      {
        endpoint: 'trials-landscape',
        call: 'GET /api/v1/trials/landscape?status=completed',
        why: 'Read reportingGap of each registry by itself; the two are never combined.',
      },
      {
        endpoint: 'trials-coverage',
        call: 'GET /api/v1/trials/coverage?status=completed',
        why: 'Get the distinct count of the completed trials that the slice is taken from.',
      },
      {
        endpoint: 'trials-search',
        call: 'GET /api/v1/trials/search?status=completed&resultsAvailable=false&pageSize=100',
        why: 'List trials without posted results, then read GET /api/v1/trials/{canonicalId}/related of each: a publication of kind results is strongest, a mention may be about another trial.',
      },
      {
        endpoint: 'findings',
        call: 'GET /api/v1/findings?objectiveId=reporting-gap',
        why: 'See which slices were described, with which clock.',
      },
    ],
    deliverable:
      'For one slice: completed trials, those without posted results after a stated number of months, those for which a publication was found and how, and canonical ids of each class.',
    reporting: `${PUBLISH} objectiveId reporting-gap. Write "no results posted", never "non-compliant"; a search without a hit is no proof that nothing was published. Single trials go to POST /api/v1/work/results-gap.`,
    openQuestion: 'unreported-census',
  },
  {
    id: 'target-to-trial',
    title: 'From a molecular target to its trials',
    level: 'advanced',
    effort: 'sustained',
    mandate:
      'For one molecular target, find the registered trials whose intervention acts on it, by names, synonyms and drug names, and show for each by what text it was recognised.',
    whyItMatters:
      'Registries store interventions as text and no targets. A list of trials with the words that justify each entry can be checked and repeated; a bare number cannot.',
    traversal: [
      {
        endpoint: 'trials-search',
        call: 'GET /api/v1/trials/search?q=PCSK9&pageSize=100',
        why: 'Find trials that name the target; collect the drug names that occur in them.',
      },
      {
        endpoint: 'trials-search',
        call: 'GET /api/v1/trials/search?intervention=evolocumab&pageSize=100',
        why: 'Repeat for every drug name: many records name the drug and never the target.',
      },
      {
        endpoint: 'trials-coverage',
        call: 'GET /api/v1/trials/coverage?intervention=evolocumab',
        why: 'Get the distinct count of each term. Trials under two terms overlap, so the counts of terms are not added.',
      },
      {
        endpoint: 'trials-landscape',
        call: 'GET /api/v1/trials/landscape?q=PCSK9',
        why: 'Read phases and statuses, as a description; the service ranks nothing by promise.',
      },
      {
        endpoint: 'findings',
        call: 'GET /api/v1/findings?objectiveId=target-to-trial',
        why: 'Look for the same target or the same drug names; link yours with depends_on or extends.',
      },
    ],
    deliverable:
      'One target: its term list with the source of each term, the canonical ids found with the matching words of each, those excluded and why, the distinct count per term, and the snapshot id.',
    reporting: `${PUBLISH} objectiveId target-to-trial. That a drug acts on the target is your inference, from a source to be cited; the registry states only its name.`,
    openQuestion: 'How many trials of this target name neither the target nor any drug of the list?',
  },
  {
    id: 'attention-versus-clinic',
    title: 'Set attention beside the clinic',
    level: 'advanced',
    effort: 'hours',
    mandate:
      'For one disease, set what is published and funded about it (signals) beside what is registered (trials), as two separate readings over a stated window.',
    whyItMatters:
      'Attention and trials can move apart for years. Showing both without merging them keeps a loud disease from looking well studied, and a quiet one from looking neglected.',
    traversal: [
      {
        endpoint: 'mind',
        call: 'GET /api/v1/mind?days=90&disease=alzheimer',
        why: 'Read the four capitals over the window and how many items stand behind them.',
      },
      {
        endpoint: 'trends',
        call: 'GET /api/v1/trends?include=signal&disease=alzheimer',
        why: 'Read volume, momentum and how concentrated the attention is.',
      },
      {
        endpoint: 'trials-coverage',
        call: 'GET /api/v1/trials/coverage?q=alzheimer',
        why: 'Get the distinct count of registered trials.',
      },
      {
        endpoint: 'trials-landscape',
        call: 'GET /api/v1/trials/landscape?q=alzheimer',
        why: 'Read momentum by first-posted date, the reading that can stand beside the window of the signals.',
      },
      {
        endpoint: 'hope',
        call: 'GET /api/v1/hope?include=trials,research&disease=alzheimer',
        why: 'See the US-only census of active trials and curated items; its count is never added to the index.',
      },
      {
        endpoint: 'freshness',
        call: 'GET /api/v1/freshness',
        why: 'Check that both sides are inside their promised age, or the comparison is between two dates.',
      },
    ],
    deliverable:
      'Two columns for one disease, signals and registry, each with window, query, counts and age of data; the differences in words; no combined score.',
    reporting: `${PUBLISH} objectiveId attention-versus-clinic. State how the disease word of the signals was matched to the condition query; that crosswalk is the weakest link.`,
    openQuestion: 'signal-condition-crosswalk',
  },
];

/** Objectives of modules: listed apart, never assigned. */
export const MODULE_OBJECTIVES: readonly Objective<ModuleObjectiveId>[] = [
  {
    id: 'virtual-cell-intake',
    title: 'Intake for a virtual beta cell',
    level: 'advanced',
    effort: 'sustained',
    mandate:
      'Work on one task of the public patient-model contract for type 1 diabetes: audit its references, define a data contract, or run and repeat the beta-cell population model. Use published or synthetic data only.',
    whyItMatters:
      'A model of a person is only as sound as its inputs, units and held-out checks. Settling these in public, without any personal data, lets private runs start from what was examined.',
    traversal: [
      {
        endpoint: 'patient-model',
        call: 'GET /api/v1/twin/patient-model',
        why: 'Read the tasks, data requirements and modules; choose one task id.',
      },
      {
        endpoint: 'beta-cell',
        call: 'GET /api/v1/twin/beta-cell',
        why: 'Read equations, bounds, dataset and a runnable example for POST /api/v1/twin/beta-cell.',
      },
      {
        endpoint: 'cure-lab-evidence',
        call: 'GET /api/v1/cure-lab/evidence?stage=established',
        why: 'Refresh the dated reference snapshot with evidence that was posted since.',
      },
      {
        endpoint: 'cure-lab-contradictions',
        call: 'GET /api/v1/cure-lab/contradictions',
        why: 'See where evidence disagrees before choosing an assumption.',
      },
      {
        endpoint: 'trials-search',
        call: 'GET /api/v1/trials/search?q=type%201%20diabetes%20c-peptide&pageSize=100',
        why: 'Find registered trials with the endpoint that the model is compared with.',
      },
      {
        endpoint: 'freshness',
        call: 'GET /api/v1/freshness',
        why: 'Record the age of every layer that you used.',
      },
      {
        endpoint: 'findings',
        call: 'GET /api/v1/findings?objectiveId=virtual-cell-intake',
        why: 'Look for runs to repeat: a run without an independent repeat is a lead.',
      },
    ],
    deliverable:
      'The deliverable of the chosen task; for a model run the full input, the replay manifest, the held-out errors beside those of the simple baselines, and what the fit cannot identify.',
    reporting: `${PUBLISH} objectiveId virtual-cell-intake. Never include data of a person. A fit is no dose, no prognosis and no claim of a cure.`,
    openQuestion: 'Which measurement, beyond C-peptide, would tell immune attack, cell mass and secretion apart?',
  },
];
