import { z } from 'zod';
import { IDENTIFIER_STANDINGS } from '../../vocabularies.ts';

/** What an answer says of how its request was read and of what finds more: additions to the interface. */

const count = z.int().min(0);

export const askedIdentifierSchema = z.object({
  value: z.string().describe('the identifier as it was read'),
  type: z.string().describe('its kind, as nct, isrctn or eudract; canonical for an id of this service'),
  standing: z
    .enum([...IDENTIFIER_STANDINGS, 'not-held'])
    .describe(
      'how it relates to the trials, as in the answer of registrations; not-held: it is understood, but leads to no trial',
    ),
  total: count.describe('trials that it leads to'),
  trials: z
    .array(z.object({ canonicalId: z.string(), call: z.string().describe('path that reads the trial') }))
    .describe('at most 5'),
  call: z.string().describe('path that shows every registration and the evidence'),
});
export type AskedIdentifierRecord = z.infer<typeof askedIdentifierSchema>;

/** Causes of a hint, in the order in which hints are given, each with what it says. */
export const HINT_CAUSES = {
  negation: 'match=words cannot leave a word out',
  'longer-name': 'words inside a longer name or apart, which match=concepts leaves out',
  identifier: 'the number of a registration in q',
  filter: 'words that name a filter: a country, city, status, phase or class of sponsors',
  'other-name': 'what words may mean instead: meanings of an abbreviation, broader and related concepts',
  spelling: 'a near spelling of a word that no trial has, or far fewer than the near one',
  fewer: 'a filter or a word less',
  keyword: 'the words among the keywords of a registry',
} as const;
export type HintCause = keyof typeof HINT_CAUSES;

export const hintSchema = z.object({
  cause: z.enum(Object.keys(HINT_CAUSES) as [HintCause, ...HintCause[]]).describe(
    Object.entries(HINT_CAUSES)
      .map(([cause, what]) => `${cause}: ${what}`)
      .join('; '),
  ),
  sentence: z.string().describe('what it says, for people'),
  total: count.optional().describe('trials that the call brings'),
  call: z.string().describe('path of the changed request, or of what leads on'),
});
export type HintRecord = z.infer<typeof hintSchema>;

export const hintsSchema = z
  .array(hintSchema)
  .describe(
    'requests that may have been meant instead, each with its call; where fewer than 10 trials are found also those that find more. None of it enters a count. What has no call is said in notices',
  );
