import { REGISTRY_IDS } from '../../../contract/ids.ts';
import { DIFF_KINDS } from '../../../contract/schemas/snapshot-diff.ts';
import { type Html, html } from '../html.ts';
import { KIND_NAMES, REGISTRY_NAMES } from './words.ts';

/** Form fields, which are also the parameters of the page's address. */
export const FORM_FIELDS = ['from', 'to', 'kind', 'field', 'registry', 'q'] as const;
export type FormField = (typeof FORM_FIELDS)[number];
export type FormGiven = Partial<Record<FormField, string>>;

export interface FormFault {
  parameter: string;
  expected: string;
}

interface CompareForm {
  /** Newest first. */
  versions: readonly string[];
  given: FormGiven;
  fault: FormFault | null;
}

interface Choice {
  value: string;
  words: string;
}

/** Choice of two versions, and which differences to list. */
export function compareForm({ versions, given, fault }: CompareForm): Html {
  const from = given.from ?? versions[1] ?? versions[0] ?? '';
  const to = given.to ?? versions[0] ?? '';
  const choices = (chosen: string): Choice[] =>
    [...new Set([...(chosen === '' ? [] : [chosen]), ...versions])]
      .sort()
      .reverse()
      .map((value) => ({ value, words: value }));
  const any = (words: string): Choice => ({ value: '', words });
  return html`<form class="fields" action="/snapshots/diff" method="get">
${select('from', 'From the version', choices(from), from, fault)}
${select('to', 'to the version', choices(to), to, fault)}
${select(
  'kind',
  'List',
  DIFF_KINDS.map((value) => ({ value, words: KIND_NAMES[value] })),
  given.kind ?? 'trials-changed',
  fault,
)}
${select(
  'registry',
  'About a registration of',
  [any('any registry'), ...REGISTRY_IDS.map((value) => ({ value, words: REGISTRY_NAMES[value] }))],
  given.registry ?? '',
  fault,
)}
${text('q', 'With this in an id', 'such as NCT0400 or wt_; up to 80 characters', given.q ?? '', fault)}
${text('field', 'In which this field differs', 'a column such as recruitment_status; only for lists of changed ones', given.field ?? '', fault)}
<div class="wide"><button type="submit">Compare</button></div>
</form>`;
}

function select(
  name: FormField,
  label: string,
  choices: readonly Choice[],
  chosen: string,
  fault: FormFault | null,
): Html {
  const faulty = fault?.parameter === name;
  return html`<div><label for="diff-${name}">${label}</label>
<select id="diff-${name}" name="${name}"${faulty && html` aria-invalid="true" aria-describedby="diff-${name}-fault"`}>${choices.map(
    ({ value, words }) => html`<option value="${value}"${value === chosen && html` selected`}>${words}</option>`,
  )}</select>${faulty && faultNote(name, fault)}</div>`;
}

function text(name: FormField, label: string, bounds: string, value: string, fault: FormFault | null): Html {
  const faulty = fault?.parameter === name;
  const described = faulty ? `diff-${name}-bounds diff-${name}-fault` : `diff-${name}-bounds`;
  return html`<div><label for="diff-${name}">${label}</label>
<input id="diff-${name}" name="${name}" value="${value}" maxlength="80" autocomplete="off" aria-describedby="${described}"${faulty && html` aria-invalid="true"`}>
<p class="bounds" id="diff-${name}-bounds">${bounds}</p>${faulty && faultNote(name, fault)}</div>`;
}

function faultNote(name: string, { expected }: FormFault): Html {
  return html`<p class="fault" id="diff-${name}-fault">Not usable: expected ${expected}.</p>`;
}
