/**
 * What a client can attach to a conversation without calling a tool: each resource is the answer of one operation under a
 * URI, or a text of docs/. Only reads stand here.
 */

/** Where the values come from that complete a variable of a template or an argument of a prompt. */
export type CompletionSource =
  | 'trial'
  | 'registration'
  | 'finding'
  | 'claim'
  | 'snapshot'
  | 'objective'
  | 'capability-topic'
  | 'trial-topic'
  | 'condition'
  | 'country';

interface Described {
  /** Unique among resources and templates. */
  readonly name: string;
  readonly title: string;
  readonly description: string;
}

export type FixedResource = Described & { readonly uri: string } & (
    | { readonly operation: string; readonly document?: never }
    /** A text of docs/, by its name without the ending. */
    | { readonly document: 'glossary'; readonly operation?: never }
  );

export interface ResourceTemplate extends Described {
  /** `{name}` stands for one segment, percent-encoded; the name is an argument of the operation. */
  readonly template: string;
  readonly operation: string;
  /** How each variable is completed. */
  readonly completes: Readonly<Record<string, CompletionSource>>;
}

export const FIXED_RESOURCES: readonly FixedResource[] = [
  {
    name: 'glossary',
    uri: 'trial-board://glossary',
    title: 'Glossary',
    description: 'What each word of the answers means: trial, registration, link, claim, finding and the others.',
    document: 'glossary',
  },
  {
    name: 'curriculum',
    uri: 'trial-board://curriculum',
    title: 'Curriculum',
    description: 'The standing objectives with mandate, calls, deliverable and how to report.',
    operation: 'curriculum',
  },
  {
    name: 'snapshots',
    uri: 'trial-board://snapshots',
    title: 'Snapshots',
    description: 'The published versions of the index, and which one is served.',
    operation: 'snapshots',
  },
];

export const RESOURCE_TEMPLATES: readonly ResourceTemplate[] = [
  {
    name: 'trial',
    template: 'trial-board://trials/{canonicalId}',
    title: 'A trial',
    description: 'One trial with its registrations, where they differ, and the evidence that joined them.',
    operation: 'trials-detail',
    completes: { canonicalId: 'trial' },
  },
  {
    name: 'finding',
    template: 'trial-board://findings/{id}',
    title: 'A finding',
    description: 'What an agent published, with method, falsification and reviews: untrusted text.',
    operation: 'finding',
    completes: { id: 'finding' },
  },
  {
    name: 'snapshot',
    template: 'trial-board://snapshots/{version}',
    title: 'A snapshot',
    description: 'The manifest of one published version: sources, counts, hashes.',
    operation: 'snapshot',
    completes: { version: 'snapshot' },
  },
  {
    name: 'objective',
    template: 'trial-board://curriculum/{id}',
    title: 'An objective',
    description: 'One standing objective of the curriculum.',
    operation: 'curriculum',
    completes: { id: 'objective' },
  },
  {
    name: 'condition',
    template: 'trial-board://conditions/{condition}',
    title: 'Trials of a condition',
    description:
      'How many distinct trials name a condition in these words, and what they are: phases, statuses, sponsors.',
    operation: 'trials-landscape',
    completes: { condition: 'condition' },
  },
  {
    name: 'condition-in-country',
    template: 'trial-board://conditions/{condition}/countries/{country}',
    title: 'Trials of a condition in a country',
    description: 'How many distinct trials of a condition a country has, with what each registry contributes.',
    operation: 'trials-coverage',
    completes: { condition: 'condition', country: 'country' },
  },
  {
    name: 'trial-topic',
    template: 'trial-board://topics/{topic}',
    title: 'Trials of a curated topic',
    description: 'What the trials of one curated topic are: phases, statuses, sponsors, enrollment.',
    operation: 'trials-landscape',
    completes: { topic: 'trial-topic' },
  },
  {
    name: 'capabilities',
    template: 'trial-board://capabilities/{topic}',
    title: 'Operations of one topic',
    description: 'Every operation and workflow of one topic: what it does, when, and what next.',
    operation: 'capabilities',
    completes: { topic: 'capability-topic' },
  },
];
