import { TOPIC_IDS } from '../../../contract/declared/topics.ts';
import { listTrialValues } from '../../../contract/operations/trials/trial-values.ts';
import { getTrialStats, searchTrials } from '../../../contract/operations/trials/trials.ts';
import { type Html, html } from '../html.ts';
import { conditionAddress } from '../kit/address.ts';
import { counted } from '../kit/parts.ts';
import { joined } from '../kit/words.ts';
import type { Page, PageContent, PageRequest } from '../page.ts';
import { FailedRead } from '../reads.ts';
import { redirect } from '../redirect.ts';
import { type Given, searchAddress } from '../trials/search-asked.ts';
import { matchMeta } from '../trials/search-matching.ts';
import { named, topicNamed } from '../words/trials.ts';
import { type Found, notHeld, SHOWN, subjectContent, totalOf } from './subject.ts';
import { waysToCount } from './ways-to-count.ts';

const NEAR_SHOWN = 8;
const INDEX = { title: 'See topics and conditions', href: '/conditions' };
const NEWEST = { sort: 'start', pageSize: SHOWN } as const;

/**
 * A condition: a curated topic by its id, else a disease by its heading in MeSH, with its other names and narrower kinds,
 * else a condition exactly as a registry writes it.
 */
export const conditionPage: Page = {
  id: 'page-condition',
  respond(request) {
    const name = request.params.name!;
    return (TOPIC_IDS as readonly string[]).includes(name)
      ? topicContent(request, name)
      : conditionContent(request, name);
  },
};

async function topicContent(request: PageRequest, id: string): Promise<PageContent> {
  const { reads } = request;
  const filters: Given = { topic: id, match: 'concepts' };
  const [found, stats] = await Promise.all([
    reads.read(searchTrials, { ...filters, ...NEWEST }),
    reads.bare.attempt(getTrialStats),
  ]);
  const topic = stats instanceof FailedRead ? undefined : stats.data.topics.find((one) => one.id === id);
  const title = topic?.title ?? named(id);
  if (totalOf(found) === 0) {
    return {
      title,
      main: html`<p>No trial held here belongs to the curated topic “${title}”.</p>
<p><a href="${INDEX.href}">${INDEX.title}</a></p>`,
    };
  }
  const reading = matchMeta(found.meta).matching?.topic;
  return subjectContent(
    request,
    {
      title,
      filters,
      counts: html`of the curated topic “${title}”, by the titles and conditions that registries state`,
      facets: ['condition', 'country', 'sponsor'],
      notes: html`${
        reading !== undefined &&
        html`<p class="hint">A trial belongs to the topic if it is about ${joined(reading.concepts.map(({ heading }) => html`<a href="${conditionAddress(heading)}"><bdi>${heading}</bdi></a>`))}, or has one of these words: ${reading.words.join(', ')}.${reading.without.length > 0 && html` Left out: ${reading.without.map(({ heading }) => heading).join(', ')}.`}</p>`
      }${await waysToCount(reads.bare, { name: title, topic: id, heading: headingLike(title, reading?.concepts ?? []), own: { filters, total: totalOf(found) } })}`,
    },
    { found, canonical: conditionAddress(id) },
  );
}

/** The concept of a topic that has its name. */
function headingLike(title: string, concepts: readonly { heading: string }[]): string | null {
  return concepts.find(({ heading }) => heading.toLowerCase() === title.toLowerCase())?.heading ?? null;
}

async function conditionContent(request: PageRequest, name: string): Promise<PageContent> {
  const { reads } = request;
  const asWritten = { condition: name };
  const byConcept = { condition: name, match: 'concepts' };
  const [concept, written] = await Promise.all([
    reads.attempt(searchTrials, { ...byConcept, ...NEWEST }),
    reads.bare.attempt(searchTrials, { ...asWritten, pageSize: 1 }),
  ]);
  if (written instanceof FailedRead) {
    if (written.status !== 400) throw written;
    return notHeld({ name, kind: 'condition', near: [], index: INDEX });
  }
  const heading = concept instanceof FailedRead ? null : headingOf(concept, name);
  const writtenTotal = totalOf(written);
  if (heading !== null && !(concept instanceof FailedRead) && concept.data.trials.length > 0) {
    if (heading !== name) return redirect(conditionAddress(heading));
    return subjectContent(
      request,
      {
        title: heading,
        filters: byConcept,
        counts: html`about <bdi>${heading}</bdi>, by any of its names or as a narrower kind`,
        facets: ['condition', 'country', 'sponsor'],
        notes: html`<p class="hint">Names and narrower kinds by MeSH, the Disease Ontology and a reviewed table of synonyms. ${
          writtenTotal > 0 && html`Exactly “<bdi>${name}</bdi>”: ${counted(writtenTotal, searchAddress(asWritten))}.`
        }</p>${await waysToCount(reads.bare, { name: heading, topic: topicNamed(heading), heading, own: { filters: byConcept, total: totalOf(concept) } })}`,
      },
      { found: concept, canonical: conditionAddress(heading) },
    );
  }
  if (writtenTotal === 0) return unknown(request, name, concept);
  return subjectContent(
    request,
    {
      title: name,
      filters: asWritten,
      counts: html`with the condition “<bdi>${name}</bdi>” exactly as a registry writes it, in any case`,
      facets: ['country', 'sponsor'],
    },
    { found: await reads.bare.read(searchTrials, { ...asWritten, ...NEWEST }), canonical: conditionAddress(name) },
  );
}

/** The heading of the one concept that the whole name stands for. */
function headingOf(found: Found, name: string): string | null {
  const because = matchMeta(found.meta).matching?.because ?? [];
  const [only] = because;
  if (only === undefined || because.length > 1 || only.concept === null) return null;
  return only.words.toLowerCase() === name.toLowerCase() ? only.heading : null;
}

/** Headings that the name has and under which there are trials, and conditions that have it as their beginning. */
async function unknown(
  { reads: { bare: reads } }: PageRequest,
  name: string,
  concept: Found | FailedRead,
): Promise<PageContent> {
  const because = concept instanceof FailedRead ? [] : (matchMeta(concept.meta).matching?.because ?? []);
  const named = because.flatMap(({ concept: id, heading }) => (id === null || heading === null ? [] : [heading]));
  const [values, ...held] = await Promise.all([
    reads.attempt(listTrialValues, { field: 'condition', text: name, limit: NEAR_SHOWN }),
    ...[...new Set(named)].slice(0, NEAR_SHOWN).map(async (heading) => {
      const found = await reads.attempt(searchTrials, { condition: heading, match: 'concepts', pageSize: 1 });
      return !(found instanceof FailedRead) && found.data.trials.length > 0 ? [heading] : [];
    }),
  ]);
  const written = values instanceof FailedRead ? [] : values.data.values.map(({ value }) => value);
  const near = [...new Set([...held.flat(), ...written])].map(
    (one): Html => html`<a href="${conditionAddress(one)}"><bdi>${one}</bdi></a>`,
  );
  return notHeld({ name, kind: 'condition', near, index: INDEX });
}
