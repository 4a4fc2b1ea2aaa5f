import { readFileSync } from 'node:fs';
import { z } from 'zod';
import {
  type ResearchItem,
  researchItemSchema,
  type TokenEvent,
  tokenEventSchema,
} from '../../contract/schemas/trials/signals.ts';
import type { Manifest } from '../../snapshot/format/versions/manifest.ts';
import { indexKeys, textUnits } from '../../snapshot/format/words/tokens.ts';

const reviewed = { note: z.string(), reviewed: z.iso.date(), nextReview: z.iso.date() };
const itemSchema = researchItemSchema.omit({ url: true }).strict();
const researchSchema = z.strictObject({ ...reviewed, items: z.array(itemSchema) });
const tokenSchema = z.strictObject({
  ...reviewed,
  events: z.array(tokenEventSchema.omit({ accessReading: true }).strict()),
});
const diseasesSchema = z.strictObject({ ...reviewed, topics: z.array(z.string()) });

export interface TokenEvents {
  note: string;
  events: TokenEvent[];
}

/** The reviewed data behind the signals, in the order of its presentation. */
export interface CuratedSignals {
  research: ResearchItem[];
  /** Topic ids of the fifteen curated diseases, sorted. */
  diseases: string[];
  /** Synthetic events for the sample corpus, real ones otherwise. */
  tokenEvents: (corpus: Manifest['corpus']) => TokenEvents;
}

/** Reads data/curated/. Throws if a file does not fit its schema. */
export function loadCuratedSignals(): CuratedSignals {
  const research = researchSchema.parse(read('research-items.json')).items.map((item): ResearchItem => {
    const doi = item.doi === null ? null : `https://doi.org/${item.doi}`;
    const pubmed = item.pmid === null ? null : `https://pubmed.ncbi.nlm.nih.gov/${item.pmid}/`;
    return { ...item, url: doi ?? pubmed };
  });
  const ids = new Set(research.map(({ id }) => id));
  if (ids.size !== research.length) throw new Error('data/curated/research-items.json names an id twice');
  const real = tokenEvents('token-events.json');
  const sample = tokenEvents('sample-token-events.json');
  return {
    research: research.sort((a, b) => b.year - a.year || (a.id < b.id ? -1 : 1)),
    diseases: diseasesSchema.parse(read('diseases.json')).topics.sort(),
    tokenEvents: (corpus) => (corpus === 'sample' ? sample : real),
  };
}

function read(name: string): unknown {
  return JSON.parse(readFileSync(new URL(`../../data/curated/${name}`, import.meta.url), 'utf8'));
}

function tokenEvents(name: string): TokenEvents {
  const { note, events } = tokenSchema.parse(read(name));
  const withReading = events.map((event) => {
    return { ...event, accessReading: accessReading(event.publicShare, event.insiderShare) };
  });
  return { note, events: withReading.sort((a, b) => b.date.localeCompare(a.date) || (a.id < b.id ? -1 : 1)) };
}

const BROAD_FROM = 0.5;

/** The reading that FORMULAS.access defines. */
export function accessReading(publicShare: number | null, insiderShare: number | null): TokenEvent['accessReading'] {
  if (publicShare === null || insiderShare === null) return 'not-stated';
  if (publicShare >= BROAD_FROM) return 'broad';
  return insiderShare > publicShare ? 'insider-weighted' : 'mixed';
}

/** Whether the texts together hold every word of the keyword, as in the search; true without a keyword. */
export function holdsKeyword(keyword: string | undefined, texts: readonly string[]): boolean {
  if (keyword === undefined) return true;
  const held = new Set(texts.flatMap(indexKeys));
  return textUnits(keyword).every((unit) =>
    unit.kind === 'word' ? held.has(unit.key) : held.has(unit.joined) || unit.parts.every((part) => held.has(part)),
  );
}
