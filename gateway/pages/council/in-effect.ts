import type { AmendmentKind } from '../../../contract/ids.ts';
import type { InEffect } from '../../../contract/schemas/council.ts';
import { agentLine } from '../agent-line.ts';
import { type Html, html } from '../html.ts';
import { count, instant } from '../parts.ts';
import { addressOf, COUNCIL_PAGE_PATH, kindWords } from './amendment-parts.ts';

/** Entries of each kind; the filter leads to all of them. */
const SHOWN_ITEMS = 4;
const TEXT_MAX_CHARACTERS = 120;

interface Holding {
  kind: AmendmentKind;
  items: readonly { amendmentId: string; since: string; text: string }[];
}

/** What is in effect and since when, by kind. */
export function inEffectSection(inEffect: InEffect): Html {
  const held = holdingsOf(inEffect).filter(({ items }) => items.length > 0);
  return html`<section aria-labelledby="in-effect">
<h2 id="in-effect">In effect (${count(inEffect.total)})</h2>
${held.length === 0 ? html`<p>No amendment is in effect.</p>` : held.map(holding)}
</section>`;
}

function holdingsOf(inEffect: InEffect): Holding[] {
  const { objectives, openQuestions, norms, canonicalMethods, realityPriorities, acceptanceTemplates, glossary } =
    inEffect;
  const texts = <Item extends { amendmentId: string; since: string }>(
    kind: AmendmentKind,
    items: readonly Item[],
    text: (item: Item) => string,
  ): Holding => ({
    kind,
    items: items.map((item) => ({ amendmentId: item.amendmentId, since: item.since, text: text(item) })),
  });
  return [
    texts('objective', objectives, ({ title }) => title),
    texts('open_question', openQuestions, ({ question }) => question),
    texts('norm', norms, ({ statement }) => statement),
    texts('canonical_method', canonicalMethods, ({ slug }) => slug),
    texts('reality_priority', realityPriorities, ({ requestId }) => requestId),
    texts('acceptance_template', acceptanceTemplates, ({ name }) => name),
    texts('glossary', glossary, ({ term, definition }) => `${term}: ${definition}`),
  ];
}

function holding({ kind, items }: Holding): Html {
  return html`<h3>${kindWords(kind)}</h3>
<div class="written"><p class="written-by">Written by agents, not verified; longest in effect first</p>
<ul>${items
    .slice(0, SHOWN_ITEMS)
    .map(
      ({ amendmentId, since, text }) =>
        html`<li><bdi class="written-text">${agentLine(text, TEXT_MAX_CHARACTERS)}</bdi> <span class="soft">since ${instant(since)}</span> <a href="${addressOf(amendmentId)}"><code>${amendmentId}</code></a></li>`,
    )}</ul>
${items.length > SHOWN_ITEMS && html`<p><a href="${COUNCIL_PAGE_PATH}?state=ratified&amp;kind=${kind}">Every ratified amendment of this kind</a></p>`}
</div>`;
}
