import type { RegistrationFieldsRecord, TrialRecord } from '../../../contract/schemas/trial.ts';
import { type Html, html } from '../html.ts';
import { type Column, table } from '../kit/parts.ts';
import { count, joined } from '../kit/words.ts';
import { type Extent, openIn } from './extent.ts';
import { noteInWords, unstated } from './registry-notes.ts';
import { besideOther } from './word-marks.ts';
import { named, REGISTRY_NAMES, registryDate, titleOfField, trialAddress } from './words.ts';

type Registration = TrialRecord['registrations'][number];

/** What each registration says of the fields that both a trial and its registrations have, the differing ones first. */
export function sides(trial: TrialRecord, extent: Extent): Html {
  const { registrations } = trial;
  const differing = new Set(trial.conflicts.map(({ field }) => field));
  const isStated = (field: TrialField): boolean =>
    registrations.some(({ fields }) => field.show(fields) !== null || (field.raw?.(fields) ?? null) !== null);
  const isAlone = registrations.length === 1;
  const rows = TRIAL_FIELDS.filter((field) => isStated(field) && (!isAlone || field.raw !== undefined));
  const [apart, alike] = [
    rows.filter(({ name }) => differing.has(name)),
    rows.filter(({ name }) => !differing.has(name)),
  ];
  const shown = (caption: string, fields: readonly TrialField[], isMarked: boolean): Html | false =>
    fields.length > 0 && table(caption, fields, columnsOf(trial, { isMarked, extent }), () => isMarked && 'differs');
  return html`<p>${comparison(registrations.length, differing.size)}</p>
${elsewhere(trial, differing)}
${differences(shown('What differs; words that the other registry does not have are marked', apart, true), apart.length, extent)}
<details${openIn(extent)}><summary>${isAlone ? 'Values as the registry words them' : `Everything else that they say: ${count(alike.length)} fields`}</summary>
${shown(isAlone ? 'Values read here, and the text of the registry' : 'Fields that do not differ, or that are not compared', alike, false)}</details>`;
}

/** More differing fields than this are folded away on the page of the trial: on a phone each is a card. */
const DIFFERING_SHOWN = 3;

function differences(content: Html | false, fields: number, extent: Extent): Html | false {
  if (content === false || fields <= DIFFERING_SHOWN) return content;
  return html`<details${openIn(extent)}><summary>The ${count(fields)} fields side by side</summary>${content}</details>`;
}

/** Leads to the comparison of every field; names differing fields that the table does not have. */
function elsewhere({ canonicalId, registrations }: TrialRecord, differing: ReadonlySet<string>): Html | null {
  if (registrations.length === 1) return null;
  const names = [...differing].filter((name) => !TRIAL_FIELDS.some((field) => field.name === name));
  return html`<p>${names.length > 0 && html`Not in this table, and different too: ${joined(names.map(titleOfField), ', ')}. `}<a href="${trialAddress(canonicalId)}/compare">Compare every field of the registrations</a></p>`;
}

function comparison(registrations: number, differing: number): string {
  if (registrations === 1) return 'There is one registration, so that nothing differs.';
  if (differing === 0) return 'The registrations agree in every field that both state.';
  return `The registrations differ in ${differing === 1 ? '1 field' : `${differing} fields`} that both state. Differences in case and white space do not count, and dates are compared as far as both are precise. What stands at the top of this page is marked "shown above".`;
}

function columnsOf(
  trial: TrialRecord,
  { isMarked, extent }: { isMarked: boolean; extent: Extent },
): Column<TrialField>[] {
  const { registrations } = trial;
  return [
    ['Field', ({ title }) => title],
    ...registrations.map((registration): Column<TrialField> => {
      const others = registrations.filter((one) => one !== registration);
      return [
        `${REGISTRY_NAMES[registration.registry]} ${registration.id}`,
        (field) =>
          html`${side(field, registration, isMarked && others.length === 1 ? others[0]! : null, extent)}${
            isMarked &&
            sourceOf(field, trial).ids.includes(registration.id) &&
            html` <span class="tag">shown above</span>`
          }${rawText(field, registration, extent)}`,
      ];
    }),
  ];
}

/** A value; the words that `other` does not have are marked. */
function side(field: TrialField, { fields }: Registration, other: Registration | null, extent: Extent): Html {
  const own = field.show(fields);
  if (own === null) return html`<span class="soft">not stated</span>`;
  if (typeof own !== 'string') return own;
  const opposite = other === null ? null : field.show(other.fields);
  return besideOther(extent.text(own), typeof opposite === 'string' ? extent.text(opposite) : null);
}

function rawText({ raw }: TrialField, { fields }: Registration, extent: Extent): Html | false {
  if (raw === undefined) return false;
  const text = raw(fields);
  return html`<br><span class="soft">in its own words: ${text === null ? 'blank' : html`<bdi>${extent.text(text)}</bdi>`}</span>`;
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
}

type TextName = 'title' | 'officialTitle' | 'acronym' | 'statusBasis' | 'resultsBasis';

function text(name: TextName, title: string): TrialField {
  return { name, title, value: (fields) => fields[name], show: (fields) => fields[name] };
}

function list(name: 'countries' | 'conditions', title: string): TrialField {
  return { name, title, value: (fields) => fields[name], show: (fields) => together(fields[name]) };
}

function together(items: readonly string[]): string | null {
  return items.length === 0 ? null : items.join('; ');
}

function date(name: keyof CommonFields['dates'], title: string): TrialField {
  return {
    name: `dates.${name}`,
    title,
    value: ({ dates }) => dates[name],
    show: ({ dates }) => (dates[name] === null ? null : registryDate(dates[name])),
  };
}

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
  },
  {
    ...text('statusBasis', 'Basis of the status'),
    show: ({ statusBasis }) => (statusBasis === null ? null : noteInWords(statusBasis)),
  },
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
    show: ({ sponsor }) => (sponsor.name === null ? null : `${sponsor.name} (class: ${named(sponsor.class)})`),
    raw: ({ sponsorClassRaw }) => sponsorClassRaw,
  },
  {
    name: 'enrollment',
    title: 'Enrolment',
    value: ({ enrollment }) => enrollment,
    show: ({ enrollment: { count: people, type, note } }) =>
      people === null
        ? unstated(note)
        : `${count(people)} people${type === null ? '' : type === 'actual' ? ' (actual)' : ' (planned)'}`,
    raw: ({ enrollmentRaw }) => enrollmentRaw,
  },
  { ...list('countries', 'Countries'), raw: ({ countriesRaw }) => together(countriesRaw) },
  list('conditions', 'Conditions'),
  {
    name: 'interventions',
    title: 'Interventions',
    value: ({ interventions }) => interventions,
    show: ({ interventions }) => together(interventions.map(interventionWords)),
  },
  {
    name: 'primaryEndpoints',
    title: 'Primary endpoints',
    value: ({ primaryEndpoints }) => primaryEndpoints,
    show: ({ primaryEndpoints }) =>
      together(
        primaryEndpoints.map(({ measure, timeFrame }) => (timeFrame === null ? measure : `${measure} [${timeFrame}]`)),
      ),
  },
  date('start', 'Started'),
  date('primaryCompletion', 'Primary completion'),
  date('completion', 'Completed'),
  date('firstPosted', 'First posted'),
  date('lastUpdated', 'Last updated'),
  date('resultsPosted', 'Results posted on'),
  {
    name: 'resultsAvailable',
    title: 'Results posted',
    value: ({ resultsAvailable }) => resultsAvailable,
    show: ({ resultsAvailable }) => (resultsAvailable ? 'Yes' : 'No'),
  },
  text('resultsBasis', 'Basis of the results'),
];

function interventionWords({ type, name, description }: CommonFields['interventions'][number]): string {
  const words = name ?? description ?? 'no name stated';
  return type === null ? words : `${words} (${type})`;
}

/** Finds the registrations that a value comes from by comparing values, so that it is right whatever rule chose it. */
export function sourceOf({ value, show }: TrialField, trial: TrialRecord): { ids: readonly string[] } {
  if (show(trial) === null) return { ids: [] };
  const shown = JSON.stringify(value(trial));
  return {
    ids: trial.registrations.filter(({ fields }) => JSON.stringify(value(fields)) === shown).map(({ id }) => id),
  };
}
