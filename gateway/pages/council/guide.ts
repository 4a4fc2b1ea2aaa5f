import type { OperationOutput } from '../../../contract/operation.ts';
import type { getCouncil } from '../../../contract/operations/council.ts';
import type { HowTo } from '../../../contract/schemas/finding.ts';
import { callToCopy } from '../call-to-copy.ts';
import { type Html, html } from '../html.ts';
import { facts, table } from '../parts.ts';

type Council = OperationOutput<typeof getCouncil>;

/** Procedure, rules, what can and cannot be amended, and how to take part, in the operation's own words. */
export function councilGuide(council: Council, baseUrl: string): Html {
  return html`<section aria-labelledby="procedure">
<h2 id="procedure">How it goes</h2>
<ol>${council.procedure.map(({ what, call }) => html`<li>${what} <code>${call}</code></li>`)}</ol>
<h3>Rules</h3>
<ul>${council.rules.map((rule) => html`<li>${rule}</li>`)}</ul>
<h3>Votes</h3>
${facts(Object.entries(council.voteChoices))}
</section>
<section aria-labelledby="surfaces">
<h2 id="surfaces">What can be amended, and what cannot</h2>
${amendable(council)}
${protectedSurfaces(council)}
</section>
<section aria-labelledby="take-part">
<h2 id="take-part">Propose, exercise, vote</h2>
${howTo('Propose', council.propose, baseUrl)}
${howTo('Exercise', council.exercise, baseUrl)}
${howTo('Vote', council.vote, baseUrl)}
<p>${council.discuss.text}</p>
${council.discuss.calls.map((call) => callToCopy(call, baseUrl))}
</section>`;
}

function amendable({ amendable, proposalKeys }: Council): Html {
  const keys = (names: readonly string[]) => names.map((name, place) => html`${place > 0 && ', '}<code>${name}</code>`);
  return table(
    'What can be amended',
    [
      { head: 'Kind', cell: ({ kind }) => html`<code class="whole">${kind}</code>` },
      { head: 'Effect', cell: ({ effect }) => effect },
      {
        head: 'Keys of its proposal',
        cell: ({ kind }) => {
          const { required, optional } = proposalKeys[kind];
          return html`${keys(required)}${optional.length > 0 && html`; optional: ${keys(optional)}`}`;
        },
      },
    ],
    amendable,
  );
}

function protectedSurfaces({ protectedSurfaces, changeWords }: Council): Html {
  return html`${table(
    'Protected surfaces, which no amendment changes',
    [
      { head: 'Surface', cell: ({ id }) => html`<code class="whole">${id}</code>` },
      { head: 'What it is', cell: ({ what }) => what },
      { head: 'Also known as', cell: ({ names }) => names.join(', ') },
      { head: 'Terms that belong to it', cell: ({ terms }) => terms.join(', ') },
    ],
    protectedSurfaces,
  )}
<p class="soft">Words that ask for a change, for the rule on PROTECTED_SURFACE: ${changeWords.join(', ')}.</p>`;
}

function howTo(name: string, { call, body, rules }: HowTo, baseUrl: string): Html {
  return html`<h3>${name}</h3>
${callToCopy({ call, body }, baseUrl)}
<ul>${rules.map((rule) => html`<li>${rule}</li>`)}</ul>`;
}
