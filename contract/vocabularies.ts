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
