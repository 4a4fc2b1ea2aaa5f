import type { TrialRecord } from '../../../contract/schemas/trial.ts';
import { type Html, html } from '../html.ts';
import { type Column, facts, table } from '../parts.ts';
import { labels } from './search-results.ts';
import { sourceOf, stated, TRIAL_FIELDS, type TrialField } from './trial-fields.ts';
import { cut, outside, REGISTRY_NAMES } from './words.ts';

const ELIGIBILITY_MAX_CHARACTERS = 10_000;

type Registration = TrialRecord['registrations'][number];

/** The trial's title, its canonical id, and its earlier ids. */
export function identity(trial: TrialRecord, permanent: string): Html {
  return html`${facts([
    ['Permanent address', html`<a href="${permanent}"><code>${permanent}</code></a>`],
    ['Canonical id', html`<code>${trial.canonicalId}</code>`],
    [
      'Earlier ids',
      trial.aliases.length === 0
        ? 'none'
        : html`${trial.aliases.map((alias, place) => html`${place > 0 && ', '}<code>${alias}</code>`)}, which keep leading here`,
    ],
    [
      'Registered as',
      html`${trial.registrations.map(
        ({ registry, id, url }, place) =>
          html`${place > 0 && ' and '}${outside(url, id)} (${REGISTRY_NAMES[registry]})`,
      )}`,
    ],
  ])}
${labels(trial)}
${trial.modality !== undefined && html`<p class="soft">A modality is a judgement about interventions; no registry states it.</p>`}`;
}

/** Every field of the trial, and the registrations that state it. */
export function record(trial: TrialRecord): Html {
  const isMerged = trial.registrations.length > 1;
  const columns: Column<TrialField>[] = [
    { head: 'Field', cell: ({ title }) => title },
    { head: 'Value', cell: ({ show }) => stated(show(trial)) },
    { head: 'Where it came from', cell: (field) => origin(field, trial) },
  ];
  return html`<section aria-labelledby="record"><h2 id="record">The record</h2>
${
  isMerged &&
  html`<p>Where both registries speak, the value of ClinicalTrials.gov is shown, else that of ISRCTN; status, sponsor, enrolment and results are each taken whole from one side. Exceptions stand in the last column. What each registry says by itself stands below and is never lost.</p>`
}
${table('Fields of the trial', columns, TRIAL_FIELDS)}
${eligibility(trial.eligibilityText)}</section>`;
}

function origin(field: TrialField, trial: TrialRecord): Html {
  const { ids, joined } = sourceOf(field, trial);
  if (ids.length === 0) return html`<span class="soft">no registration</span>`;
  return html`${ids.map((id, place) => html`${place > 0 && ' and '}<code>${id}</code>`)}${joined !== null && html` <span class="soft">(${joined})</span>`}`;
}

function eligibility(text: string | null): Html {
  if (text === null) return html`<p class="soft">Eligibility: not stated.</p>`;
  return html`<details><summary>Eligibility, as the registry words it</summary><pre class="prose"><bdi>${cut(text, ELIGIBILITY_MAX_CHARACTERS)}</bdi></pre></details>`;
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
${table(caption, columns, rows, ({ name }) => differing.has(name) && 'differs')}</section>`;
}

function comparison(registrations: number, differing: number): string {
  if (registrations === 1)
    return 'One registration is held, so nothing differs. What the registry wrote stands beside how it was read.';
  if (differing === 0) return 'The registrations differ in no field that both state.';
  return `The registrations differ in ${differing === 1 ? '1 field' : `${differing} fields`} that both state, marked ≠. Case and white space are no difference, and dates are compared as far as both are precise.`;
}

function side(field: TrialField, { fields }: Registration): Html {
  const raw = field.raw?.(fields);
  return html`${stated(field.show(fields))}${
    field.raw !== undefined &&
    html`<br><span class="soft">raw: ${raw === null || raw === undefined ? 'blank' : html`<code><bdi>${cut(raw, 600)}</bdi></code>`}</span>`
  }`;
}
