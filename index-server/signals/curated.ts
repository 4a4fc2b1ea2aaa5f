import { readFileSync } from 'node:fs';
import { z } from 'zod';
import type { ResearchItem, TokenEvent } from '../../contract/schemas/trials/signals.ts';
import type { Manifest } from '../../snapshot/format/versions/manifest.ts';
import { indexKeys, textUnits } from '../../snapshot/format/words/tokens.ts';

const researchSchema = z.strictObject({
  note: z.string(),
  reviewed: z.iso.date(),
  nextReview: z.iso.date(),
  items: z.array(
    z.strictObject({
      id: z.string().regex(/^[a-z0-9]+(-[a-z0-9]+)*$/),
      title: z.string(),
      reference: z.string(),
      year: z.int(),
      finding: z.string(),
      unresolved: z.string(),
      disease: z.string(),
      evidenceLevel: z.string(),
      pmid: z.string().regex(/^\d+$/).nullable(),
      doi: z.string().startsWith('10.').nullable(),
      reviewedOn: z.iso.date(),
    }),
  ),
});

const share = z.number().min(0).max(1).nullable();
const tokenSchema = z.strictObject({
  note: z.string(),
  reviewed: z.iso.date(),
  nextReview: z.iso.date(),
  events: z.array(
    z.strictObject({
      id: z.string(),
      project: z.string(),
      purpose: z.string(),
      date: z.iso.date(),
      publicShare: share,
      insiderShare: share,
      sources: z.array(z.url()),
      synthetic: z.boolean(),
      reviewedOn: z.iso.date(),
    }),
  ),
});

export interface TokenEvents {
  note: string;
  events: TokenEvent[];
}

/** The reviewed data behind the signals, in the order of its presentation. */
export interface CuratedSignals {
  research: ResearchItem[];
  /** Synthetic events for the sample corpus, real ones otherwise. */
  tokenEvents: (corpus: Manifest['corpus']) => TokenEvents;
}

/** Reads data/curated/. Throws if a file does not fit its schema. */
export function loadCuratedSignals(folder: URL = new URL('../../data/curated/', import.meta.url)): CuratedSignals {
  const read = (name: string): unknown => JSON.parse(readFileSync(new URL(name, folder), 'utf8'));
  const research = researchSchema.parse(read('research-items.json')).items.map(withAddress);
  const ids = new Set(research.map(({ id }) => id));
  if (ids.size !== research.length) throw new Error('data/curated/research-items.json names an id twice');
  const real = readEvents(read('token-events.json'));
  const sample = readEvents(read('sample-token-events.json'));
  return {
    research: research.sort((a, b) => b.year - a.year || (a.id < b.id ? -1 : 1)),
    tokenEvents: (corpus) => (corpus === 'sample' ? sample : real),
  };
}

function withAddress(item: z.infer<typeof researchSchema>['items'][number]): ResearchItem {
  const doi = item.doi === null ? null : `https://doi.org/${item.doi}`;
  const pubmed = item.pmid === null ? null : `https://pubmed.ncbi.nlm.nih.gov/${item.pmid}/`;
  return { ...item, url: doi ?? pubmed };
}

function readEvents(content: unknown): TokenEvents {
  const { note, events } = tokenSchema.parse(content);
  const read = events.map((event) => ({
    ...event,
    accessReading: accessReading(event.publicShare, event.insiderShare),
  }));
  return { note, events: read.sort((a, b) => (a.date === b.date ? (a.id < b.id ? -1 : 1) : a.date < b.date ? 1 : -1)) };
}

const BROAD_FROM = 0.5;

/** The reading that FORMULAS.access defines. */
export function accessReading(publicShare: number | null, insiderShare: number | null): TokenEvent['accessReading'] {
  if (publicShare === null || insiderShare === null) return 'not-stated';
  if (publicShare >= BROAD_FROM) return 'broad';
  return insiderShare > publicShare ? 'insider-weighted' : 'mixed';
}

/** Whether the texts together hold every word of the keyword; words are read as in the search. */
export function holdsKeyword(keyword: string, texts: readonly string[]): boolean {
  const held = new Set(texts.flatMap(indexKeys));
  return textUnits(keyword).every((unit) =>
    unit.kind === 'word' ? held.has(unit.key) : held.has(unit.joined) || unit.parts.every((part) => held.has(part)),
  );
}
