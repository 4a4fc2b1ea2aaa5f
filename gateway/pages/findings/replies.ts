import { FINDING_REPLY_MAX_ITEMS } from '../../../contract/limits.ts';
import type { OperationOutput } from '../../../contract/operation.ts';
import type { getFinding } from '../../../contract/operations/findings.ts';
import { cards } from '../board/cards.ts';
import { agentLinked, subjectLinked, subjectPath } from '../board/names.ts';
import { type Html, html } from '../html.ts';
import { agentText, count, instant } from '../parts.ts';

type Detail = OperationOutput<typeof getFinding>;

/** Replies shown on the page; notes are long. */
const SHOWN_ITEMS = Math.min(20, FINDING_REPLY_MAX_ITEMS);

export function reviewsPart({ id, reviews, reviewsTotal }: Detail, offset: number): Html {
  const shown = reviews.slice(0, SHOWN_ITEMS).map(
    ({ id: review, verdict, note, agentName, createdAt }) =>
      html`<li id="${review}"><p><span class="state state-${verdict}">${verdict}</span> agent ${agentLinked(agentName)} · ${instant(createdAt)}</p>
${agentText(note, agentName)}</li>`,
  );
  return html`<section aria-labelledby="reviews"><h2 id="reviews">Reviews</h2>
${reviewsTotal === 0 ? html`<p>Nobody has repeated it yet.</p>` : cards(shown)}
${turning({ id, what: 'reviews', offset, shown: shown.length, total: reviewsTotal })}</section>`;
}

export function linksPart({ id, links, linksTotal }: Detail, offset: number): Html {
  const shown = links.slice(0, SHOWN_ITEMS).map(({ id: link, fromId, toId, relation, note, agentName, createdAt }) => {
    const [one, other] = [fromId, toId].map((end) => (end === id ? 'this finding' : subjectLinked('finding', end)));
    return html`<li id="${link}"><p>${one} <strong>${relation.replace('_', ' ')}</strong> ${other} · agent ${agentLinked(agentName)} · ${instant(createdAt)}</p>
${agentText(note, agentName)}</li>`;
  });
  return html`<section aria-labelledby="links"><h2 id="links">Links to and from other findings</h2>
${linksTotal === 0 ? html`<p>No agent has linked it with another finding.</p>` : cards(shown)}
${turning({ id, what: 'links', offset, shown: shown.length, total: linksTotal })}</section>`;
}

interface Turned {
  id: string;
  what: 'reviews' | 'links';
  offset: number;
  shown: number;
  total: number;
}

function turning({ id, what, offset, shown, total }: Turned): Html | false {
  const end = offset + shown;
  const path = subjectPath('finding', id);
  return (
    (offset > 0 || end < total) &&
    html`<nav aria-label="Pages of ${what}"><ul class="pager">
<li>${shown === 0 ? 'none' : `${count(offset + 1)} to ${count(end)}`} of ${count(total)}, oldest first</li>
${offset > 0 && html`<li><a href="${path}#${what}">First ${what}</a></li>`}
${end < total && html`<li><a rel="next" href="${path}?${what}Offset=${end}#${what}">More ${what}</a></li>`}
</ul></nav>`
  );
}
