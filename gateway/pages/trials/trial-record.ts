import type { RegistrationFieldsRecord, TrialRecord } from '../../../contract/schemas/trial.ts';
import { type Html, html } from '../html.ts';
import { record } from '../kit/record.ts';
import { type Column, table } from '../kit/table.ts';
import { code, joined } from '../kit/words.ts';
import { enrolled, labels } from './search-page.ts';
import {
  cut,
  firstOf,
  named,
  REGISTRY_NAMES,
  registeredAs,
  registryDate,
  titleOfField,
  trialAddress,
} from './words.ts';

type Registration = TrialRecord['registrations'][number];

/** The trial's title, its canonical id, and its earlier ids. */
export function identity(trial: TrialRecord, permanent: string): Html {
  return html`${record([
    ['Permanent address', html`<a href="${permanent}"><code>${permanent}</code></a>`],
    ['Canonical id', code(trial.canonicalId)],
    [
      'Earlier ids',
      trial.aliases.length === 0 ? 'none' : html`${joined(trial.aliases.map(code))}, which keep leading here`,
    ],
    ['Registered as', registeredAs(trial)],
  ])}
${labels(trial)}
${trial.modality !== undefined && html`<p class="soft">A modality is a judgement about interventions; no registry states it.</p>`}`;
}

/** Every field of the trial, and the registrations that state it. */
export function recordOf(trial: TrialRecord): Html {
  const isMerged = trial.registrations.length > 1;
  const columns: Column<TrialField>[] = [
    { head: 'Field', cell: ({ title }) => title },
    { head: 'Value', cell: ({ show }) => stated(show(trial)) },
    { head: 'Where it came from', cell: (field) => origin(field, trial) },
  ];
  return html`<section aria-labelledby="record"><h2 id="record">The record</h2>
${
  isMerged &&
  html`<p>If both registries state a value, that of ClinicalTrials.gov is shown, otherwise that of ISRCTN. Status, sponsor, enrolment and results are each taken as a whole from one registry. The last column names exceptions. The values of each registry stand below.</p>`
}
${table('Fields of the trial', TRIAL_FIELDS, columns)}</section>`;
}

function origin(field: TrialField, trial: TrialRecord): Html {
  const { ids, joined: rule } = sourceOf(field, trial);
  if (ids.length === 0) return html`<span class="soft">no registration</span>`;
  return html`${joined(ids.map(code), ' and ')}${rule !== null && html` <span class="soft">(${rule})</span>`}`;
}

/** Each registration with its raw values; differing fields are marked in words. */
export function sideBySide(trial: TrialRecord): Html {
  const { registrations } = trial;
  const differing = new Set(trial.conflicts.map(({ field }) => field));
  const isStated = (field: TrialField): boolean =>
    registrations.some(({ fields }) => field.show(fields) !== null || (field.raw?.(fields) ?? null) !== null);
  const rows = TRIAL_FIELDS.filter((field) => isStated(field) && (registrations.length > 1 || field.raw !== undefined));
  const columns: Column<TrialField>[] = [
    { head: 'Field', cell: ({ title }) => title },
    ...(registrations.length > 1
      ? [
          {
            head: 'Compared',
            cell: ({ name, uncompared }: TrialField) =>
              uncompared === true
                ? html`<span class="soft">not compared</span>`
                : differing.has(name)
                  ? html`<strong>≠ differs</strong>`
                  : '',
          },
        ]
      : []),
    ...registrations.map(
      (registration): Column<TrialField> => ({
        head: `${REGISTRY_NAMES[registration.registry]} ${registration.id}`,
        cell: (field) => side(field, registration),
      }),
    ),
  ];
  const caption = registrations.length > 1 ? 'Registrations side by side' : 'Raw values of the registration';
  return html`<section aria-labelledby="sides"><h2 id="sides">What each registry says</h2>
<p>${comparison(registrations.length, differing.size)}</p>
${elsewhere(trial, differing)}
${table(caption, rows, columns, ({ name }) => differing.has(name) && 'differs')}</section>`;
}

/** Leads to the comparison of every field; names differing fields that the table does not have. */
function elsewhere({ canonicalId, registrations }: TrialRecord, differing: ReadonlySet<string>): Html | null {
  if (registrations.length === 1) return null;
  const names = [...differing].filter((name) => !TRIAL_FIELDS.some((field) => field.name === name));
  return html`<p>${names.length > 0 && html`Not in this table, and different too: ${joined(names.map(titleOfField), ', ')}. `}<a href="${trialAddress(canonicalId)}/compare">Compare every field of the registrations</a></p>`;
}

function comparison(registrations: number, differing: number): string {
  if (registrations === 1)
    return 'There is one registration, so that nothing differs. The text of the registry stands beside the value read from it.';
  if (differing === 0) return 'The registrations agree in every field that both state.';
  return `The registrations differ in ${differing === 1 ? '1 field' : `${differing} fields`} that both state, marked ≠. Differences in case and white space do not count, and dates are compared as far as both are precise.`;
}

function side(field: TrialField, { fields }: Registration): Html {
  const raw = field.raw?.(fields);
  return html`${stated(field.show(fields))}${
    field.raw !== undefined &&
    html`<br><span class="soft">raw: ${raw === null || raw === undefined ? 'blank' : html`<code><bdi>${cut(raw, 600)}</bdi></code>`}</span>`
  }`;
}

/** Fields of both a trial and its registrations. */
type CommonFields = Pick<TrialRecord, keyof TrialRecord & keyof RegistrationFieldsRecord>;

export interface TrialField {
  /** The field's name in the record and in its list of conflicts. */
  name: string;
  title: string;
  value: (fields: CommonFields) => unknown;
  /** Null if it is not stated. */
  show: (fields: CommonFields) => Html | string | null;
  /** The registry's own text, if the value was mapped to a vocabulary or a number. */
  raw?: (fields: RegistrationFieldsRecord) => string | null;
  /** Not compared between registrations: prose, and values that follow from another field. */
  uncompared?: true;
  /** How two registrations are combined, unless the first registry's value is taken. */
  joined?: string;
}

const TEXT_MAX_CHARACTERS = 600;
const ITEMS_SHOWN = 12;

function text(name: 'title' | 'officialTitle' | 'acronym' | 'statusBasis' | 'resultsBasis', title: string): TrialField {
  const value = (fields: CommonFields): string | null => fields[name];
  return {
    name,
    title,
    value,
    show: (fields) => {
      const shown = value(fields);
      return shown === null ? null : cut(shown, TEXT_MAX_CHARACTERS);
    },
  };
}

function list(name: 'countries' | 'conditions', title: string): TrialField {
  return { name, title, value: (fields) => fields[name], show: (fields) => firstOf(fields[name], ITEMS_SHOWN) };
}

function date(name: keyof CommonFields['dates'], title: string, joined?: string): TrialField {
  return {
    name: `dates.${name}`,
    title,
    value: ({ dates }) => dates[name],
    show: ({ dates }) => (dates[name] === null ? null : registryDate(dates[name])),
    ...(joined === undefined ? {} : { joined }),
  };
}

const WITH_STATUS = 'with its status';

/** Every field shown, in the order of the page. */
export const TRIAL_FIELDS: readonly TrialField[] = [
  text('title', 'Title'),
  text('officialTitle', 'Official title'),
  text('acronym', 'Acronym'),
  {
    name: 'status',
    title: 'Status',
    value: ({ status }) => status,
    show: ({ status }) => named(status),
    raw: ({ statusRaw }) => statusRaw,
  },
  {
    name: 'recruitmentStatus',
    title: 'Recruitment',
    value: ({ recruitmentStatus }) => recruitmentStatus,
    show: ({ recruitmentStatus }) => named(recruitmentStatus),
    joined: WITH_STATUS,
  },
  { ...text('statusBasis', 'Basis of the status'), joined: WITH_STATUS, uncompared: true },
  {
    name: 'phase',
    title: 'Phase',
    value: ({ phase }) => phase,
    show: ({ phase }) => (phase === 'not-stated' ? null : named(phase)),
    raw: ({ phaseRaw }) => phaseRaw,
  },
  {
    name: 'studyType',
    title: 'Study type',
    value: ({ studyType }) => studyType,
    show: ({ studyType }) => (studyType === 'unknown' ? null : named(studyType)),
    raw: ({ studyTypeRaw }) => studyTypeRaw,
  },
  {
    name: 'sponsor',
    title: 'Sponsor',
    value: ({ sponsor }) => sponsor,
    show: ({ sponsor }) =>
      sponsor.name === null ? null : `${cut(sponsor.name, TEXT_MAX_CHARACTERS)} (class: ${named(sponsor.class)})`,
    raw: ({ sponsorClassRaw }) => sponsorClassRaw,
  },
  {
    name: 'enrollment',
    title: 'Enrolment',
    value: ({ enrollment }) => enrollment,
    show: ({ enrollment }) => (enrollment.count === null ? enrollment.note : enrolled(enrollment)),
    raw: ({ enrollmentRaw }) => enrollmentRaw,
  },
  { ...list('countries', 'Countries'), raw: ({ countriesRaw }) => firstOf(countriesRaw, ITEMS_SHOWN) },
  list('conditions', 'Conditions'),
  {
    name: 'interventions',
    title: 'Interventions',
    value: ({ interventions }) => interventions,
    show: ({ interventions }) => firstOf(interventions.map(interventionWords), ITEMS_SHOWN),
  },
  {
    name: 'primaryEndpoints',
    title: 'Primary endpoints',
    value: ({ primaryEndpoints }) => primaryEndpoints,
    show: ({ primaryEndpoints }) =>
      firstOf(
        primaryEndpoints.map(({ measure, timeFrame }) => (timeFrame === null ? measure : `${measure} [${timeFrame}]`)),
        ITEMS_SHOWN,
        TEXT_MAX_CHARACTERS / 2,
      ),
  },
  date('start', 'Started'),
  date('primaryCompletion', 'Primary completion'),
  date('completion', 'Completed'),
  date('firstPosted', 'First posted', 'the earliest'),
  date('lastUpdated', 'Last updated', 'the latest'),
  date('resultsPosted', 'Results posted on'),
  {
    name: 'resultsAvailable',
    title: 'Results posted',
    value: ({ resultsAvailable }) => resultsAvailable,
    show: ({ resultsAvailable }) => (resultsAvailable ? 'Yes' : 'No'),
    joined: 'yes if either holds results',
  },
  { ...text('resultsBasis', 'Basis of the results'), joined: 'with whether results are posted', uncompared: true },
];

function interventionWords({ type, name, description }: CommonFields['interventions'][number]): string {
  const words = name ?? description ?? 'no name stated';
  return type === null ? words : `${words} (${type})`;
}

interface FieldSource {
  /** Registrations whose value equals the trial's; empty if none states a value. */
  ids: readonly string[];
  joined: string | null;
}

/** Finds the registrations that a value comes from by comparing values, so that it is right whatever rule chose it. */
export function sourceOf({ value, show, joined }: TrialField, trial: TrialRecord): FieldSource {
  const shown = JSON.stringify(value(trial));
  const ids =
    show(trial) === null
      ? []
      : trial.registrations.filter(({ fields }) => JSON.stringify(value(fields)) === shown).map(({ id }) => id);
  return { ids, joined: trial.registrations.length > 1 ? (joined ?? null) : null };
}

/** A value, or the note that there is none. Registry texts may be written from right to left. */
function stated(shown: Html | string | null): Html {
  if (shown === null) return html`<span class="soft">not stated</span>`;
  return typeof shown === 'string' ? html`<bdi>${shown}</bdi>` : shown;
}
