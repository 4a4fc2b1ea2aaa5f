import type { RegistrationFieldsRecord, TrialRecord } from '../../../contract/schemas/trials/trial.ts';
import { type Html, html } from '../html.ts';
import { besideOther } from '../kit/marked.ts';
import { type Column, table } from '../kit/parts.ts';
import { count, joined, several } from '../kit/words.ts';
import { named, REGISTRY_NAMES, registryDate, titleOfField, trialAddress } from '../words/trials.ts';
import { charactersIn, type Extent, openIn } from './extent.ts';
import { noteInWords, unstated } from './registry-notes.ts';
import { enrolled } from './search-list.ts';

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

/** More differing fields or characters than this are folded away on the page of the trial: on a phone each field is a card. */
const DIFFERING_SHOWN = 3;
const DIFFERING_MAX_CHARACTERS = 900;

function differences(content: Html | false, fields: number, extent: Extent): Html | false {
  if (content === false) return false;
  if (fields <= DIFFERING_SHOWN && charactersIn(content) <= DIFFERING_MAX_CHARACTERS) return content;
  return html`<details${openIn(extent)}><summary>${fields === 1 ? 'The field' : `The ${count(fields)} fields`} side by side</summary>${content}</details>`;
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
  return `The registrations differ in ${several(differing, 'field', 'fields')} that both state. Differences in case and white space do not count, and dates are compared as far as both are precise. What stands at the top of this page is marked "shown above".`;
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

function field<const Name extends keyof CommonFields>(
  name: Name,
  title: string,
  show: (value: CommonFields[Name]) => string | null,
  raw?: TrialField['raw'],
): TrialField {
  return { name, title, value: (of) => of[name], show: (of) => show(of[name]), ...(raw !== undefined && { raw }) };
}

function date(name: keyof CommonFields['dates'], title: string): TrialField {
  const show = ({ dates }: CommonFields) => (dates[name] === null ? null : registryDate(dates[name]));
  return { name: `dates.${name}`, title, value: ({ dates }) => dates[name], show };
}

const asIs = (text: string | null): string | null => text;
const together = (items: readonly string[]): string | null => (items.length === 0 ? null : items.join('; '));
const unless = (none: string) => (value: string) => (value === none ? null : named(value));

/** Every field shown, in the order of the page. */
export const TRIAL_FIELDS: readonly TrialField[] = [
  field('title', 'Title', asIs),
  field('officialTitle', 'Official title', asIs),
  field('acronym', 'Acronym', asIs),
  field('status', 'Status', named, ({ statusRaw }) => statusRaw),
  field('recruitmentStatus', 'Recruitment', named),
  field('statusBasis', 'Basis of the status', (basis) => (basis === null ? null : noteInWords(basis))),
  field('phase', 'Phase', unless('not-stated'), ({ phaseRaw }) => phaseRaw),
  field('studyType', 'Study type', unless('unknown'), ({ studyTypeRaw }) => studyTypeRaw),
  field(
    'sponsor',
    'Sponsor',
    (sponsor) => (sponsor.name === null ? null : `${sponsor.name} (class: ${named(sponsor.class)})`),
    ({ sponsorClassRaw }) => sponsorClassRaw,
  ),
  field(
    'enrollment',
    'Enrolment',
    (people) => (people.count === null ? unstated(people.note) : enrolled(people)),
    ({ enrollmentRaw }) => enrollmentRaw,
  ),
  field('countries', 'Countries', together, ({ countriesRaw }) => together(countriesRaw)),
  field('conditions', 'Conditions', together),
  field('interventions', 'Interventions', (all) => together(all.map(interventionWords))),
  field('primaryEndpoints', 'Primary endpoints', (all) =>
    together(all.map(({ measure, timeFrame }) => (timeFrame === null ? measure : `${measure} [${timeFrame}]`))),
  ),
  date('start', 'Started'),
  date('primaryCompletion', 'Primary completion'),
  date('completion', 'Completed'),
  date('firstPosted', 'First posted'),
  date('lastUpdated', 'Last updated'),
  date('resultsPosted', 'Results posted on'),
  field('resultsAvailable', 'Results posted', (posted) => (posted ? 'Yes' : 'No')),
  field('resultsBasis', 'Basis of the results', (basis) => (basis === null ? null : noteInWords(basis))),
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

/** Members that say how the registry writes a value, or where it keeps it. */
const NOT_SHOWN = ['classRaw', 'field', 'latitude', 'longitude', 'reference'];

/** Any value of a record in words: a list with a line for each item. Null where there is none. */
export function valueWords(value: unknown): string | null {
  if (value === null || value === undefined) return null;
  if (Array.isArray(value)) return value.length === 0 ? null : value.map((item) => valueWords(item) ?? '').join('\n');
  if (typeof value === 'boolean') return value ? 'Yes' : 'No';
  if (typeof value === 'number') return value.toLocaleString('en-GB');
  if (typeof value === 'string') return value;
  return itemWords(value as Record<string, unknown>);
}

/** A date at its own precision, or the stated members of an item in their order, as "Placebo; drug". */
function itemWords(item: Record<string, unknown>): string {
  if ('precision' in item) return `${item.date}${item.type === 'estimated' ? ' (estimated)' : ''}`;
  const parts = Object.entries(item)
    .filter(([name, part]) => !NOT_SHOWN.includes(name) && part !== null && part !== 'unknown')
    .map(([name, part]) =>
      name === 'class' ? named(String(part)) : Array.isArray(part) ? part.join(', ') : String(part),
    )
    .filter((part) => part !== '');
  return [...new Set(parts)].join('; ');
}
