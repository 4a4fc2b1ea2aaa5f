import type { RegistrationFieldsRecord, TrialRecord } from '../../../contract/schemas/trial.ts';
import { type Html, html } from '../html.ts';
import { enrolled } from './search-results.ts';
import { cut, firstOf, named, registryDate } from './words.ts';

/** Fields of both a trial and its registrations. */
export type CommonFields = Pick<TrialRecord, keyof TrialRecord & keyof RegistrationFieldsRecord>;

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
    uncompared: true,
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
    uncompared: true,
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
    joined: 'yes where either holds results',
  },
  { ...text('resultsBasis', 'Basis of the results'), joined: 'with whether results are posted', uncompared: true },
];

function interventionWords({ type, name, description }: CommonFields['interventions'][number]): string {
  const words = name ?? description ?? 'no name stated';
  return type === null ? words : `${words} (${type})`;
}

export interface FieldSource {
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
export function stated(shown: Html | string | null): Html {
  if (shown === null) return html`<span class="soft">not stated</span>`;
  return typeof shown === 'string' ? html`<bdi>${shown}</bdi>` : shown;
}
