import { z } from 'zod';
import { REGISTRY_IDS } from '../../ids.ts';
import { IDENTIFIER_STANDINGS } from '../../vocabularies.ts';
import { registryAnswer } from './registry-answer.ts';

/** What an answer with few trials or none adds to `_meta`: additions to the interface. */

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

export const fewResultsSchema = z.object({
  total: count.describe('trials of this answer'),
  without: z
    .array(
      z.object({
        parameter: z.string(),
        dropped: z.string().describe('the word or phrase of q, or the whole value of the parameter, as it was sent'),
        total: count.describe('trials without it, all else equal'),
        call: z.string().describe('path that brings them'),
      }),
    )
    .describe(
      'what each filter, and each of the first 8 words of q, costs; the only filter of a request is left out, since without it every trial is found',
    ),
  rather: z
    .object({
      q: z.string().nullable().describe('the words that are left; null where all of them name filters'),
      filters: z
        .object({ country: z.string(), status: z.string(), phase: z.string(), sitePlace: z.string() })
        .partial()
        .describe('words of q as the filters that they name'),
      dropped: z.array(z.string()).describe('words of q that are left out'),
      total: count.describe('trials of it, all else equal'),
      call: z.string().describe('path that brings them'),
    })
    .optional()
    .describe(
      'a question that finds more, where words of q name a filter or no one word is to blame; a suggestion, and none where match=concepts finds as much for the question as it is (alsoMatching)',
    ),
  keyword: z
    .object({
      parameter: z.enum(['q', 'condition', 'intervention']).describe('the filter whose words these are'),
      value: z.string().describe('the words as the filter keyword'),
      rest: z.string().optional().describe('what stays of the filter; absent where it leaves'),
      total: count.describe('trials of it, all else equal'),
      further: count.describe('those of them that are not among the trials of this answer'),
      call: z.string().describe('path that brings them'),
    })
    .optional()
    .describe(
      'where further trials have the words among the keywords of a registry, which other filters read with match=concepts alone and for names of concepts',
    ),
  spelling: z
    .array(
      z.object({
        parameter: z.string(),
        word: z
          .string()
          .describe(
            'a word of the query that no trial has, or far fewer than a near word; the whole value of sitePlace',
          ),
        nearest: z
          .array(
            z.object({
              word: z.string().describe('as the text of a trial has it'),
              edits: z.int().min(1).describe('letters added, left out, replaced, or swapped with their neighbour'),
              trials: count.describe('trials with the word, by itself'),
              call: z.string().describe('path of the same request with this spelling'),
            }),
          )
          .describe('at most 3, fewest edits first, then most trials; empty where none is near'),
      }),
    )
    .describe(
      'words that no trial has, and words of fewer than 10 trials beside which a near one has 20 times as many; the name of a concept is no slip; the spellings are a suggestion and count nowhere',
    ),
  text: z
    .array(
      z.object({
        registry: z.enum(REGISTRY_IDS),
        state: registryAnswer,
        registrations: count.nullable().describe('null where the registry never answered'),
        withText: z
          .object({ title: count, conditions: count, interventions: count, sponsor: count })
          .nullable()
          .describe('how many of them state the field: a word can only be found where there is text'),
      }),
    )
    .describe('what part of the records has text to match, of the whole snapshot'),
});
export type FewResultsRecord = z.infer<typeof fewResultsSchema>;
