import type { RegistrationFieldsRecord, TrialRecord } from '../../../contract/schemas/trials/trial.ts';
import { type Html, html } from '../html.ts';
import { record } from '../kit/parts.ts';
import { count, instant, joined } from '../kit/words.ts';
import { named, outside, REGISTRY_NAMES } from '../words/trials.ts';
import { charactersIn, type Extent, openIn } from './extent.ts';
import { foldedProse, prose } from './prose.ts';

/** What the registrations of a trial tell of the study: prose, who may take part, arms, outcomes, design, sharing. */

type Fields = RegistrationFieldsRecord;
type Shown = Html | null;

/** A detail by its name; null where the registration states nothing of it. */
type Detail = readonly [title: string, show: (fields: Fields, extent: Extent) => Shown];

/** A text longer than this stands in lines of its own. */
const LINE_MAX_CHARACTERS = 200;

/** Details with their names; one that no registration states is left out. Null if none is stated. */
function detailsOf(details: readonly Detail[], trial: TrialRecord, extent: Extent): Html | null {
  const rows = statedOf(details, trial, extent);
  if (rows.length === 0) return null;
  return record(rows, 'stacked');
}

function statedOf(details: readonly Detail[], trial: TrialRecord, extent: Extent): [string, Html][] {
  return details.flatMap(([title, show]): [string, Html][] => {
    const value = bySource(trial, (fields) => show(fields, extent));
    return value === null ? [] : [[title, value]];
  });
}

/** What each registration states; the same statement of both is shown once. Null if none states it. */
function bySource({ registrations }: TrialRecord, show: (fields: Fields) => Shown): Shown {
  const stated = registrations.flatMap(({ registry, fields }) => {
    const shown = show(fields);
    return shown === null ? [] : [{ name: REGISTRY_NAMES[registry], shown }];
  });
  const [first, second] = stated;
  if (first === undefined) return null;
  if (registrations.length === 1) return first.shown;
  if (second === undefined) return said(`${first.name} only`, first.shown);
  if (first.shown.text === second.shown.text) return said('both registries', first.shown);
  return html`${stated.map(({ name, shown }) => said(name, shown))}`;
}

const said = (by: string, shown: Html): Html => html`<div><span class="soft">${by}:</span> ${shown}</div>`;

const nothing = (what: string): Html => html`<p class="soft">${what}: not stated.</p>`;

/** One text: prose where it has several lines or sentences, else a line. */
function words(text: string | null, extent: Extent): Shown {
  if (text === null) return null;
  return text.includes('\n') || text.length > LINE_MAX_CHARACTERS
    ? prose(text, extent)
    : html`<bdi>${extent.text(text)}</bdi>`;
}

function items<Item>(all: readonly Item[], extent: Extent, show: (item: Item) => Html): Shown {
  if (all.length === 0) return null;
  const shown = extent.of(all);
  return all.length === 1 ? show(all[0]!) : html`<ul>${shown.map((item) => html`<li>${show(item)}</li>`)}</ul>`;
}

function inOneLine(all: readonly string[], extent: Extent): Shown {
  if (all.length === 0) return null;
  return joined(
    extent.of(all).map((text) => html`<bdi>${extent.text(text)}</bdi>`),
    '; ',
  );
}

/** A value of a closed vocabulary, unless the registry states none. */
const word = (value: string | null): Shown => (value === null || value === 'not-stated' ? null : html`${named(value)}`);

const prosaic = (title: string, value: (fields: Fields) => string | null): Detail => [
  title,
  (fields, extent) => words(value(fields), extent),
];

const terms = (title: string, name: 'conditionMesh' | 'interventionMesh'): Detail => [
  title,
  (fields, extent) =>
    inOneLine(
      fields[name].map(({ term, id }) => (id === null ? term : `${term} (${id})`)),
      extent,
    ),
];

export function summary(trial: TrialRecord, extent: Extent): Html {
  return html`${bySource(trial, ({ briefSummary }) => (briefSummary === null ? null : foldedProse(briefSummary, extent))) ?? nothing('Summary')}
${folded('Keywords and MeSH terms', detailsOf(TERMS, trial, extent))}`;
}

const TERMS: readonly Detail[] = [
  ['Keywords', ({ keywords }, room) => inOneLine(keywords, room)],
  terms('Conditions in MeSH', 'conditionMesh'),
  terms('Interventions in MeSH', 'interventionMesh'),
];

function folded(title: string, content: Html | null): Html | false {
  return content !== null && html`<details><summary>${title}</summary>${content}</details>`;
}

export function eligibility(trial: TrialRecord, extent: Extent): Html {
  const { eligibilityText: text } = trial;
  return html`${record(statedOf(WHO, trial, extent))}
${text === null ? nothing('Criteria') : html`${criteria(text, extent)}`}`;
}

function criteria(text: string, extent: Extent): Html {
  const isOpen = text.length <= OPEN_MAX_CHARACTERS || extent.opens(text.length);
  return html`<details${isOpen && html` open`}><summary>Criteria, as the registry words them</summary>${prose(text, extent)}</details>`;
}

const WHO: readonly Detail[] = [
  ['Sex', ({ eligibility: { sex } }) => word(sex)],
  ['Age', (fields) => ages(fields.eligibility)],
  [
    'Healthy volunteers',
    ({ eligibility: { healthyVolunteers: healthy } }) =>
      healthy === null ? null : html`${healthy ? 'May take part' : 'May not take part'}`,
  ],
];

/** Criteria up to this length are not folded away. */
const OPEN_MAX_CHARACTERS = 400;

function ages({ minimumAge, maximumAge, minimumAgeRaw, maximumAgeRaw }: Fields['eligibility']): Shown {
  const years = (age: number): string => (age === 1 ? '1 year' : `${age} years`);
  // Ages under a year read better in the registry's own unit.
  const from = minimumAge === null || minimumAge < 1 ? minimumAgeRaw : years(minimumAge);
  const to = maximumAge === null || maximumAge < 1 ? maximumAgeRaw : years(maximumAge);
  if (from === null && to === null) return null;
  if (to === null) return html`<bdi>${from}</bdi> and older`;
  return from === null ? html`up to <bdi>${to}</bdi>` : html`<bdi>${from}</bdi> to <bdi>${to}</bdi>`;
}

export function arms(trial: TrialRecord, extent: Extent): Html {
  const shown = [
    openIfShort(
      { title: 'Arms', number: numberOf(trial, 'arms'), extent },
      bySource(trial, (fields) => armList(fields, extent)),
    ),
    openIfShort(
      { title: 'Interventions', number: numberOf(trial, 'interventions'), extent },
      bySource(trial, (fields) => interventions(fields, extent)),
    ),
  ].filter((part) => part !== false);
  return shown.length === 0 ? nothing('Arms and interventions') : html`${shown}`;
}

function armList({ arms: all }: Fields, extent: Extent): Shown {
  return items(
    all,
    extent,
    ({ label, type, description, interventionNames }) =>
      html`<strong><bdi>${extent.text(label)}</bdi></strong>${type !== null && ` (${named(type).toLowerCase()})`}${interventionNames.length > 0 && html`: ${inOneLine(interventionNames, extent)}`}${description !== null && html`<br><span class="soft"><bdi>${extent.text(description)}</bdi></span>`}`,
  );
}

/** A list with more letters than this is folded away, so that a reader of a phone can pass it by. */
const OPEN_LIST_MAX_CHARACTERS = 420;

/** A titled list, folded away where it is long; its number of items stands in the title. */
function openIfShort(
  { title, number, extent }: { title: string; number: number; extent: Extent },
  content: Html | null,
): Html | false {
  if (content === null) return false;
  const characters = charactersIn(content);
  if (characters <= OPEN_LIST_MAX_CHARACTERS) return html`<h3>${title}</h3>${content}`;
  return html`<details${extent.opens(characters) && html` open`}><summary>${title}${number > 1 && `: ${count(number)}`}</summary>${content}</details>`;
}

/** Items that the registration with the longest list states. */
function numberOf({ registrations }: TrialRecord, name: 'arms' | 'interventions' | OutcomeList): number {
  return Math.max(...registrations.map(({ fields }) => fields[name].length));
}

/** Each intervention with its description; one that the registry gives for several or for none stands by itself. */
function interventions({ interventions: all, interventionDescriptions }: Fields, extent: Extent): Shown {
  const isOf = (name: string | null) => (names: readonly string[]) =>
    names.length === 1 && name !== null && (names[0] === name || names[0]!.endsWith(`: ${name}`));
  const described = all.map((one) => ({
    ...one,
    prose: interventionDescriptions.find(({ names }) => isOf(one.name)(names))?.description ?? null,
  }));
  const used = new Set(described.map(({ prose: words }) => words));
  const others = interventionDescriptions.filter(({ description }) => !used.has(description));
  if (all.length === 0 && others.length === 0) return null;
  return html`${items(
    described,
    extent,
    ({ type, name, otherNames, prose: words }) =>
      html`<bdi>${extent.text(name ?? 'no name stated')}</bdi>${type !== null && ` (${type})`}${otherNames.length > 0 && html`, also called ${inOneLine(otherNames, extent)}`}${words !== null && html`<br><span class="soft"><bdi>${extent.text(words)}</bdi></span>`}`,
  )}
${folded(
  'Interventions in prose',
  items(
    others,
    extent,
    ({ names, description }) =>
      html`${names.length > 0 && html`${inOneLine(names, extent)}: `}<bdi>${extent.text(description)}</bdi>`,
  ),
)}`;
}

type OutcomeList = 'primaryOutcomes' | 'secondaryOutcomes' | 'otherOutcomes';
const OUTCOMES: readonly (readonly [OutcomeList, string])[] = [
  ['primaryOutcomes', 'Primary outcomes'],
  ['secondaryOutcomes', 'Secondary outcomes'],
  ['otherOutcomes', 'Other outcomes'],
];

/** What is measured and when; the primary outcomes at least by the name of the first. */
export function outcomes(trial: TrialRecord, extent: Extent): Html {
  return html`${OUTCOMES.map(([name, title]) => {
    const shown = bySource(trial, (fields) => outcomeList(fields[name], extent));
    if (shown === null) return name !== 'otherOutcomes' && nothing(title);
    const number = numberOf(trial, name);
    if (name === 'primaryOutcomes') return openIfShort({ title: primaryTitle(trial, number), number, extent }, shown);
    return html`<details${extent.opens(charactersIn(shown)) && html` open`}><summary>${title}: ${count(number)}</summary>${shown}</details>`;
  })}`;
}

function primaryTitle({ registrations }: TrialRecord, number: number): string {
  const first = registrations.flatMap(({ fields }) => fields.primaryOutcomes)[0]?.measure ?? '';
  const name = number === 1 ? 'Primary outcome' : 'Primary outcomes';
  const words = first.length > FIRST_MAX_CHARACTERS ? `${first.slice(0, FIRST_MAX_CHARACTERS).toWellFormed()}…` : first;
  return number === 1 ? name : `${name}, first “${words}”`;
}

const FIRST_MAX_CHARACTERS = 120;

function outcomeList(all: Fields[OutcomeList], extent: Extent): Shown {
  return items(
    all,
    extent,
    ({ measure, timeFrame, description }) =>
      html`<bdi>${extent.text(measure)}</bdi> <span class="soft">[time frame: ${timeFrame === null ? 'not stated' : html`<bdi>${extent.text(timeFrame)}</bdi>`}]</span>${
        description !== null &&
        description !== measure &&
        html`<br><span class="soft"><bdi>${extent.text(description)}</bdi></span>`
      }`,
  );
}

const organisations = (title: string, name: 'sponsors' | 'collaborators' | 'funders'): Detail => [
  title,
  (fields, extent) =>
    items(
      fields[name],
      extent,
      (one) =>
        html`<bdi>${extent.text(one.name)}</bdi>${one.class !== 'unknown' && html` <span class="soft">(${named(one.class)})</span>`}`,
    ),
];

const DESIGN: readonly Detail[] = [
  ['Allocation', ({ design }) => word(design.allocation)],
  [
    'Masking',
    ({ design: { masking, maskedParties } }, extent) => {
      const shown = word(masking);
      return shown === null || maskedParties.length === 0 ? shown : html`${shown}: ${inOneLine(maskedParties, extent)}`;
    },
  ],
  prosaic('Masking in prose', ({ design }) => design.maskingDescription),
  ['Purpose', ({ design }, extent) => inOneLine(design.purposes.map(named), extent)],
  ['Model', ({ design: { interventionModel: model } }) => word(model)],
  ['Observational model', ({ design: { observationalModel: model } }) => word(model)],
  prosaic('Design in prose', ({ design }) => design.prose),
];

const SHARING: readonly Detail[] = [
  ['Data of participants', ({ ipdSharing }) => word(ipdSharing.plan)],
  prosaic('Statement', ({ ipdSharing }) => ipdSharing.statement),
  ['Also', ({ ipdSharing }, extent) => inOneLine(ipdSharing.types, extent)],
  prosaic('When', ({ ipdSharing }) => ipdSharing.timeFrame),
  prosaic('For whom', ({ ipdSharing }) => ipdSharing.access),
  ['Page about it', ({ ipdSharing: { url } }) => (url === null ? null : html`<bdi>${outside(url, url)}</bdi>`)],
  [
    'Documents',
    ({ documents }, extent) =>
      items(
        documents,
        extent,
        ({ type, label, date, url }) =>
          html`<bdi>${outside(url, label ?? type ?? 'Document')}</bdi>${label !== null && type !== null && html` <span class="soft">(<bdi>${type}</bdi>)</span>`}${date !== null && html`, ${instant(date)}`}`,
      ),
  ],
];

const ORGANISATIONS: readonly Detail[] = [
  organisations('Sponsors', 'sponsors'),
  organisations('Collaborators', 'collaborators'),
  organisations('Funders', 'funders'),
];

/** How it is made, who runs and pays for it, what is shared: each folded away. */
export function design(trial: TrialRecord, extent: Extent): Html {
  const parts = [
    ['How it is made', DESIGN],
    ['Who runs and pays for it', ORGANISATIONS],
    ['What is shared', SHARING],
  ] as const;
  return html`${parts.map(([title, details]) => {
    const shown = detailsOf(details, trial, extent);
    return html`<details${openIn(extent)}><summary>${title}</summary>${shown ?? nothing(title)}</details>`;
  })}`;
}

/** Numbers that the registrations state for the study besides their own. */
export function otherNumbers(trial: TrialRecord, extent: Extent): Html | null {
  return detailsOf(
    [
      [
        'Numbers as stated',
        ({ secondaryIds }, room) =>
          items(
            secondaryIds,
            room,
            ({ id, type, domain, link }) =>
              html`<code><bdi>${outside(link, id)}</bdi></code>${[type, domain].map((part) => part !== null && html` <span class="soft">(<bdi>${room.text(part)}</bdi>)</span>`)}`,
          ),
      ],
    ],
    trial,
    extent,
  );
}
