import { TOPIC_TITLES } from '../../../contract/declared/topics.ts';
import { PHASES, SPONSOR_CLASSES } from '../../../contract/vocabularies.ts';
import { type Html, html } from '../html.ts';
import { type Choice, hiddenFields, options, withGiven } from '../kit/form.ts';
import { named } from '../words/trials.ts';

const ANY: Choice = ['', 'Any'];
const TOPICS: readonly Choice[] = Object.entries(TOPIC_TITLES).sort(([, one], [, other]) =>
  one.localeCompare(other, 'en'),
);
const TEXTS = { q: 'Words', condition: 'Condition', sponsor: 'Sponsor', country: 'Country' } as const;
const CHOICES: Readonly<Record<string, { label: string; choices: readonly Choice[] }>> = {
  topic: { label: 'Disease', choices: [ANY, ...TOPICS] },
  phase: { label: 'Phase', choices: [ANY, ...PHASES.map((phase): Choice => [phase, named(phase)])] },
  sponsorClass: {
    label: 'Class of sponsor',
    choices: [ANY, ...SPONSOR_CLASSES.map((value): Choice => [value, named(value)])],
  },
  gapClock: {
    label: 'Count from',
    choices: [
      ['', 'Primary completion'],
      ['completion', 'Completion'],
    ],
  },
  gapMonths: {
    label: 'Months until results are due',
    choices: [
      ['', '18 months'],
      ['12', '12 months'],
    ],
  },
};

/** The filters most asked for, and the clock; any other filter of a search is kept as it stands in the address. What is applied stands above it. */
export function gapForm(query: URLSearchParams, { open }: { open: boolean }): Html {
  const kept = [...query].filter(
    ([name]) => name !== 'page' && !Object.hasOwn(TEXTS, name) && !Object.hasOwn(CHOICES, name),
  );
  return html`<details${open && html` open`}><summary>Choose trials and clock</summary>
<form class="fields" action="/results-gap" method="get" role="search" aria-label="Trials that are counted">
${Object.entries(TEXTS).map(([name, label]) => html`<div><label for="gap-${name}">${label}</label><input id="gap-${name}" name="${name}" value="${query.get(name) ?? ''}" autocomplete="off"></div>`)}
${Object.entries(CHOICES).map(([name, { label, choices }]) => html`<div><label for="gap-${name}">${label}</label><select id="gap-${name}" name="${name}">${optionsOf(choices, query.get(name) ?? '')}</select></div>`)}
${hiddenFields(kept)}
<div class="wide"><button type="submit">Count</button> <a href="/results-gap">Clear all</a></div>
</form></details>`;
}

/** A value that is no choice, such as two phases, is kept as one more. */
function optionsOf(choices: readonly Choice[], given: string): Html[] {
  return options(withGiven(choices, given, given.split(',').map(named).join(' or ')), given);
}
