import { readFileSync } from 'node:fs';
import { z } from 'zod';
import { MODALITY_IDS, type ModalityId } from '../../contract/declared/modality.ts';

const words = z.array(z.string().min(2));
const stemSchema = z.strictObject({
  ending: z.string().regex(/^[a-z]+$/),
  minimumLetters: z.int().min(6),
  /** Everyday words and other substances with this ending. */
  stop: z.array(z.string().regex(/^[a-z]+$/)),
  /** Whether it is also read in prose, where no name told the substance. */
  prose: z.boolean(),
});
const groupIds = z.array(z.enum(MODALITY_IDS));
const groupSchema = z.strictObject({
  id: z.enum(MODALITY_IDS),
  title: z.string(),
  why: z.string(),
  /** Whether the group is of what is given, or of what is done. */
  kind: z.enum(['substance', 'act']),
  /** Read in names, and in prose where `prose` is true. */
  terms: words,
  /** Read in names only. */
  nameTerms: words,
  /** Read in prose only: surer than the terms of a group that is not read there. */
  proseTerms: words,
  /** Terms and stems in a drug's name beside which its arms and the titles are read for the prose terms. */
  beside: words,
  /** Read only where nothing else told the substance: names of codes, forms of medicines. */
  weak: words,
  /** Headings of MeSH, attached to the record for its interventions, that stand in where nothing else told a drug. */
  mesh: words,
  stems: z.array(stemSchema),
  /** Intervention types of the registry, in lower case. */
  types: words,
  /** Groups whose terms in the same intervention make its type no evidence. */
  typeYieldsTo: groupIds,
  /** Terms of other groups that, in the name, make its type no evidence, where other terms of their group do not. */
  typeYieldsToTerms: words,
  /** Types of an intervention in which its terms do not count: an insulin pump that is a device is no insulin. */
  notInTypes: words,
  /** Its terms that count in these types all the same: software that reads an image is a device, though it is a test. */
  inAnyType: words,
  /** Phrases within which a term of this group does not match. */
  traps: words,
  /** Whether terms also match in prose. */
  prose: z.boolean(),
  /** Whether its terms for names match in the first sentence of a description too, where the name of what is done tells nothing. */
  lead: z.boolean(),
  /** Groups that replace this one if both match the same intervention. */
  yieldsTo: groupIds,
});
const reviewed = { id: z.string(), note: z.string(), reviewedOn: z.iso.date(), nextReviewOn: z.iso.date() };
const fileSchema = z.strictObject({
  ...reviewed,
  inert: words,
  usual: words,
  unnamed: words,
  tracers: words,
  /** Words in a name for something whose parts the description lists: a regimen, a mixture that is injected. */
  wholes: words,
  /** Words in a name for exercise, whose equipment a description mentions. */
  exercises: words,
  groups: z.array(groupSchema),
});
const substancesSchema = z.strictObject({ ...reviewed, groups: z.partialRecord(z.enum(MODALITY_IDS), words) });

type Group = z.infer<typeof groupSchema> & {
  /** Names of known substances and products, read in names and in prose. */
  substances: string[];
};
export type ModalityVocabulary = Omit<z.infer<typeof fileSchema>, 'groups'> & { groups: Group[] };

const MODALITY = new URL('../../data/rules/modality.json', import.meta.url);
const SUBSTANCES = new URL('../../data/rules/substances.json', import.meta.url);

let held: ModalityVocabulary | undefined;

/** The reviewed vocabulary, read once in a process. Throws if its groups are not those of the contract, in the same order. */
export function loadModalityVocabulary(): ModalityVocabulary {
  held ??= readVocabulary();
  return held;
}

function readVocabulary(): ModalityVocabulary {
  const file = fileSchema.parse(JSON.parse(readFileSync(MODALITY, 'utf8')));
  const substances = substancesSchema.parse(JSON.parse(readFileSync(SUBSTANCES, 'utf8')));
  const ids = file.groups.map(({ id }) => id);
  if (ids.join() !== MODALITY_IDS.join()) {
    throw new Error(`data/rules/modality.json has the groups ${ids.join(', ')} instead of ${MODALITY_IDS.join(', ')}`);
  }
  const named = (id: ModalityId): string[] => substances.groups[id] ?? [];
  return {
    ...file,
    id: `${file.id}+${substances.id}`,
    groups: file.groups.map((group) => ({ ...group, substances: named(group.id) })),
  };
}
