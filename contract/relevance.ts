/** The published formula of sort=relevance: over text only, never a ranking of promise. */

/** What a part of q earns for the best field of a trial in which it stands. */
export const RELEVANCE_POINTS = { title: 4, condition: 3, intervention: 2, elsewhere: 1 } as const;

export const RELEVANCE_FORMULA =
  'each part of q (a word or "phrase"; by concepts, a name) has the points of the best field in which it stands: title or acronym 4, conditions 3, interventions 2, elsewhere 1; the score is their sum. A phrase has the points of its weakest word, an OR those of its best side.';
