import { REGISTRY_IDS } from '../../../contract/ids.ts';
import { DIFF_KINDS } from '../../../contract/schemas/trials/snapshot-diff.ts';
import { type Html, html } from '../html.ts';
import { type Choice, field, options } from '../kit/form.ts';
import { KIND_NAMES, REGISTRY_NAMES, versionWords } from '../words/snapshots.ts';

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

/** Choice of two versions, and which differences to list. */
export function compareForm({ versions, given, fault }: CompareForm): Html {
  const from = given.from ?? versions[1] ?? versions[0] ?? '';
  const to = given.to ?? versions[0] ?? '';
  const choices = (chosen: string): Choice[] =>
    [...new Set([...(chosen === '' ? [] : [chosen]), ...versions])]
      .sort()
      .reverse()
      .map((value) => [value, versionWords(value)]);
  const shown = (name: FormField, label: string, control: (state: Html) => Html, hint = '') => {
    const faults = fault?.parameter === name ? [`Please use ${fault.expected}.`] : [];
    return field({ id: `diff-${name}`, name, label, hint, faults }, control);
  };
  const select = (name: FormField, label: string, value: string, choices: readonly Choice[]) =>
    shown(name, label, (state) => html`<select${state}>${options(choices, value)}</select>`);
  const kinds = DIFF_KINDS.map((kind): Choice => [kind, KIND_NAMES[kind]]);
  const registries = REGISTRY_IDS.map((id): Choice => [id, REGISTRY_NAMES[id]]);
  return html`<form class="fields" action="/snapshots/diff" method="get">
${select('from', 'From the version', from, choices(from))}
${select('to', 'to the version', to, choices(to))}
${select('kind', 'List', given.kind ?? 'trials-changed', kinds)}
${select('registry', 'About a registration of', given.registry ?? '', [['', 'any registry'], ...registries])}
${shown('q', 'Number contains', (state) => html`<input${state} value="${given.q ?? ''}" maxlength="80" autocomplete="off">`, 'such as NCT0400')}
<div class="wide"><button type="submit">Compare</button></div>
</form>`;
}
