import type { RelatedResearch } from '../contract/schemas/trials/related.ts';
import type { TrialListItem } from '../contract/schemas/trials/trial.ts';
import type { FoundMention } from '../server-kit/literature/client.ts';
import type { PaperMention } from '../server-kit/literature/verification.ts';
import {
  type RecognisedIdentifier,
  recogniseIdentifiers,
  registryOfIdentifier,
} from '../snapshot/format/identifiers.ts';
import { heldRow, readTrial } from './search/hints/held-trial.ts';
import type { SnapshotImage } from './snapshot/snapshot-image.ts';

type CoCited = NonNullable<RelatedResearch['crossRegistryMentions']['mentions']>[number];

/** Most identifiers listed: a review may name hundreds of trials; more are a bibliography. */
const CO_CITED_MAX = 200;
/** Numbers of a study or a sponsor, which name no record of a registry. */
const NOT_OF_A_REGISTRY: readonly string[] = ['utn', 'iras', 'cpms'];

/**
 * Other identifiers that the papers name, most frequent first, then by id. They come from running text, so they are
 * mentions: they never merge trials and are never counted.
 */
export function coCited(image: SnapshotImage, trial: TrialListItem, found: readonly FoundMention[]): CoCited[] {
  const own = new Set(trial.identifiers.map(({ value }) => value));
  const named = new Map<string, { identifier: RecognisedIdentifier; papers: Set<string> }>();
  for (const { record, paper } of found) {
    const identifiers = [...paper.accessions, paper.text].flatMap(recogniseIdentifiers);
    for (const identifier of identifiers) {
      if (own.has(identifier.value) || NOT_OF_A_REGISTRY.includes(identifier.type)) continue;
      const entry = named.get(identifier.value) ?? { identifier, papers: new Set() };
      entry.papers.add(paperName(record));
      named.set(identifier.value, entry);
    }
  }
  return [...named.values()]
    .sort((a, b) => b.papers.size - a.papers.size || (a.identifier.value < b.identifier.value ? -1 : 1))
    .slice(0, CO_CITED_MAX)
    .map(({ identifier, papers }) => ({ ...standingOf(image, identifier), papers: [...papers] }))
    .filter(({ canonicalId }) => canonicalId !== trial.canonicalId);
}

function standingOf(image: SnapshotImage, { type, value, suspect }: RecognisedIdentifier): Omit<CoCited, 'papers'> {
  const row = heldRow(image, value);
  const canonicalId = row === null ? null : readTrial(image, row).canonicalId;
  return { id: value, type, registry: registryOfIdentifier(type), suspect, inIndex: canonicalId !== null, canonicalId };
}

function paperName({ pmid, doi, title }: PaperMention): string {
  if (pmid !== null) return `pmid:${pmid}`;
  return doi === null ? `title:${title}` : `doi:${doi}`;
}
