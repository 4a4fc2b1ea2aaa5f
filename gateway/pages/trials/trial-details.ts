import type { RegistrationFieldsRecord, TrialRecord } from '../../../contract/schemas/trial.ts';
import { type Html, html } from '../html.ts';
import { instant, joined } from '../kit/words.ts';
import { cut, named, outside, REGISTRY_NAMES } from './words.ts';

/** What only the registrations of a trial show: prose, people who may take part, arms, outcomes, design, sites, sharing. */

const PROSE_MAX_CHARACTERS = 2_000;
const LINE_MAX_CHARACTERS = 400;
const ITEMS_SHOWN = 12;
const SITES_SHOWN = 15;

type Fields = RegistrationFieldsRecord;
type Shown = Html | null;

interface Detail {
  title: string;
  /** Null where the registration states nothing. */
  show: (fields: Fields) => Shown;
}

interface DetailGroup {
  id: string;
  title: string;
  details: readonly Detail[];
}

/** Every detail that a registration states, by its theme; a detail that none states is left out. */
export function details(trial: TrialRecord): Html {
  const groups = GROUPS.map((group) => ({ ...group, rows: group.details.flatMap((one) => rowOf(one, trial)) }));
  const stated = groups.filter(({ rows, id }) => rows.length > 0 || (id === 'who' && trial.eligibilityText !== null));
  return html`<section aria-labelledby="study"><h2 id="study">The study</h2>
${stated.length === 0 && html`<p>The registrations state nothing further.</p>`}
${stated.map(
  ({ id, title, rows }) => html`<h3 id="study-${id}">${title}</h3>
<dl>${rows.map(([name, value]) => html`<dt>${name}</dt><dd>${value}</dd>`)}</dl>
${id === 'who' && eligibility(trial.eligibilityText)}`,
)}</section>`;
}

const ELIGIBILITY_MAX_CHARACTERS = 10_000;

function eligibility(text: string | null): Html {
  if (text === null) return html`<p class="soft">Eligibility: not stated.</p>`;
  return html`<details><summary>Eligibility, as the registry words it</summary>${prose(text, ELIGIBILITY_MAX_CHARACTERS)}</details>`;
}

/** What each registration states; the same statement of both is shown once. */
function rowOf({ title, show }: Detail, { registrations }: TrialRecord): [string, Html][] {
  const stated = registrations.flatMap(({ registry, fields }) => {
    const shown = show(fields);
    return shown === null ? [] : [{ name: REGISTRY_NAMES[registry], shown }];
  });
  const [first, second] = stated;
  if (first === undefined) return [];
  if (registrations.length === 1) return [[title, first.shown]];
  if (second === undefined) return [[title, said(`${first.name} only`, first.shown)]];
  if (first.shown.text === second.shown.text) return [[title, said('both registries', first.shown)]];
  return [[title, html`${stated.map(({ name, shown }) => said(name, shown))}`]];
}

function said(by: string, shown: Html): Html {
  return html`<div><span class="soft">${by}:</span> ${shown}</div>`;
}

function prose(text: string, max = PROSE_MAX_CHARACTERS): Html {
  return html`<pre class="prose"><bdi>${cut(text, max)}</bdi></pre>`;
}

/** One text: prose where it has several lines or sentences, else a line. */
function words(text: string | null): Shown {
  if (text === null) return null;
  return text.includes('\n') || text.length > LINE_MAX_CHARACTERS ? prose(text) : html`<bdi>${text}</bdi>`;
}

function items<Item>(all: readonly Item[], show: (item: Item) => Html, max = ITEMS_SHOWN): Shown {
  if (all.length === 0) return null;
  const [only] = all;
  if (all.length === 1) return show(only!);
  const left = all.length - max;
  return html`<ul>${all.slice(0, max).map((item) => html`<li>${show(item)}</li>`)}${left > 0 && html`<li>… and ${left} more</li>`}</ul>`;
}

function inOneLine(all: readonly string[]): Shown {
  if (all.length === 0) return null;
  const left = all.length - 2 * ITEMS_SHOWN;
  return html`${joined(all.slice(0, 2 * ITEMS_SHOWN).map(bdi), '; ')}${left > 0 && `; … and ${left} more`}`;
}

function bdi(text: string): Html {
  return html`<bdi>${cut(text, LINE_MAX_CHARACTERS)}</bdi>`;
}

/** A value of a closed vocabulary, unless the registry states none. */
function word(value: string | null): Shown {
  return value === null || value === 'not-stated' ? null : html`${named(value)}`;
}

const prosaic = (title: string, value: (fields: Fields) => string | null): Detail => ({
  title,
  show: (fields) => words(value(fields)),
});

const outcomes = (title: string, name: 'primaryOutcomes' | 'secondaryOutcomes' | 'otherOutcomes'): Detail => ({
  title,
  show: (fields) =>
    items(
      fields[name],
      ({ measure, timeFrame, description }) =>
        html`${bdi(measure)}${timeFrame !== null && html` <span class="soft">[<bdi>${cut(timeFrame, LINE_MAX_CHARACTERS)}</bdi>]</span>`}${
          description !== null &&
          description !== measure &&
          html`<br><span class="soft"><bdi>${cut(description, LINE_MAX_CHARACTERS)}</bdi></span>`
        }`,
    ),
});

const organisations = (title: string, name: 'sponsors' | 'collaborators' | 'funders'): Detail => ({
  title,
  show: (fields) =>
    items(
      fields[name],
      (one) =>
        html`${bdi(one.name)}${one.class !== 'unknown' && html` <span class="soft">(${named(one.class)})</span>`}`,
    ),
});

const terms = (title: string, name: 'conditionMesh' | 'interventionMesh'): Detail => ({
  title,
  show: (fields) => inOneLine(fields[name].map(({ term, id }) => (id === null ? term : `${term} (${id})`))),
});

function ages({ minimumAge, maximumAge, minimumAgeRaw, maximumAgeRaw }: Fields['eligibility']): Shown {
  const years = (age: number): string => (age === 1 ? '1 year' : `${age} years`);
  // Ages under a year read better in the registry's own unit.
  const from = minimumAge === null || minimumAge < 1 ? minimumAgeRaw : years(minimumAge);
  const to = maximumAge === null || maximumAge < 1 ? maximumAgeRaw : years(maximumAge);
  if (from === null && to === null) return null;
  if (to === null) return html`<bdi>${from}</bdi> and older`;
  return from === null ? html`up to <bdi>${to}</bdi>` : html`<bdi>${from}</bdi> to <bdi>${to}</bdi>`;
}

function place({ facility, city, state, country, status }: Fields['sites'][number]): Html {
  const parts = [facility, city, state, country].filter((part) => part !== null);
  return html`${bdi(parts.join(', ') || 'a place without a name')}${status !== null && html` <span class="soft">(${named(status)})</span>`}`;
}

/** Enrols, intervenes and measures in this order, as a reader asks. */
const GROUPS: readonly DetailGroup[] = [
  {
    id: 'about',
    title: 'What it is about',
    details: [
      prosaic('Summary', ({ briefSummary }) => briefSummary),
      prosaic('Why it stopped', ({ whyStopped }) => whyStopped),
      { title: 'Keywords', show: ({ keywords }) => inOneLine(keywords) },
      terms('Conditions in MeSH', 'conditionMesh'),
      terms('Interventions in MeSH', 'interventionMesh'),
    ],
  },
  {
    id: 'who',
    title: 'Who can take part',
    details: [
      { title: 'Sex', show: ({ eligibility: { sex } }) => word(sex) },
      { title: 'Age', show: (fields) => ages(fields.eligibility) },
      {
        title: 'Healthy volunteers',
        show: ({ eligibility: { healthyVolunteers: healthy } }) =>
          healthy === null ? null : html`${healthy ? 'May take part' : 'May not take part'}`,
      },
    ],
  },
  {
    id: 'arms',
    title: 'What participants receive',
    details: [
      {
        title: 'Arms',
        show: ({ arms }) =>
          items(
            arms,
            ({ label, type, description, interventionNames }) =>
              html`<strong>${bdi(label)}</strong>${type !== null && ` (${named(type).toLowerCase()})`}${interventionNames.length > 0 && html`: ${inOneLine(interventionNames)}`}${description !== null && html`<br><span class="soft">${bdi(description)}</span>`}`,
          ),
      },
      {
        title: 'Interventions in prose',
        show: ({ interventionDescriptions }) =>
          items(
            interventionDescriptions,
            ({ names, description }) => html`${names.length > 0 && html`${inOneLine(names)}: `}${bdi(description)}`,
          ),
      },
    ],
  },
  {
    id: 'measured',
    title: 'What is measured',
    details: [
      outcomes('Primary outcomes', 'primaryOutcomes'),
      outcomes('Secondary outcomes', 'secondaryOutcomes'),
      outcomes('Other outcomes', 'otherOutcomes'),
    ],
  },
  {
    id: 'design',
    title: 'How it is made',
    details: [
      { title: 'Allocation', show: ({ design }) => word(design.allocation) },
      {
        title: 'Masking',
        show: ({ design: { masking, maskedParties } }) => {
          const shown = word(masking);
          return shown === null || maskedParties.length === 0 ? shown : html`${shown}: ${inOneLine(maskedParties)}`;
        },
      },
      prosaic('Masking in prose', ({ design }) => design.maskingDescription),
      { title: 'Purpose', show: ({ design }) => inOneLine(design.purposes.map(named)) },
      { title: 'Model', show: ({ design: { interventionModel: model } }) => word(model) },
      { title: 'Observational model', show: ({ design: { observationalModel: model } }) => word(model) },
      prosaic('Design in prose', ({ design }) => design.prose),
    ],
  },
  {
    id: 'organisations',
    title: 'Who runs and pays for it',
    details: [
      organisations('Sponsors', 'sponsors'),
      organisations('Collaborators', 'collaborators'),
      organisations('Funders', 'funders'),
    ],
  },
  {
    id: 'sites',
    title: 'Where it takes place',
    details: [{ title: 'Sites', show: ({ sites }) => items(sites, place, SITES_SHOWN) }],
  },
  {
    id: 'sharing',
    title: 'What is shared',
    details: [
      { title: 'Data of participants', show: ({ ipdSharing }) => word(ipdSharing.plan) },
      prosaic('Statement', ({ ipdSharing }) => ipdSharing.statement),
      { title: 'Also', show: ({ ipdSharing }) => inOneLine(ipdSharing.types) },
      prosaic('When', ({ ipdSharing }) => ipdSharing.timeFrame),
      prosaic('For whom', ({ ipdSharing }) => ipdSharing.access),
      {
        title: 'Page about it',
        show: ({ ipdSharing: { url } }) => (url === null ? null : html`<bdi>${outside(url, url)}</bdi>`),
      },
      {
        title: 'Documents',
        show: ({ documents }) =>
          items(
            documents,
            ({ type, label, date, url }) =>
              html`<bdi>${outside(url, label ?? type ?? 'Document')}</bdi>${label !== null && type !== null && html` <span class="soft">(<bdi>${type}</bdi>)</span>`}${date !== null && html`, ${instant(date)}`}`,
          ),
      },
    ],
  },
  {
    id: 'numbers',
    title: 'Its other numbers',
    details: [
      {
        title: 'As stated',
        show: ({ secondaryIds }) =>
          items(
            secondaryIds,
            ({ id, type, domain, link }) =>
              html`<code><bdi>${outside(link, id)}</bdi></code>${[type, domain].map((part) => part !== null && html` <span class="soft">(<bdi>${cut(part, LINE_MAX_CHARACTERS)}</bdi>)</span>`)}`,
          ),
      },
    ],
  },
];
