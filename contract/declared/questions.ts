import type { CatalogueId, GraphNodeId, ObjectiveId, ObjectiveLevel, QuestionEffort, QuestionId } from '../ids.ts';

/** A question that the index cannot answer by itself. */
export interface OpenQuestion {
  readonly id: QuestionId;
  readonly question: string;
  readonly effort: QuestionEffort;
  /** How much experience it needs, in the words that objectives have; the interface gives questions none. */
  readonly level: ObjectiveLevel;
  /** What it costs to work on, in words. */
  readonly computeProfile: string;
  readonly whyUnanswered: string;
  readonly endpoints: readonly CatalogueId[];
  readonly approach: readonly string[];
  readonly answerLooksLike: string;
  readonly falsifiedBy: string;
  readonly relatedObjective?: ObjectiveId;
  /** Node of the abstraction graph that the question is about. */
  readonly relatedNode: GraphNodeId;
}

/** The seven open questions, in their published order. */
export const QUESTIONS: readonly OpenQuestion[] = [
  {
    id: 'modality-vocabulary',
    question: 'Which list of terms recognises one modality in intervention text, and how often is it wrong?',
    effort: 'hours',
    level: 'intermediate',
    computeProfile: 'A few dozen reads and the labelling of some hundred intervention names; no special hardware.',
    whyUnanswered:
      'Registries store intervention types such as drug, biological or genetic, which cut across modalities. The modality is inferred from text at query time, and no labelled sample exists to measure the inference by.',
    endpoints: ['trials-search', 'trials-detail', 'trials-landscape', 'findings'],
    approach: [
      'Choose one modality and write down, before looking, what counts as inside it.',
      'Collect candidate terms: names, synonyms, stems of non-proprietary names, and words that must exclude a record.',
      'Draw records that the terms match and records that they do not; label both without looking at the match.',
      'Report precision and recall with the size of the sample, then the terms that caused most errors.',
    ],
    answerLooksLike:
      'A versioned term list with its inclusion rule, the labelled canonical ids, precision and recall with intervals, and the known confusions.',
    falsifiedBy:
      'A second labeller, working from the same inclusion rule on a fresh sample, whose error rates lie outside the stated intervals.',
    relatedObjective: 'modality-attrition',
    relatedNode: 'modality',
  },
  {
    id: 'signal-condition-crosswalk',
    question: 'Which condition terms of the registries correspond to one disease word of the signals?',
    effort: 'hours',
    level: 'advanced',
    computeProfile: 'Some dozen reads of signals and searches; text comparison only.',
    whyUnanswered:
      'Signals are matched by published word lists, trials by the words of their registry. Nothing joins the two vocabularies, so a comparison of both sides compares two different scopes.',
    endpoints: ['mind', 'trends', 'hope', 'trials-search', 'trials-coverage'],
    approach: [
      'Take one disease word that the signals accept and list the terms by which their items matched.',
      'Collect the condition terms of trials that a search by that word returns, and of trials that a clinician would add.',
      'Sort each pair of terms into same, broader, narrower or unrelated, with a reason.',
      'Compare the distinct count of the plain word with that of the crosswalk; report both.',
    ],
    answerLooksLike:
      'A table of signal term, registry term, relation and reason for one disease, with canonical ids that show each disputed pair.',
    falsifiedBy:
      'A trial or an item that the crosswalk places on the wrong side by the definition that it states, in more than the share of cases that it admits.',
    relatedObjective: 'attention-versus-clinic',
    relatedNode: 'signal',
  },
  {
    id: 'deduplication-recall',
    question: 'How many trials are still counted twice because neither of their registrations names the other?',
    effort: 'sustained',
    level: 'advanced',
    computeProfile: 'Candidate pairs from many searches, then reading pairs by hand; text similarity runs on one core.',
    whyUnanswered:
      'Registrations are joined on evidence only: a shared identifier or an explicit cross-reference. Pairs without either stay apart, so the distinct count lies above the truth by them, and by how many is not measured.',
    endpoints: ['trials-search', 'trials-detail', 'trials-registrations', 'trials-coverage', 'trials-related'],
    approach: [
      'Choose a slice, for example one condition and one span of start dates.',
      'Form candidate pairs across the two registries by title, acronym, sponsor, dates and enrollment.',
      'Judge each pair from both records; keep extensions, sub-studies and follow-ups apart from duplicates.',
      'Have a second agent judge a part of the pairs blind, then estimate the missed share with its interval.',
    ],
    answerLooksLike:
      'Judged pairs with both registry ids and the reason, agreement between judges, and an estimate of missed duplicates for the slice only.',
    falsifiedBy:
      'A blind second judgement of the same pairs, or another sample of the same slice, that puts the share outside the stated interval.',
    relatedNode: 'trial',
  },
  {
    id: 'unreported-census',
    question:
      'Of the completed trials without posted results in one slice, how many have a publication of their results anywhere?',
    effort: 'sustained',
    level: 'intermediate',
    computeProfile: 'One documented literature search for each trial; many agents can share the slice.',
    whyUnanswered:
      'A registry shows whether it holds results, not whether a paper exists. Many papers do not name the registration, so a search by identifier alone finds only a part.',
    endpoints: ['trials-search', 'trials-landscape', 'trials-related', 'sources', 'findings'],
    approach: [
      'Define the slice and the clock in months, and take trials with GET /api/v1/work/results-gap/next.',
      'Search by identifier, then by title, sponsor, investigator and intervention; write the strategy down so that it can be repeated.',
      'Report every trial with POST /api/v1/work/results-gap, also where nothing was found.',
      'Summarise the slice only from confirmed reports, with the open leads shown beside them.',
    ],
    answerLooksLike:
      'For one slice: trials checked, results found and by which route, nothing found by two agents independently, and those still open.',
    falsifiedBy: 'A results publication for a trial that the census counts as having none.',
    relatedObjective: 'reporting-gap',
    relatedNode: 'evidence-gap',
  },
  {
    id: 'index-blind-spot',
    question: 'Which trials of one condition are registered only in registries that this index does not hold?',
    effort: 'hours',
    level: 'intermediate',
    computeProfile: 'Some dozen reads of related research and look-ups in other registries; no special hardware.',
    whyUnanswered:
      'The index reads two primary registries. An identifier with inIndex false shows that another registration exists or was mentioned, but nothing counts those that are never mentioned.',
    endpoints: ['trials-coverage', 'trials-related', 'trials-registrations', 'sources'],
    approach: [
      'Choose a condition and record the distinct count and the state of both registries.',
      'Collect identifiers with inIndex false from the trials and from their related research.',
      'Look each up in its own registry and note whether it is a trial of its own or a registration of one held here.',
      'Add a sample taken from another registry directly, and see how many of it are held here.',
    ],
    answerLooksLike:
      'A list of identifiers by registry with what each turned out to be, and the share of an outside sample that the index holds, for one condition.',
    falsifiedBy:
      'An identifier reported as absent that GET /api/v1/trials/registrations?id={registryId} resolves in the same snapshot, or an outside sample with a clearly different share.',
    relatedNode: 'identifier',
  },
  {
    id: 'target-to-mechanism',
    question:
      'Can the step from a molecular target to a mechanism be stated so that a registry record could contradict it?',
    effort: 'sustained',
    level: 'advanced',
    computeProfile: 'Reading of primary literature and small model runs of seconds each.',
    whyUnanswered:
      'The index holds neither targets nor mechanisms, and the layers below a target (codon structure, metabolic flux) and above a trial (outcome) are absent. Whatever joins them is argued outside, and so far not in a form that can fail.',
    endpoints: ['trials-search', 'trials-related', 'cure-lab-evidence', 'twin-experiment', 'twin-benchmark'],
    approach: [
      'State one mechanism as steps, each with the published source that it rests on.',
      'Say which registered endpoint would move, in which direction and by when, if the mechanism holds.',
      'Where the steps are reactions, run them and a rival with POST /api/v1/twin/benchmark against the same observations.',
      'Name the registered trials that will measure the endpoint, and the result that would speak against the mechanism.',
    ],
    answerLooksLike:
      'A chain of sourced steps with a prediction on a named endpoint of named trials, a rival explanation, and where the two disagree.',
    falsifiedBy:
      'A posted result on the named endpoint that goes against the prediction, or a source that does not say what its step claims.',
    relatedNode: 'molecular-target',
  },
  {
    id: 'freshness-drift',
    question: 'How far has the index drifted from its registries at this moment?',
    effort: 'minutes',
    level: 'entry',
    computeProfile: 'Two reads here and a handful of look-ups at the registries.',
    whyUnanswered:
      'The service states when it last read each registry. What a registry changed since then can be seen only there, and a change without a new update date is never noticed.',
    endpoints: ['freshness', 'sources', 'trials-search', 'trials-detail'],
    approach: [
      'Record lastSuccessAt and the snapshot id.',
      'Draw a small random sample of trials and open the source address of each registration.',
      'Compare status, enrollment, dates and results with the record here, field by field.',
      'Report differences with both values and both times, also when there are none.',
    ],
    answerLooksLike:
      'Sample size, how the sample was drawn, differences by field with registry ids, and the age of the snapshot when it was compared.',
    falsifiedBy:
      'A repeat on the same snapshot and registry ids that finds a difference which the answer denies, or does not find one that it reports.',
    relatedNode: 'registration',
  },
];
