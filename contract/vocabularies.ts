/** The words of this index for what each registry words its own way; `unknown` and `not-stated` mean that it states nothing. */

export const TRIAL_STATUSES = [
  'running',
  'completed',
  'terminated',
  'withdrawn',
  'suspended',
  'expanded_access',
  'unknown',
] as const;
export const RECRUITMENT_STATUSES = [
  'not_yet_recruiting',
  'recruiting',
  'enrolling_by_invitation',
  'active_not_recruiting',
  'completed',
  'terminated',
  'withdrawn',
  'suspended',
  'available',
  'no_longer_available',
  'temporarily_not_available',
  'approved_for_marketing',
  'withheld',
  'unknown',
] as const;
/** How free text is matched: `words` is the interface's search, `concepts` is an addition. */
export const MATCH_MODES = ['words', 'concepts'] as const;

export const PHASES = ['early-1', '1', '1-2', '2', '2-3', '3', '3-4', '4', 'not-applicable', 'not-stated'] as const;
export const STUDY_TYPES = ['interventional', 'observational', 'expanded_access', 'unknown'] as const;
export const SPONSOR_CLASSES = [
  'industry',
  'nih',
  'federal',
  'government',
  'network',
  'individual',
  'other',
  'unknown',
] as const;
export const ALLOCATIONS = ['randomized', 'non-randomized', 'not-applicable', 'not-stated'] as const;
export const MASKINGS = ['none', 'single', 'double', 'triple', 'quadruple', 'masked', 'not-stated'] as const;
export const PARTICIPANT_SEX = ['all', 'female', 'male', 'not-stated'] as const;

/** The kinds of identifiers, told by their pattern, whatever type the registry's form claimed. */
export const IDENTIFIER_TYPES = [
  ...(['nct', 'isrctn', 'eudract', 'euct', 'utn', 'actrn', 'drks', 'umin', 'jrct', 'pactr', 'chictr', 'ctri'] as const),
  ...(['irct', 'kct', 'ntr', 'ctrp', 'snctp', 'slctr', 'tctr', 'rebec', 'rpcec', 'lbctr', 'itmctr', 'japic'] as const),
  ...(['jma', 'iras', 'cpms'] as const),
] as const;
/**
 * How a registration states an identifier: `repaired` is declared with a slip that was mended, `related` is declared as the
 * number of another study (its parent, sub-study or extension).
 */
export const IDENTIFIER_ROLES = ['own', 'alias', 'declared', 'repaired', 'related'] as const;
export const LINK_KINDS = ['explicit-cross-reference', 'shared-identifier'] as const;
export const LINK_DIRECTIONS = ['one-way', 'mutual', 'shared'] as const;
export const LINK_VERDICTS = ['accepted', 'rejected'] as const;
export const PUBLICATION_KINDS = ['results', 'background', 'derived', 'protocol', 'other'] as const;
export const PAYLOAD_FORMATS = ['json', 'xml', 'csv'] as const;
export const QUARANTINE_REASONS = [
  ...(['older-than-published', 'not-utf8', 'not-json', 'not-xml', 'not-csv', 'not-an-object'] as const),
  ...(['missing-id', 'bad-id', 'missing-title', 'bad-field', 'too-large', 'too-deep'] as const),
] as const;
/** How an identifier that is looked up leads to trials. */
export const IDENTIFIER_STANDINGS = [
  ...(['canonical', 'alias', 'registration', 'declared', 'sponsor-code'] as const),
  ...(['divided', 'superseded', 'claimed'] as const),
] as const;
/** What two records are to each other that do not count together in one trial. */
export const RELATION_KINDS = ['related', 'superseded'] as const;
/** What became of a canonical id. */
export const CANONICAL_ID_STATES = ['current', 'alias', 'retired', 'divided'] as const;
/** What differs between a snapshot and its parent: `merged` is a trial that became an alias, `split` a new one out of another. */
export const CHANGE_KINDS = [
  ...(['identifier-gained', 'identifier-lost', 'link-changed', 'link-gained', 'link-lost'] as const),
  ...(['publication-gained', 'publication-lost'] as const),
  ...(['registration-added', 'registration-changed', 'registration-removed'] as const),
  ...(['signal-gained', 'signal-lost'] as const),
  ...(['trial-added', 'trial-changed', 'trial-merged', 'trial-removed', 'trial-split'] as const),
] as const;
export const FEED_CATEGORIES = ['registry', 'regulator', 'funder', 'preprint', 'journal', 'news'] as const;
/** What the day of a feed's item is. */
export const DATE_BASES = ['published', 'updated', 'first_seen'] as const;

type Meant<Value extends string> = Readonly<Record<string, readonly Value[]>>;

/**
 * Everyday words for values, which a refusal offers beside the spellings that are near (reviewed 2026-11-25). They are never
 * read as the value: "open" can mean more than one. In lower case; hyphens and underscores are blanks.
 */
export const MEANT_STATUSES: Meant<(typeof TRIAL_STATUSES)[number] | (typeof RECRUITMENT_STATUSES)[number]> = {
  open: ['recruiting', 'enrolling_by_invitation'],
  'open to recruitment': ['recruiting'],
  enrolling: ['recruiting', 'enrolling_by_invitation'],
  'looking for participants': ['recruiting'],
  'by invitation': ['enrolling_by_invitation'],
  planned: ['not_yet_recruiting'],
  'not open': ['not_yet_recruiting'],
  upcoming: ['not_yet_recruiting'],
  current: ['running'],
  'in progress': ['running'],
  live: ['running'],
  'follow up': ['active_not_recruiting'],
  'closed to recruitment': ['active_not_recruiting'],
  closed: ['active_not_recruiting', 'completed', 'terminated'],
  finished: ['completed'],
  done: ['completed'],
  ended: ['completed', 'terminated'],
  cancelled: ['withdrawn', 'terminated'],
  canceled: ['withdrawn', 'terminated'],
  abandoned: ['withdrawn', 'terminated'],
  failed: ['terminated', 'withdrawn'],
  'on hold': ['suspended'],
  paused: ['suspended'],
  halted: ['suspended', 'terminated'],
  'compassionate use': ['expanded_access', 'available'],
};
export const MEANT_PHASES: Meant<(typeof PHASES)[number]> = {
  'first in human': ['early-1', '1'],
  pilot: ['early-1', '1', 'not-applicable'],
  early: ['early-1', '1', '1-2'],
  exploratory: ['early-1', '1', '2'],
  late: ['3', '2-3'],
  pivotal: ['3', '2-3'],
  confirmatory: ['3'],
  'post marketing': ['4'],
  none: ['not-applicable', 'not-stated'],
};
export const MEANT_STUDY_TYPES: Meant<(typeof STUDY_TYPES)[number]> = {
  trial: ['interventional'],
  'clinical trial': ['interventional'],
  randomised: ['interventional'],
  randomized: ['interventional'],
  rct: ['interventional'],
  experimental: ['interventional'],
  cohort: ['observational'],
  registry: ['observational'],
  'case control': ['observational'],
  'compassionate use': ['expanded_access'],
};
export const MEANT_SPONSOR_CLASSES: Meant<(typeof SPONSOR_CLASSES)[number]> = {
  pharma: ['industry'],
  pharmaceutical: ['industry'],
  company: ['industry'],
  commercial: ['industry'],
  biotech: ['industry'],
  private: ['industry'],
  academic: ['other'],
  academia: ['other'],
  university: ['other'],
  hospital: ['other'],
  charity: ['other'],
  foundation: ['other'],
  'non profit': ['other'],
  nonprofit: ['other'],
  'non commercial': ['other'],
  nhs: ['government', 'other'],
  public: ['government', 'federal', 'nih'],
  'national institutes of health': ['nih'],
  state: ['government', 'federal'],
  va: ['federal'],
  person: ['individual'],
  investigator: ['individual', 'other'],
};
export const MEANT_SEXES: Meant<(typeof PARTICIPANT_SEX)[number]> = {
  both: ['all'],
  any: ['all'],
  women: ['female'],
  woman: ['female'],
  girls: ['female'],
  f: ['female'],
  men: ['male'],
  man: ['male'],
  boys: ['male'],
  m: ['male'],
};
/** Of the words for a status of a trial, those that a site can have too. */
export const MEANT_SITE_STATUSES: Meant<(typeof RECRUITMENT_STATUSES)[number]> = Object.fromEntries(
  Object.entries(MEANT_STATUSES).flatMap(([word, values]) => {
    const ofSites = RECRUITMENT_STATUSES.filter((status) => values.includes(status));
    return ofSites.length === 0 ? [] : [[word, ofSites]];
  }),
);
