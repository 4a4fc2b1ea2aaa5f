import { z } from 'zod';
import { REGISTRY_IDS } from '../ids.ts';
import { identifierSchema } from './trial.ts';

const publicationSchema = z.object({
  registration: z.string().describe('the registration that lists it'),
  registry: z.enum(REGISTRY_IDS),
  kind: z
    .enum(['results', 'background', 'derived', 'protocol', 'other'])
    .describe('`derived` was added by the registry from the literature, never declared by the sponsor'),
  kindRaw: z.string().nullable(),
  pmid: z.string().nullable(),
  doi: z.string().nullable(),
  url: z.string().nullable(),
  citation: z.string().nullable(),
  year: z.int().nullable(),
  retracted: z.boolean(),
});

/** State of one layer: `answered` was read, `not_asked` was not requested, `unavailable` cannot be read by this deployment. */
const layerState = z.enum(['answered', 'not_asked', 'unavailable']);

export const relatedSchema = z.object({
  canonicalId: z.string(),
  registryDeclared: z.object({ state: layerState, publications: z.array(publicationSchema).nullable() }),
  literature: z.object({
    state: layerState,
    note: z.string(),
    records: z.null().describe('null is unknown, never none'),
  }),
  crossRegistryMentions: z.object({
    state: layerState,
    note: z.string(),
    mentions: z.null().describe('null is unknown, never none'),
  }),
  identifiers: z.array(identifierSchema).describe('what a search of the literature would ask for'),
});
