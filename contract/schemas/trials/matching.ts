import { z } from 'zod';

/** How free text was matched: additions to the interface, beside the strict search that it names. */

/** Where a term of the terminology comes from. */
export const TERM_SOURCES = ['mesh', 'disease-ontology', 'reviewed'] as const;

const words = z.string().describe('words of the query');
const conceptId = z
  .string()
  .nullable()
  .describe(
    'MeSH descriptor, or R: and a name for a reviewed concept without one; null for words that name no concept',
  );
const heading = z.string().nullable().describe("the concept's heading");

/** Filters by text that concepts expand beside q. */
const fieldParameter = z
  .enum(['intervention', 'condition'])
  .optional()
  .describe('the filter that has the words; without it, they are of q or of the topic');

export const matchGroundSchema = z.object({
  parameter: fieldParameter,
  words,
  concept: conceptId,
  heading,
  source: z
    .enum(TERM_SOURCES)
    .nullable()
    .describe('why the words mean the concept; _meta.matching.sources has its year'),
  via: z
    .enum(['registry-mesh', 'registry-mesh-ancestor', ...TERM_SOURCES, 'other-name', 'words', 'sponsor'])
    .describe(
      "why the trial is about it: a MeSH term that the registry attached, or one below the concept; a term of the source in title, conditions, keywords or intervention names; another name that records state for the intervention; or words of its text alone, which may belong to a longer name; sponsor: the trial is not about the concept, but its sponsor's name has the words with those beside them in the query",
    ),
  term: z
    .string()
    .nullable()
    .describe(
      'the term or other name by which the trial matched; with via words, the name of the concept that its text has; null for the words of the query themselves',
    ),
});
export type MatchGroundRecord = z.infer<typeof matchGroundSchema>;

const sourceSchema = z.object({
  id: z.enum([...TERM_SOURCES, 'other-names']),
  name: z.string(),
  year: z.string(),
  licence: z.string(),
});

/** Who says which concepts a topic has. */
export const CURATED_TOPICS = 'Curated topics of this index';

const conceptList = z.array(z.object({ id: z.string(), heading: z.string() }));

export const matchedTopicSchema = z
  .object({
    id: z.string(),
    words: z
      .array(z.string())
      .describe('its queries, in the syntax of q; those that name one of concepts are read as it'),
    concepts: conceptList.describe(
      'trials that are about one of these or a narrower one, as q by concepts finds them, are in it',
    ),
    without: conceptList.describe('these and narrower ones do not count'),
  })
  .describe('how the topic was read; only where topic is asked for');

const because = z
  .array(
    z.object({
      parameter: fieldParameter,
      words,
      concept: conceptId,
      heading: heading.describe(
        "the concept's heading, the other names that records state, or the other writings of a number; null for words that are not asked for and for operators",
      ),
      source: z.string().describe('who says that the words mean it'),
      year: z.string().describe('year of that source; of the records where they say it'),
      topic: z
        .string()
        .optional()
        .describe(
          'the curated topic with this concept; match=concepts reads both alike, so that a topic of this concept alone has the same trials',
        ),
      sponsorWords: z
        .string()
        .optional()
        .describe(
          "these words, with those beside them, that some sponsor's name has all together: match=concepts finds the trials of such sponsors too",
        ),
    }),
  )
  .describe(
    'what the words were read as; a misspelt word is shown as it was mended; a topic is one entry, by its id, with the headings of its concepts; words that concepts do not ask for, and operators, are an entry each',
  );

export const alsoMatchingSchema = z.object({
  distinct: z
    .int()
    .min(0)
    .describe('how many trials match=concepts would add: it finds them and this answer does not; not its whole count'),
  total: z
    .int()
    .min(0)
    .describe(
      'how many trials match=concepts finds in all; less than those of this answer and distinct together where it leaves some of these out',
    ),
  call: z
    .string()
    .optional()
    .describe('path of the same request by concepts, which brings that total; of an answer about trials that match'),
  because,
});
export type AlsoMatchingRecord = z.infer<typeof alsoMatchingSchema>;

export const matchingSchema = z.object({
  strict: z.int().min(0).describe('trials that match=words finds with the same parameters'),
  expanded: z.int().min(0).describe('trials of this answer'),
  strictOnly: z
    .int()
    .min(0)
    .describe(
      "of the strict ones, those that this answer leaves out: their words stand apart, or name a concept in the sponsor's name alone",
    ),
  strictNote: z
    .string()
    .optional()
    .describe(
      'only where q, intervention or condition has operators: how strict was counted, since match=words takes none; an addition to the interface',
    ),
  because,
  topic: matchedTopicSchema.optional(),
  sources: z.array(sourceSchema).describe('every source that the answer rests on'),
  leftOut: z
    .array(z.string())
    .describe('words that were not asked for, as "of" and "in", and words of a question, as "trials"'),
  respelt: z
    .array(z.object({ from: z.string(), to: z.string() }))
    .describe(
      'words that hardly any trial has, and that were read as others, one to three letters away, which name a concept',
    ),
  query: z
    .looseObject({})
    .optional()
    .describe('only with include=explain: the query as it was read, a tree of all, any, not and what each part means'),
  fields: z
    .object({ intervention: z.looseObject({}), condition: z.looseObject({}) })
    .partial()
    .optional()
    .describe('only with include=explain: these filters as they were read, likewise'),
});
export type MatchingRecord = z.infer<typeof matchingSchema>;
