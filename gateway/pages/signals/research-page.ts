import { pageOf } from '../../../contract/interfaces/pages.ts';
import { getHope } from '../../../contract/operations/trials/signals.ts';
import type { HopeRecord, ResearchItem } from '../../../contract/schemas/trials/signals.ts';
import { failedPart } from '../failure.ts';
import { type Html, html } from '../html.ts';
import { addressWith, apiCall } from '../kit/address.ts';
import { agentLink } from '../kit/agent-text.ts';
import { turning } from '../kit/list-controls.ts';
import { counted, record, section, table } from '../kit/parts.ts';
import { count, instant } from '../kit/words.ts';
import type { Page } from '../page.ts';
import { type Answered, FailedRead } from '../reads.ts';
import { named, REGISTRY_NAMES } from '../words/trials.ts';
import { givenFor, honestyNotes, KEYWORD_FIELD, refusalsOf, signalForm } from './signal-form.ts';

/** Curated research, and the running trials of one registry beside those of the index. */
export const researchPage: Page = {
  id: 'page-research',
  async respond({ reads, query }) {
    const given = givenFor(query, ['disease', 'cursor']);
    const hope = await reads.attempt(getHope, given);
    const refused = refusalsOf([hope]);
    const failed = hope instanceof FailedRead;
    const shown = failed
      ? refused.length === 0 && failedPart('The research', hope)
      : html`${researchPart(hope, given.cursor, query)}
${section('running', 'Running trials, beside the index', hopePart(hope))}`;
    return {
      ...(failed ? { status: hope.status } : {}),
      main: html`<p>Published work that people chose and reviewed, and how many trials run for each disease it is about. Attention to a disease is in <a href="/signals">the signals</a>.</p>
${signalForm('page-research', [KEYWORD_FIELD], given, refused)}
${shown}`,
      calls: [apiCall(getHope, given)],
    };
  },
};

type Hope = Answered<HopeRecord>;

/** The census of one registry beside the index, in total and by curated disease. */
function hopePart({ data: { trials, world, stats }, meta }: Hope): Html {
  return html`${
    trials &&
    html`<p>${trials.census.definition}</p>
${record([
  [`Running in ${REGISTRY_NAMES[trials.census.registry]} alone`, count(trials.census.activeTrials)],
  ['Distinct trials of the index, running', counted(world.running, '/trials?status=active')],
  ['Distinct trials of the index, all', counted(world.distinct, '/trials')],
  ...world.registries.map(
    ({ registry, state }) =>
      [REGISTRY_NAMES[registry], state === 'answered' ? 'answered' : 'no answer: nothing is known of it'] as const,
  ),
])}
<p>Running trials of one registry, beside distinct trials of both: the two overlap and must not be added.</p>
${
  trials.keyword !== null &&
  html`<p>For <q>${trials.keyword.disease}</q>: ${count(trials.keyword.activeTrials)} running in the census, ${count(trials.keyword.worldDistinct)} distinct in the index, whatever their status.</p>`
}
<details><summary>By disease</summary>${diseases(trials.diseases)}</details>`
  }
${
  stats &&
  html`<p class="soft">Held here: ${count(stats.cureResearchItems)} curated research items on ${count(stats.curatedDiseases)} diseases; snapshot made ${instant(stats.snapshotCreatedAt)}.</p>`
}
${honestyNotes(meta.honesty)}`;
}

function diseases(rows: NonNullable<HopeRecord['trials']>['diseases']): Html {
  if (rows.length === 0) return html`<p>No curated disease matches the keyword.</p>`;
  return table('Curated diseases, by name and never ranked', rows, [
    [
      'Disease',
      ({ id, title }) => html`<a href="${pageOf('page-trials').path}?topic=${encodeURIComponent(id)}">${title}</a>`,
    ],
    ['Running, census', ({ activeTrials }) => count(activeTrials), 'number'],
    [
      'Distinct in the index',
      ({ id, worldDistinct }) => counted(worldDistinct, `/trials?topic=${encodeURIComponent(id)}`),
      'number',
    ],
  ]);
}

/** Curated research, one page at a time; `cursor` is the one that the reader gave. */
function researchPart(
  { data: { research }, meta }: Hope,
  cursor: string | undefined,
  query: URLSearchParams,
): Html | false {
  if (research === undefined) return false;
  const { total, items } = research;
  const { path } = pageOf('page-research');
  const offset = meta.pagination?.offset ?? 0;
  const next = meta.pagination?.nextCursor ?? null;
  const shown =
    total === 0 ? 'No item matches the keyword.' : `${offset + 1} to ${offset + items.length} of ${count(total)}`;
  return section(
    'research',
    'Curated research',
    html`<p>Published work on restoring or replacing what a disease destroyed, in our own words, newest year first. A reviewed sample (${count(total)}), without any ranking.</p>
<ul class="cards">${items.map(card)}</ul>
${turning(
  'the research',
  cursor !== undefined && ['First items', `${addressWith(path, query, { cursor: '' })}#research`],
  next !== null && ['More items', `${addressWith(path, query, { cursor: next })}#research`],
  shown,
)}
${next === null && cursor === undefined && html`<p>${shown}</p>`}`,
  );
}

function card(item: ResearchItem): Html {
  const { title, reference, year, finding, unresolved, disease, evidenceLevel, url, reviewedOn } = item;
  return html`<li><h3>${title}</h3>
<p>${finding}</p>
${record([
  ['Not resolved', unresolved],
  ['Disease', named(disease)],
  ['Kind of evidence', evidenceLevel],
  [
    'Source',
    html`${reference}, ${year}${url === null ? '; no address of it was confirmed' : html`<br>${agentLink(url)}`}`,
  ],
  ['Reviewed', instant(reviewedOn)],
])}</li>
`;
}
