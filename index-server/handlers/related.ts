import type { getTrialRelatedResearch } from '../../contract/operations/trials/trials.ts';
import type { RelatedResearch } from '../../contract/schemas/trials/related.ts';
import type { TrialListItem } from '../../contract/schemas/trials/trial.ts';
import type { FoundMention, Literature, Mentions } from '../../server-kit/literature/client.ts';
import type { PaperMention } from '../../server-kit/literature/verification.ts';
import type { Handler, RequestContext } from '../../server-kit/mount.ts';
import {
  type RecognisedIdentifier,
  recogniseIdentifiers,
  registryOfIdentifier,
} from '../../snapshot/format/identifiers.ts';
import { trialMeta } from '../meta.ts';
import { heldRow, readListItem, readTrial } from '../search/hints/held-trial.ts';
import type { IndexServices } from '../services.ts';
import type { SnapshotImage } from '../snapshot/snapshot-image.ts';
import { notHeld } from './not-held.ts';
import { withNotices } from './search-order.ts';
import { survivorNotices } from './superseded.ts';

type Layer = 'declared' | 'literature' | 'crossref';

/** Most identifiers asked for: each takes several requests, and the sources allow few per second. */
const ASKED_MAX = 5;
/** Types whose numbers are plain digits: a search would find them in any table. */
const BARE_NUMBERS: readonly string[] = ['iras', 'cpms'];

const NOTES: Record<RelatedResearch['literature']['state'], string> = {
  answered: 'Papers that name an identifier of this trial: mentions, not necessarily its results, and never counted.',
  partial:
    'Some questions were not answered, see sources: papers may be missing here. What is listed are mentions, not necessarily results, and never counted.',
  unanswered: 'No source answered. What the literature says is unknown here; that is not the same as none.',
  not_asked: 'Not asked for; include names the layers to read.',
  unavailable:
    'This deployment does not read a literature index. Nothing is known here of what the literature says; that is not the same as none.',
};
const SAMPLE_NOTE = ' The corpus is synthetic: a real paper that names one of its ids is about another trial.';

export const relatedResearch: Handler<typeof getTrialRelatedResearch, IndexServices> = async (
  { params, query },
  context,
  services,
  fail,
) => {
  const { holder, sources, store, literature, log } = services;
  using lease = holder.acquire() ?? fail('TRIALS_UNAVAILABLE');
  const { image, manifest } = lease;
  const row = heldRow(image, params.id) ?? fail('TRIAL_NOT_FOUND', await notHeld(services, lease, params.id));
  const trial = readListItem(image, row);
  const wants = wanted(query.include);
  const asksLiterature = wants('literature') || wants('crossref');
  const { asked, leftOut } = searchable(trial);
  const [declared, mentions] = await Promise.allSettled([
    wants('declared') ? store.publications(lease, row) : null,
    asksLiterature ? ask(literature, asked, query.limit, context) : null,
  ]);
  if (mentions.status === 'rejected') throw mentions.reason;
  const found = mentions.value;
  const publications = declared.status === 'fulfilled' ? declared.value : null;
  const unasked = literature?.isOn ? 'not_asked' : 'unavailable';
  const unread = declared.status === 'rejected' || !wants('declared');
  if (unread && found?.anyAnswer !== true) {
    fail('RELATED_RESEARCH_UNAVAILABLE', declared.status === 'rejected' ? { cause: declared.reason } : {});
  }
  if (declared.status === 'rejected') log.error({ err: declared.reason }, 'declared publications cannot be read');
  const note = (shown: RelatedResearch['literature']['state']): string =>
    manifest.corpus === 'sample' && shown !== 'not_asked' ? NOTES[shown] + SAMPLE_NOTE : NOTES[shown];
  const stateAt = (layer: Layer) => (wants(layer) ? stateOf(found) : unasked);
  const [records, crossref] = [stateAt('literature'), stateAt('crossref')];
  return {
    data: {
      canonicalId: trial.canonicalId,
      registryDeclared: {
        state: !wants('declared') ? 'not_asked' : publications === null ? 'unanswered' : 'answered',
        publications,
      },
      literature: {
        state: records,
        note: note(records),
        records: records === 'not_asked' ? null : known(found, ({ found: all }) => all.map(({ record }) => record)),
        sources: found?.sources ?? [],
        identifiersAsked: found === null ? [] : asked,
        identifiersLeftOut: leftOut,
      },
      crossRegistryMentions: {
        state: crossref,
        note: note(crossref),
        mentions: crossref === 'not_asked' ? null : known(found, ({ found: all }) => coCited(image, trial, all)),
      },
      identifiers: trial.identifiers,
    },
    meta: withNotices(trialMeta(manifest, sources, context, false), {
      notices: survivorNotices(image, row, params.id),
    }),
  };
};

/**
 * Which layers are read: all by default. `declared` and `literature` narrow the two layers that a caller of the interface always
 * gets; `crossref` adds the third and narrows nothing.
 */
function wanted(include: readonly Layer[] | undefined): (layer: Layer) => boolean {
  const narrows = include?.some((layer) => layer !== 'crossref') ?? false;
  return (layer) => include === undefined || include.includes(layer) || (layer !== 'crossref' && !narrows);
}

/** Identifiers that a search finds reliably, the trial's own first, and those left out. */
function searchable(trial: TrialListItem): { asked: string[]; leftOut: string[] } {
  const usable = trial.identifiers.filter(
    ({ type, suspect, role }) =>
      !BARE_NUMBERS.includes(type) && role !== 'related' && !(suspect && role !== 'own' && role !== 'alias'),
  );
  const own = usable.filter(({ role }) => role === 'own');
  const values = [...own, ...usable.filter(({ role }) => role !== 'own')].map(({ value }) => value);
  const asked = [...new Set(values)].slice(0, ASKED_MAX);
  const leftOut = trial.identifiers.map(({ value }) => value).filter((value) => !asked.includes(value));
  return { asked, leftOut: [...new Set(leftOut)] };
}

/** Null in a deployment that reads no literature. */
async function ask(
  literature: Literature | null,
  identifiers: readonly string[],
  limit: number,
  context: RequestContext,
): Promise<Mentions | null> {
  if (literature === null || !literature.isOn) return null;
  return literature.mentions(identifiers, { limit, signal: context.signal() });
}

function stateOf(found: Mentions | null): RelatedResearch['literature']['state'] {
  if (found === null) return 'unavailable';
  if (found.complete) return 'answered';
  return found.anyAnswer ? 'partial' : 'unanswered';
}

/** A list, or null if it is empty and a question is open: nothing found is then not known to be none. */
function known<Item>(found: Mentions | null, items: (found: Mentions) => Item[]): Item[] | null {
  if (found === null) return null;
  const listed = items(found);
  return listed.length === 0 && !found.complete ? null : listed;
}

type CoCited = NonNullable<RelatedResearch['crossRegistryMentions']['mentions']>[number];

/** Most identifiers listed: a review may name hundreds of trials; more are a bibliography. */
const CO_CITED_MAX = 200;
/** Numbers of a study or a sponsor, which name no record of a registry. */
const NOT_OF_A_REGISTRY: readonly string[] = ['utn', 'iras', 'cpms'];

/**
 * Other identifiers that the papers name, most frequent first, then by id. They come from running text, so they are
 * mentions: they never merge trials and are never counted.
 */
function coCited(image: SnapshotImage, trial: TrialListItem, found: readonly FoundMention[]): CoCited[] {
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
