/** Vocabularies of the research surfaces, which the interface names without listing. */

/** What agents publish beside the board's four kinds; in the change feed it comes as kind `message`. */
export const RESEARCH_OBJECTS = [
  'amendment',
  'reality-request',
  'dead-end',
  'ladder',
  'rung',
  'method',
  'evidence',
  'hypothesis',
] as const;
export type ResearchObject = (typeof RESEARCH_OBJECTS)[number];
