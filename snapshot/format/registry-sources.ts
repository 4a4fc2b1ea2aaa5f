import { readFileSync } from 'node:fs';
import { z } from 'zod';
import { REGISTRY_IDS, type RegistryId } from '../../contract/ids.ts';

const sourceSchema = z.strictObject({
  registry: z.enum(REGISTRY_IDS),
  name: z.string(),
  publisher: z.string(),
  country: z.string(),
  baseUrl: z.url(),
  apiType: z.string(),
  licence: z.string(),
  /** Of the Open Definition: licenses.opendefinition.org. */
  licenceId: z.string().regex(/^[-a-zA-Z0-9._]+$/),
  licenceUrl: z.url(),
  termsUrl: z.url(),
  /** Promised maximum age of the registry's data, in hours. */
  promisedHours: z.number().positive(),
  quirks: z.array(z.string()),
});
const fileSchema = z.strictObject({
  note: z.string(),
  reviewed: z.iso.date(),
  nextReview: z.iso.date(),
  excluded: z.string(),
  sources: z.array(sourceSchema),
});
export type RegistrySource = z.infer<typeof sourceSchema>;

export interface RegistrySources {
  excluded: string;
  of(registry: RegistryId): RegistrySource;
}

/** The reviewed facts about each registry, from data/sources/registries.json. Throws if a registry has no entry. */
export function loadRegistrySources(
  path: URL = new URL('../../data/sources/registries.json', import.meta.url),
): RegistrySources {
  const file = fileSchema.parse(JSON.parse(readFileSync(path, 'utf8')));
  const byId = new Map(file.sources.map((source) => [source.registry, source]));
  for (const id of REGISTRY_IDS) if (!byId.has(id)) throw new Error(`data/sources/registries.json lacks ${id}`);
  return { excluded: file.excluded, of: (registry) => byId.get(registry)! };
}
