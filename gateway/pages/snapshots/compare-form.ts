import { REGISTRY_IDS } from '../../../contract/ids.ts';
import { DIFF_KINDS } from '../../../contract/schemas/snapshot-diff.ts';
import { type Html, html } from '../html.ts';
import { type Choice, options } from '../kit/form.ts';
import { KIND_NAMES, REGISTRY_NAMES, versionWords } from './words.ts';

/** Fields of the form, which are also parameters of the page's address. */
export const FORM_FIELDS = ['from', 'to', 'kind', 'registry', 'q'] as const;
type FormField = (typeof FORM_FIELDS)[number];

interface CompareForm {
  /** Newest first. */
  versions: readonly string[];
  given: Partial<Record<FormField, string>>;
  /** What was not usable, at its field. */
  fault: { parameter: string; expected: string } | null;
}

interface Field {
  name: FormField;
  label: string;
  value: string;
  fault: CompareForm['fault'];
}

/** Choice of two versions, and which differences to list. */
export function compareForm({ versions, given, fault }: CompareForm): Html {
  const from = given.from ?? versions[1] ?? versions[0] ?? '';
  const to = given.to ?? versions[0] ?? '';
  const choices = (chosen: string): Choice[] =>
    [...new Set([...(chosen === '' ? [] : [chosen]), ...versions])]
      .sort()
      .reverse()
      .map((value) => [value, versionWords(value)]);
  const field = (name: FormField, label: string, value: string): Field => ({ name, label, value, fault });
  return html`<form class="fields" action="/snapshots/diff" method="get">
${select(field('from', 'From the version', from), choices(from))}
${select(field('to', 'to the version', to), choices(to))}
${select(
  field('kind', 'List', given.kind ?? 'trials-changed'),
  DIFF_KINDS.map((kind) => [kind, KIND_NAMES[kind]]),
)}
${select(field('registry', 'About a registration of', given.registry ?? ''), [
  ['', 'any registry'],
  ...REGISTRY_IDS.map((id): Choice => [id, REGISTRY_NAMES[id]]),
])}
${text(field('q', 'Number contains', given.q ?? ''), 'such as NCT0400')}
<div class="wide"><button type="submit">Compare</button></div>
</form>`;
}

function select({ name, label, value, fault }: Field, choices: readonly Choice[]): Html {
  const faulty = fault?.parameter === name;
  return html`<div><label for="diff-${name}">${label}</label>
<select id="diff-${name}" name="${name}"${faulty && html` aria-invalid="true" aria-describedby="diff-${name}-fault"`}>${options(choices, value)}</select>${faulty && faultNote(name, fault.expected)}</div>`;
}

function text({ name, label, value, fault }: Field, bounds: string): Html {
  const faulty = fault?.parameter === name;
  return html`<div><label for="diff-${name}">${label}</label>
<input id="diff-${name}" name="${name}" value="${value}" maxlength="80" autocomplete="off" aria-describedby="diff-${name}-bounds${faulty && ` diff-${name}-fault`}"${faulty && html` aria-invalid="true"`}>
<p class="bounds" id="diff-${name}-bounds">${bounds}</p>${faulty && faultNote(name, fault.expected)}</div>`;
}

function faultNote(name: string, expected: string): Html {
  return html`<p class="fault" id="diff-${name}-fault">Please use ${expected}.</p>`;
}
