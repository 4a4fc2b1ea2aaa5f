import { columnHeading, columnName, type NamedField, SHOWN_FIELDS } from '../../contract/fields/field-shapes.ts';
import { type FieldValues, MERGE_RULES, type RegistryField } from '../../contract/fields/field-types.ts';
import { named } from '../../contract/fields/value-names.ts';
import type { TrialListItem } from '../../contract/schemas/trials/trial.ts';
import type { Cell, FileColumn } from '../../server-kit/answer/csv.ts';
import { askedSites } from '../handlers/site-status.ts';
import { asksResultsDue, type ResultsDue } from '../search/counting/results-clock.ts';
import type { SearchQuery } from '../search/filters.ts';

/** Columns of the file of trials: those that identify a trial, then what it shows, from the table of registry fields. */

export interface FileTrial extends TrialListItem {
  /** Address of the trial's page. */
  page: string;
  /** When its results were due, and for how long; only where the query is about results that are due. */
  overdue?: ResultsDue | null;
}

type TrialColumn = FileColumn<FileTrial>;

type CellOf = TrialColumn['cell'];

function text(name: string, heading: string, meaning: string, cell: CellOf): TrialColumn {
  return { name, heading, meaning, type: 'text', cell };
}

function list(name: string, heading: string, meaning: string, cell: CellOf): TrialColumn {
  return { ...text(name, heading, meaning, cell), isList: true };
}

function numbersAt(registry: string): CellOf {
  return ({ registrations }) => registrations.filter((one) => one.registry === registry).map(({ id }) => id);
}

const NOT_THERE = 'empty: not registered there, as far as is known';

const IDS: readonly TrialColumn[] = [
  text(
    'canonical_id',
    'Trial',
    'id of the trial on Trial Board: one for all of its registrations',
    ({ canonicalId }) => canonicalId,
  ),
  list(
    'ctgov_id',
    'ClinicalTrials.gov number',
    `its number at ClinicalTrials.gov; ${NOT_THERE}`,
    numbersAt('clinicaltrials_gov'),
  ),
  list('isrctn_id', 'ISRCTN number', `its number at ISRCTN; ${NOT_THERE}`, numbersAt('isrctn')),
  text('page', 'Page', 'address of the trial on Trial Board, with the evidence behind each value', ({ page }) => page),
  list('registry_pages', 'Registry pages', 'addresses of its records at the registries', ({ registrations }) =>
    registrations.map(({ url }) => url),
  ),
];

const RECORDS: readonly TrialColumn[] = [
  list(
    'other_numbers',
    'Other numbers',
    'further identifiers that its registrations state, as EudraCT and UTN numbers; none of them is counted',
    ({ identifiers }) => identifiers.filter(({ inIndex }) => !inIndex).map(({ value }) => value),
  ),
  list(
    'retrieved',
    'Retrieved',
    'when each record was received from its registry, in UTC, in the order of the registry pages',
    ({ registrations }) => registrations.map(({ retrievedAt }) => retrievedAt),
  ),
  list(
    'checksums',
    'Checksums',
    'SHA-256 of each record exactly as received, in the order of the registry pages',
    ({ registrations }) => registrations.map(({ checksum }) => checksum),
  ),
];

const ELIGIBILITY: TrialColumn = text(
  'eligibility_text',
  'Eligibility',
  'who may take part, in the words of the registry',
  ({ eligibilityText }) => eligibilityText ?? null,
);

const MODALITY: TrialColumn = list(
  'modality',
  'Modality',
  'inferred labels with the terms that they rest on: a judgement by a reviewed vocabulary, no registry fact',
  ({ modality }) =>
    (modality?.labels ?? []).map(
      ({ id, matchedTerms }) => `${id} (${matchedTerms.map(({ text }) => text).join(', ')})`,
    ),
);

const OVERDUE: readonly TrialColumn[] = [
  {
    name: 'results_due',
    heading: 'Results due',
    meaning:
      'the day by which results were due on ClinicalTrials.gov, by the clock of the query; empty: no completed interventional trial there, or no date for the clock',
    type: 'date',
    cell: ({ overdue }) => overdue?.due ?? null,
  },
  {
    name: 'days_overdue',
    heading: 'Days overdue',
    meaning:
      'days from then to the day of the snapshot, by the clock of the query; empty: results are posted, or not due',
    type: 'integer',
    cell: ({ overdue }) => overdue?.days ?? null,
  },
];

const SITE_STATUS: readonly TrialColumn[] = [
  list(
    'site_status',
    'Status of sites there',
    'the recruitment statuses of its sites in the place of the query, each once; empty: the trial states no status either',
    ({ siteStatus }) => siteStatus?.statuses ?? [],
  ),
  text(
    'site_status_basis',
    'Whose status that is',
    'site: stated by a site there; trial: no site there states one, so it is that of the whole trial',
    ({ siteStatus }) => siteStatus?.basis ?? null,
  ),
];

/** Dates that may lie ahead, so that it matters whether they were planned or are past. */
const PLANNED: readonly string[] = ['startDate', 'primaryCompletionDate', 'completionDate'];

/** Which columns a file has beside those of every file. */
export interface ColumnsAsked {
  /** Whether the query is about the status of sites in a place. */
  siteStatus: boolean;
  /** Whether the query is about results that are due. */
  overdue: boolean;
  eligibility: boolean;
  modality: boolean;
}

export function columnsAsked(query: Omit<SearchQuery, 'page' | 'pageSize'>): ColumnsAsked {
  const { include = [], modality } = query;
  return {
    siteStatus: askedSites(query) !== null,
    overdue: asksResultsDue(query),
    eligibility: include.includes('eligibilityText'),
    modality: modality !== undefined || include.includes('modality'),
  };
}

export function trialColumns({ siteStatus, overdue, eligibility, modality }: ColumnsAsked): TrialColumn[] {
  return [
    ...IDS,
    ...SHOWN_FIELDS.flatMap(fieldColumns),
    ...(siteStatus ? SITE_STATUS : []),
    ...(overdue ? OVERDUE : []),
    ...(eligibility ? [ELIGIBILITY] : []),
    ...(modality ? [MODALITY] : []),
    ...RECORDS,
  ];
}

function fieldColumns(field: NamedField): TrialColumn[] {
  const name = columnName(field.name);
  const readValue = valueReader(field.json ?? field.name);
  const shown = laidOut(field.type);
  const column: TrialColumn = {
    name,
    heading: columnHeading(name),
    meaning: meaningOf(field),
    type: shown.type,
    ...(shown.isList && { isList: true }),
    cell: (trial) => {
      const value = readValue(trial);
      if (value === null || value === undefined) return null;
      // A spreadsheet would read 1-2 as a day.
      return field.name === 'phase' ? named(value as string) : shown.cell(value as never);
    },
  };
  if (!PLANNED.includes(field.name)) return [column];
  const meaning = `whether the registry calls the ${columnHeading(name).toLowerCase()} actual or estimated; empty: it does not say`;
  const typeOf: CellOf = (trial) => (readValue(trial) as FieldValues['date'] | null)?.type ?? null;
  return [column, text(`${name}_type`, `${column.heading} type`, meaning, typeOf)];
}

function meaningOf({ meaning, unit, null: absent, defect, trial }: RegistryField): string {
  return [
    unit === undefined || meaning.includes(unit) ? meaning : `${meaning}, in ${unit}`,
    ...(absent === undefined ? [] : [`empty: ${absent}`]),
    ...(defect === undefined ? [] : [defect]),
    ...(trial === null || trial === 'first' ? [] : [`of two registrations, ${MERGE_RULES[trial]}`]),
  ].join('; ');
}

/** Reads `sponsor.name` or `title` of a trial. */
function valueReader(path: string): (trial: FileTrial) => unknown {
  const [first, second] = path.split('.') as [string, string | undefined];
  if (second === undefined) return (trial) => (trial as unknown as Record<string, unknown>)[first];
  return (trial) => (trial as unknown as Record<string, Record<string, unknown> | null>)[first]?.[second];
}

interface Shown<Value> {
  type: TrialColumn['type'];
  isList?: true;
  cell(value: Value): Cell;
}

const asText = { type: 'text', cell: (value: string) => value } as const;
/** A value of parts that the file does not lay out; none is shown of a trial today. */
const asJson = { type: 'text', cell: (value: unknown) => JSON.stringify(value) } as const;

const LAID_OUT = {
  text: asText,
  word: asText,
  count: { type: 'integer', cell: (value: number) => value },
  number: { type: 'number', cell: (value: number) => value },
  flag: { type: 'boolean', cell: (value: boolean) => value },
  texts: { type: 'text', isList: true, cell: (value: string[]) => value },
  date: { type: 'date', cell: (value: FieldValues['date']) => value.date },
  interventions: {
    type: 'text',
    isList: true,
    cell: (value: FieldValues['interventions']) =>
      value.map(({ type, name, description }) => {
        const words = name ?? description ?? 'not named';
        return type === null ? words : `${type}: ${words}`;
      }),
  },
  endpoints: {
    type: 'text',
    isList: true,
    cell: (value: FieldValues['endpoints']) =>
      value.map(({ measure, timeFrame }) => (timeFrame === null ? measure : `${measure} (${timeFrame})`)),
  },
} as const;

function laidOut(type: RegistryField['type']): Shown<never> {
  return (type in LAID_OUT ? LAID_OUT[type as keyof typeof LAID_OUT] : asJson) as Shown<never>;
}
