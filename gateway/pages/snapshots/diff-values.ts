import { SNAPSHOT_TABLE_DESCRIPTIONS } from '../../../contract/fields/snapshot-tables.ts';
import { type Html, html } from '../html.ts';
import { marked } from '../kit/marked.ts';
import { table } from '../kit/parts.ts';
import { count, monthOrDay } from '../kit/words.ts';
import { named } from '../words/trials.ts';

/** What differs in one entry, in people's words. */

export interface ChangedField {
  field: string;
  old: unknown;
  new: unknown;
}

/** Columns whose name says little to a reader. */
const TITLES: Readonly<Record<string, string>> = {
  payload_sha256: 'Record as received',
  ctgov_id: 'ClinicalTrials.gov number',
  isrctn_id: 'ISRCTN number',
  aliases: 'Former ids',
  sponsor_name: 'Lead sponsor',
  enrollment_count: 'Enrolment',
  enrollment_raw: 'Enrolment as written',
  founding_id: 'Number that the id was given for',
};

/** A column in words: "Completion date". */
export function fieldTitle(field: string): string {
  const [group, name] = field.split('.');
  if (name !== undefined) {
    const words = named(name.replaceAll(/([A-Z])/g, '_$1').toLowerCase());
    return group === 'origins' ? `Registry that it is taken from: ${words}` : `${named(group!)}: ${words}`;
  }
  return TITLES[field] ?? named(field.replace(/_raw$/, '_as_written'));
}

/** Columns of closed vocabularies. */
const CODED: ReadonlySet<string> = new Set(
  Object.values(SNAPSHOT_TABLE_DESCRIPTIONS).flatMap(({ columns }) =>
    columns.filter(({ words }) => words !== undefined).map(({ name }) => name),
  ),
);

/** A value as text; null where nothing is stated. */
function plainValue(field: string, value: unknown): string | null {
  if (value === null || value === undefined || value === '') return null;
  if (typeof value === 'boolean') return value ? 'Yes' : 'No';
  if (typeof value === 'number') return count(value);
  if (typeof value === 'string')
    return CODED.has(field) || field === 'registries' || field.startsWith('origins.') ? named(value) : value;
  if (Array.isArray(value)) {
    const items = value.map((item) => plainValue(field, item) ?? '').filter((item) => item !== '');
    return items.length === 0 ? null : items.join('; ');
  }
  const parts = value as Record<string, unknown>;
  if (typeof parts.date === 'string') {
    return `${monthOrDay(parts.date)}${parts.type === 'estimated' ? ' (planned)' : ''}`;
  }
  const stated = Object.entries(parts).flatMap(([name, part]) => {
    const text = plainValue(name, part);
    return text === null ? [] : [`${named(name)}: ${text}`];
  });
  return stated.length === 0 ? null : stated.join(', ');
}

/** Fields shown of one entry; its CSV has all. */
const SHOWN_FIELDS = 12;
/** A longer text stands below the table, with both versions in one. */
const LONG_CHARACTERS = 200;
/** Characters of one text that are compared on the page. */
const COMPARED_CHARACTERS = 6000;

interface Told {
  title: string;
  before: string | null;
  after: string | null;
}

/** The fields that differ, words marked; texts are read in one, with what is gone and what is new. */
export function changesOf(name: string, fields: readonly ChangedField[]): Html {
  const names = new Set(fields.map(({ field }) => field));
  const told = fields
    .filter(({ field }) => !isRepetition(field, names))
    .map(
      (one): Told => ({
        title: fieldTitle(one.field),
        before: plainValue(one.field, one.old),
        after: plainValue(one.field, one.new),
      }),
    );
  const shown = told.slice(0, SHOWN_FIELDS);
  const isLong = ({ before, after }: Told): boolean =>
    Math.max(before?.length ?? 0, after?.length ?? 0) > LONG_CHARACTERS;
  const short = shown.filter((one) => !isLong(one));
  const rest = told.length - shown.length;
  return html`${
    short.length > 0 &&
    table<Told>(html`<span class="unseen">What differs in ${name}</span>`, short, [
      ['What', ({ title }) => title],
      ['Before', (one) => sides(one).before],
      ['After', (one) => sides(one).after],
    ])
  }${shown.filter(isLong).map(longText)}${rest > 0 && html`<p class="soft">And ${count(rest)} more; the CSV of this list has them.</p>`}`;
}

/** A column that says the same as another that differs: the hash of the record, a day of a date, a value as it was written. */
function isRepetition(field: string, names: ReadonlySet<string>): boolean {
  return (
    (field === 'payload_sha256' && names.size > 1) ||
    (field.endsWith('_day') && names.has(field.replace(/_day$/, '_date'))) ||
    (field.endsWith('_raw') && names.has(field.replace(/_raw$/, '')))
  );
}

const NOTHING = html`<span class="soft">nothing stated</span>`;

function sides({ before, after }: Told): { before: Html; after: Html } {
  if (before === null || after === null) {
    return {
      before: before === null ? NOTHING : html`<del>${before}</del>`,
      after: after === null ? NOTHING : html`<ins>${after}</ins>`,
    };
  }
  return marked(before, after);
}

function longText({ title, before, after }: Told): Html {
  const cutOff = [before, after].some((text) => (text?.length ?? 0) > COMPARED_CHARACTERS);
  const [old, now] = [before, after].map((text) => (text ?? '').slice(0, COMPARED_CHARACTERS).toWellFormed());
  const sizes = `${characters(before)} before, ${characters(after)} after`;
  return html`<details><summary>${title} <span class="soft">${sizes}</span></summary>
<p class="written-text">${marked(old!, now!).together}${cutOff && html` <span class="soft">… and more, which the CSV has</span>`}</p></details>`;
}

const characters = (text: string | null): string => (text === null ? 'nothing' : `${count(text.length)} characters`);
