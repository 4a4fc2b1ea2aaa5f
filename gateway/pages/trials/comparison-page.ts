import { httpInput } from '../../../contract/arguments.ts';
import { type FieldVerdict, NORMALISATIONS } from '../../../contract/field-verdicts.ts';
import { compareTrial } from '../../../contract/operations/trial-comparison.ts';
import type { RegistrationComparison } from '../../../contract/schemas/registration-comparison.ts';
import { type Html, html } from '../html.ts';
import { figures } from '../kit/figures.ts';
import { type Column, table } from '../kit/table.ts';
import { count, joined } from '../kit/words.ts';
import type { Page } from '../page.ts';
import { cut, named, outside, REGISTRY_NAMES, registryDate, titleOfField, trialAddress } from './words.ts';

const TITLE_MAX_CHARACTERS = 300;
const TEXT_MAX_CHARACTERS = 400;
const ITEMS_SHOWN = 6;

type Compared = RegistrationComparison['fields'][number];
type Registration = RegistrationComparison['registrations'][number];

/** The registrations of a trial side by side, what differs first. */
export const comparisonPage: Page = {
  id: 'page-trial-comparison',
  async respond({ reads, params, baseUrl }) {
    const { data } = await reads.read(compareTrial, { id: params.id! });
    const { canonicalId, registrations, fields } = data;
    const address = trialAddress(canonicalId);
    const title = fields.find(({ field }) => field === 'title')?.values[0]?.value;
    return {
      title: `Registrations compared: ${cut(typeof title === 'string' ? title : canonicalId, TITLE_MAX_CHARACTERS)}`,
      canonical: `${baseUrl}${address}/compare`,
      main: html`<p><a href="${address}">The trial and the evidence behind it</a></p>
${registrations.length === 1 ? alone(data) : summary(data)}
${SECTIONS.map(([verdict, heading]) => part(data, verdict, heading))}
${neither(fields)}
<p class="soft">A difference is what two registries state, and not which one is right. The registries' own words and prose of eligibility are not compared.</p>`,
      calls: [httpInput(compareTrial, { id: canonicalId }).path],
    };
  },
};

function alone({ registrations, absentFrom }: RegistrationComparison): Html {
  return html`<p class="notice" role="note">There is one registration, ${joined(registrations.map(({ id, url }) => outside(url, id)))}, so that nothing can differ. This index holds no registration of it from the ${joined(absentFrom.map((registry) => REGISTRY_NAMES[registry]))}, which does not prove that there is none.</p>`;
}

function summary({ verdicts }: RegistrationComparison): Html {
  return figures([
    ['fields differ', count(verdicts.differs)],
    ['are equal', count(verdicts.equal)],
    ['are equal after a normalisation', count(verdicts.equalAfter)],
    ['are stated by one registry', count(verdicts.onlyIn)],
    ['are stated by neither', count(verdicts.notStated)],
  ]);
}

type Stated = Exclude<FieldVerdict, 'not-stated'>;

const SECTIONS: readonly (readonly [Stated, string])[] = [
  ['differs', 'What differs'],
  ['equal-after', 'Equal after a normalisation'],
  ['only-in', 'Stated by one registry'],
  ['equal', 'Equal'],
];

const CAPTIONS: Record<Stated, string> = {
  differs: 'Both registries state it, and not the same',
  'equal-after': 'Both state the same, once a difference in form is set aside',
  'only-in': 'One registry states it',
  equal: 'Both registries state the same',
};

function part({ registrations, fields }: RegistrationComparison, verdict: Stated, heading: string): Html | false {
  const rows = fields.filter((field) => field.verdict === verdict);
  if (rows.length === 0) return false;
  const columns: Column<Compared>[] = [
    { head: 'Field', cell: ({ field }) => titleOfField(field) },
    ...(verdict === 'equal-after' ? [{ head: 'Set aside', cell: setAside }] : []),
    ...(verdict === 'equal' && registrations.length > 1
      ? [{ head: 'Both state', cell: ({ field, values }: Compared) => stated(field, values[0]?.value) }]
      : registrations.map((one): Column<Compared> => ({ head: headOf(one), cell: (field) => side(field, one) }))),
  ];
  const id = `verdict-${verdict}`;
  return html`<section aria-labelledby="${id}"><h2 id="${id}">${heading}</h2>
${table(CAPTIONS[verdict], rows, columns)}</section>`;
}

function headOf({ registry, id }: Registration): string {
  return `${REGISTRY_NAMES[registry]} ${id}`;
}

function setAside({ normalisations }: Compared): Html {
  return joined(
    normalisations.map((name) => NORMALISATIONS[name]),
    '; ',
  );
}

function side({ field, values, noFieldIn }: Compared, { registry }: Registration): Html {
  const own = values.find((one) => one.registry === registry);
  if (own !== undefined) return stated(field, own.value);
  return html`<span class="soft">${noFieldIn.includes(registry) ? 'the registry has no such field' : 'not stated'}</span>`;
}

function neither(fields: readonly Compared[]): Html | false {
  const names = fields.filter(({ verdict }) => verdict === 'not-stated').map(({ field }) => titleOfField(field));
  return names.length > 0 && html`<p>Not stated at all: ${names.join(', ')}.</p>`;
}

/** Fields whose values are words of a closed vocabulary. */
const WORDS = new Set([
  'status',
  'recruitmentStatus',
  'phase',
  'studyType',
  'sponsor.class',
  'enrollment.type',
  'design.allocation',
  'design.masking',
  'eligibility.sex',
  'ipdSharing.plan',
]);

function stated(field: string, value: unknown): Html {
  return WORDS.has(field) && typeof value === 'string' ? html`${named(value)}` : shown(value);
}

/** A value of any field: text, number, flag, date, or a list of them or of items. */
function shown(value: unknown): Html {
  if (Array.isArray(value)) return listed(value);
  if (typeof value === 'boolean') return html`${value ? 'Yes' : 'No'}`;
  if (typeof value === 'number') return html`${value.toLocaleString('en-GB')}`;
  if (typeof value === 'string') return html`<bdi>${cut(value, TEXT_MAX_CHARACTERS)}</bdi>`;
  if (typeof value !== 'object' || value === null) return html`<span class="soft">not stated</span>`;
  if ('precision' in value) return registryDate(value as NonNullable<Parameters<typeof registryDate>[0]>);
  return html`<bdi>${cut(itemWords(value as Record<string, unknown>), TEXT_MAX_CHARACTERS)}</bdi>`;
}

function listed(items: readonly unknown[]): Html {
  const left = items.length - ITEMS_SHOWN;
  const [only] = items;
  if (items.length === 1) return shown(only);
  return html`<ul>${items.slice(0, ITEMS_SHOWN).map((item) => html`<li>${shown(item)}</li>`)}${left > 0 && html`<li>… and ${count(left)} more</li>`}</ul>`;
}

/** Members that say how the registry writes a value, or where it keeps it. */
const NOT_SHOWN = ['classRaw', 'field', 'latitude', 'longitude', 'reference'];

/** The stated members of an item in their order, as "Placebo, drug". */
function itemWords(item: Record<string, unknown>): string {
  const parts = Object.entries(item)
    .filter(([name, part]) => !NOT_SHOWN.includes(name) && part !== null && part !== 'unknown')
    .map(([, part]) => (Array.isArray(part) ? part.join(', ') : String(part)))
    .filter((part) => part !== '');
  return [...new Set(parts)].join('; ');
}
