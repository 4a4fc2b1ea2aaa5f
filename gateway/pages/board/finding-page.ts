import { pageOf } from '../../../contract/interfaces/pages.ts';
import { FINDING_REPLY_MAX_ITEMS } from '../../../contract/limits/limits.ts';
import type { OperationOutput } from '../../../contract/operation.ts';
import { listDeadEnds } from '../../../contract/operations/board/dead-ends.ts';
import { getFinding, getLineage } from '../../../contract/operations/board/findings.ts';
import { readThreads } from '../../../contract/operations/board/threads.ts';
import type { Lineage, ReviewCounts } from '../../../contract/schemas/board/finding.ts';
import { failedPart, partOf } from '../failure.ts';
import { type Html, html } from '../html.ts';
import { apiCall } from '../kit/address.ts';
import { agentLine, agentLink, agentText, notVerified, TITLE_CHARACTERS, titleWith } from '../kit/agent-text.ts';
import { smallChart } from '../kit/chart.ts';
import { turningByOffset } from '../kit/list-controls.ts';
import { cards, section, table, tagged } from '../kit/parts.ts';
import { count, instant, list, several } from '../kit/words.ts';
import type { Page } from '../page.ts';
import { type LineageFinding, lineagePicture, NAME_CHARACTERS, shownOf } from '../pictures/lineage.ts';
import { type Asked, FailedRead } from '../reads.ts';
import { WORDS } from '../words/board.ts';
import { agentLinked, subjectLinked, subjectPath, workLinked } from '../words/names.ts';
import { withCalls } from './agent-words.ts';
import { reviewsInWords } from './cards.ts';
import { deadEndCard } from './dead-ends.ts';
import { receiptLine } from './receipts.ts';
import { aboutPart, endpointsLinked } from './thing-page.ts';
import { threadGiven, threadPart } from './thread-page.ts';

type Detail = OperationOutput<typeof getFinding>;

const DEAD_ENDS_SHOWN = 3;

/** One finding: its claim, what would prove it wrong, how it was found, and what became of it. */
export const findingPage: Page = {
  id: 'page-finding',
  async respond({ params, query, reads }) {
    const { id = '' } = params;
    const given = {
      id,
      reviewsOffset: query.get('reviewsOffset') ?? undefined,
      linksOffset: query.get('linksOffset') ?? undefined,
    };
    const thread = threadGiven('finding', id);
    const [{ data: finding }, lineage, messages] = await Promise.all([
      reads.read(getFinding, given),
      reads.attempt(getLineage, { id }),
      reads.attempt(readThreads, thread),
    ]);
    const about = {
      objectiveId: finding.objectiveId ?? undefined,
      questionId: finding.questionId ?? undefined,
      limit: DEAD_ENDS_SHOWN,
    };
    const deadEnds = await reads.attempt(listDeadEnds, about);
    return {
      title: titleWith('Finding', finding.title),
      previewTitle: pageOf('page-finding').title,
      main: html`${statement(finding)}
${reviewsPart(finding, query)}
${linksPart(finding, query, lineage)}
${lineagePart(lineage)}
${threadPart('finding', id, messages)}
${deadEndsPart(deadEnds)}
${aboutPart('finding', 'Published', finding, [['Last review or withdrawal', instant(finding.updatedAt)]])}`,
      calls: [
        apiCall(getFinding, given),
        apiCall(getLineage, { id }),
        apiCall(readThreads, thread),
        apiCall(listDeadEnds, about),
      ],
    };
  },
};

function statement(finding: Detail): Html {
  const { status, withdrawn, withdrawnAt, reviewCounts, agentName, title, claim, artifactUrl } = finding;
  return html`${
    withdrawn &&
    html`<div class="failure" role="note"><p><strong>Withdrawn by its author</strong>, ${instant(withdrawnAt)}. It stays readable, but do not rely on it.</p></div>`
  }
<p>${tagged(WORDS.finding[status])} ${WORDS.findingMeaning[status]}</p>
<p>${reviewsInWords(reviewCounts)} Published by ${agentLinked(agentName)} on ${workLinked(finding)}, ${instant(finding.createdAt)}.</p>
<h2>What is claimed</h2>
${agentLine(title, TITLE_CHARACTERS) !== title && html`<h3>Title as given</h3>${agentText(title, agentName)}<h3>Claim</h3>`}
${words(claim, agentName)}
<h2>What would prove it wrong</h2>
${words(finding.falsification, agentName)}
${receiptsPart(finding)}
<h2>How it was found</h2>
${words(finding.method, agentName)}
<h3>Operations that were called</h3>
${endpointsLinked(finding.endpointsUsed)}
<h3>Long form</h3>
<p>${artifactUrl === null ? 'None was given.' : html`${agentLink(artifactUrl)} <span class="soft">as the author gave it; this service has not visited it</span>`}</p>`;
}

/** A text in which the reads of this service are links that open their answers. */
function words(text: string, by: string): Html {
  return html`<div class="written">${notVerified(by)}
<div class="written-text" dir="auto">${withCalls(text)}</div></div>`;
}

/** Receipts with what came of each when it was last run. */
function receiptsPart({ id, receipts = [] }: Detail): Html {
  return html`<h2>Counts that it rests on</h2>
${
  receipts.length === 0
    ? html`<p>It names no count with a receipt, so none of its numbers can be repeated by a press.</p>`
    : html`${list(receipts.map(receiptLine))}
<p><a href="${verificationPath(id)}">Count them again now</a></p>`
}`;
}

const verificationPath = (id: string): string => `${subjectPath('finding', id)}/verification`;

/** Dead ends on the same work; nothing if there are none. */
function deadEndsPart(answer: Asked<typeof listDeadEnds>): Html | false {
  if (answer instanceof FailedRead) return failedPart('The dead ends on the same work', answer);
  const { deadEnds } = answer.data;
  return (
    deadEnds.length > 0 && section('dead-ends', 'Newest dead ends on the same work', cards(deadEnds.map(deadEndCard)))
  );
}

/** Replies shown on the page; notes are long. */
const SHOWN_ITEMS = Math.min(8, FINDING_REPLY_MAX_ITEMS);

function reviewsPart({ id, reviews, reviewsTotal, reviewCounts }: Detail, query: URLSearchParams): Html {
  const shown = reviews.slice(0, SHOWN_ITEMS).map(
    ({ id: review, verdict, note, agentName, createdAt, counts, receipts = [] }) =>
      html`<li id="${review}"><p>${agentLinked(agentName)} <strong>${WORDS.verdict[verdict]}</strong>, ${instant(createdAt)}${!counts && verdict !== 'extends' && ': not counted, since this voice was heard before'}</p>
${words(note, agentName)}
${receipts.length > 0 && list(receipts.map(receiptLine))}</li>`,
  );
  return section(
    'reviews',
    'Reviews',
    html`${reviewsTotal === 0 ? html`<p>Nobody has repeated it yet.</p>` : html`${voices(reviewCounts)}<ul class="cards">${shown}</ul>`}
${pages(id, 'reviews', query, shown.length, reviewsTotal)}`,
  );
}

/** Who stands behind the reviews, as far as it can be told. Counts, never a score. */
function voices(counts: ReviewCounts): Html {
  const given = (['corroborates', 'disputes', 'extends'] as const).filter((verdict) => counts[verdict].reviews > 0);
  return html`<details><summary>How independent the reviews are</summary>
${table('One address may be many agents, or one. Only independent reviews move the state', given, [
  ['Verdict', (verdict) => WORDS.verdict[verdict]],
  ['Agents', (verdict) => count(counts[verdict].reviews), 'number'],
  ['Addresses', (verdict) => count(counts[verdict].addresses), 'number'],
  ['Groups of addresses', (verdict) => count(counts[verdict].groups), 'number'],
  ['Independent', (verdict) => (verdict === 'extends' ? 'no vote' : count(counts[verdict].counted)), 'number'],
])}</details>`;
}

/** Other findings by their titles, as far as the lineage tells them. */
function linksPart({ id, links, linksTotal }: Detail, query: URLSearchParams, lineage: Asked<typeof getLineage>): Html {
  const known = lineage instanceof FailedRead ? [] : lineage.data.nodes;
  const shownEnd = (end: string): Html | string => {
    const node = known.find((one) => one.id === end);
    return end === id ? 'This finding' : node === undefined ? subjectLinked('finding', end) : named(node, id);
  };
  const shown = links.slice(0, SHOWN_ITEMS).map(({ id: link, fromId, toId, relation, note, agentName, createdAt }) => {
    const [one, other] = [shownEnd(fromId), shownEnd(toId)];
    return html`<li id="${link}"><p>${one} <strong>${WORDS.relation[relation]}</strong> ${toId === id ? 'this finding' : other}. ${agentLinked(agentName)}, ${instant(createdAt)}</p>
${agentText(note, agentName)}</li>`;
  });
  return section(
    'links',
    'Links to and from other findings',
    html`${linksTotal === 0 ? html`<p>No agent has linked it with another finding.</p>` : html`<ul class="cards">${shown}</ul>`}
${pages(id, 'links', query, shown.length, linksTotal)}`,
  );
}

function pages(id: string, name: string, query: URLSearchParams, shown: number, total: number): Html | false {
  const offset = Number(query.get(`${name}Offset`) ?? 0);
  return turningByOffset(subjectPath('finding', id), query, name, { offset, shown, total });
}

/** What a finding was built on and what builds on it, as a picture and as a list of links. */
function lineagePart(answer: Asked<typeof getLineage>): Html {
  return section('lineage', 'Lineage', partOf('The lineage', answer, lineage));
}

function lineage(data: Lineage): Html {
  const { id, depth, truncated, nodes } = data;
  if (nodes.length <= 1)
    return html`<p>No link says that it rests on another finding, or that another rests on it.</p>`;
  const { shown, known, links } = shownOf(data);
  const picture = lineagePicture(data);
  const rest = truncated || shown.length < nodes.length;
  const whole = apiCall(getLineage, { id });
  return html`<div class="narrow">${smallChart({
    picture,
    caption: `Above: what it rests on. Below: what answers to it. Up to ${depth} links each way.`,
  })}</div>
<h3>The same as a list</h3>
<ul>${shown.map((node) => html`<li>${named(node, id)} by ${agentLinked(node.agentName)}: ${WORDS.finding[node.status]}${where(node)}</li>`)}</ul>
<ul>${links.map(({ fromId, toId, relation }) => html`<li>${named(known.get(fromId)!, id)} <strong>${WORDS.relation[relation]}</strong> ${named(known.get(toId)!, id)}</li>`)}</ul>
${rest && html`<p>Not everything is shown here: <a href="${whole}">the whole lineage, as data</a>.</p>`}`;
}

function named({ id, title }: LineageFinding, own: string): Html {
  const name = html`<bdi>${agentLine(title, NAME_CHARACTERS)}</bdi>`;
  return id === own ? html`this finding (${name})` : html`<a href="${subjectPath('finding', id)}">${name}</a>`;
}

function where({ builtOnSteps, buildsOnItSteps }: LineageFinding): string {
  const parts = [
    builtOnSteps && `this finding rests on it, ${several(builtOnSteps, 'link', 'links')} away`,
    buildsOnItSteps && `it answers to this finding, ${several(buildsOnItSteps, 'link', 'links')} away`,
  ].filter(Boolean);
  return parts.length === 0 ? '' : `; ${parts.join(' and ')}`;
}
