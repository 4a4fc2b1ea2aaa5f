import { type FieldVerdict, NORMALISATIONS } from '../../../contract/fields/field-verdicts.ts';
import { httpInput } from '../../../contract/interfaces/arguments.ts';
import { compareTrial } from '../../../contract/operations/trials/trial-comparison.ts';
import type { RegistrationComparison } from '../../../contract/schemas/trials/registration-comparison.ts';
import { type Html, html } from '../html.ts';
import { besideOther } from '../kit/marked.ts';
import { type Column, counted, record, table, takeAway } from '../kit/parts.ts';
import { joined, several } from '../kit/words.ts';
import type { Page, PageContent } from '../page.ts';
import { cut, named, outside, REGISTRY_NAMES, titleOfField, trialAddress } from '../words/trials.ts';
import { Extent } from './extent.ts';
import { valueWords } from './trial-sides.ts';

const TITLE_MAX_CHARACTERS = 300;
/** Letters of a value on the page of all fields, and on the page of one field. */
const CHARACTERS = { few: 600, all: 40_000 };

type Compared = RegistrationComparison['fields'][number];
type Registration = RegistrationComparison['registrations'][number];

/** The registrations of a trial side by side, what differs first; with `field`, all of one field. */
export const comparisonPage: Page = {
  id: 'page-trial-comparison',
  async respond({ reads, params, query, baseUrl }) {
    const { data, meta } = await reads.read(compareTrial, { id: params.id! });
    const field = data.fields.find((one) => one.field === query.get('field'));
    const { canonicalId } = data;
    const address = trialAddress(canonicalId);
    const name = titleOf(data);
    const crumbs = [
      ['Trials', '/trials'],
      [data.registrations[0]?.id ?? canonicalId, address],
    ] as const;
    const calls = [httpInput(compareTrial, { id: canonicalId }).path];
    if (field !== undefined) return { ...oneField(data, field, `${baseUrl}${address}/compare`), crumbs, calls };
    return {
      title: `Registrations compared: ${name}`,
      description: `What the registries say of the trial ${name}, field by field: ${data.verdicts.differs} fields differ.`,
      canonical: `${baseUrl}${address}/compare`,
      crumbs,
      main: html`<p><a href="${address}">The trial and the evidence behind it</a></p>
${(meta.notices ?? []).map((notice) => html`<p class="notice" role="note">${notice}</p>`)}
${data.registrations.length === 1 ? alone(data) : summary(data)}
${SECTIONS.map((section) => part(data, section))}
${neither(data.fields)}
<p class="soft">A difference is what two registries state, and not which one is right. The registries' own words and prose of eligibility are not compared.</p>
${takeAway([{ title: 'This comparison as JSON', href: calls[0]!, hint: 'every field with its verdict and both values' }])}`,
      calls,
    };
  },
};

function titleOf({ fields, canonicalId }: RegistrationComparison): string {
  const title = fields.find(({ field }) => field === 'title')?.values[0]?.value;
  return cut(typeof title === 'string' ? title : canonicalId, TITLE_MAX_CHARACTERS);
}

function alone({ registrations, absentFrom }: RegistrationComparison): Html {
  return html`<p class="notice" role="note">There is one registration, ${joined(registrations.map(({ id, url }) => outside(url, id)))}, so that nothing can differ. This index holds no registration of it from the ${joined(absentFrom.map((registry) => REGISTRY_NAMES[registry]))}, which does not prove that there is none.</p>`;
}

/** Numbers of fields, each leading to their list on this page. */
function summary({ verdicts }: RegistrationComparison): Html {
  const fields = (number: number, id: string): Html =>
    html`${counted(number, number === 0 ? null : `#verdict-${id}`)} ${number === 1 ? 'field' : 'fields'}`;
  return record([
    ['Differ', fields(verdicts.differs, 'differs')],
    ['Equal once a form is set aside', fields(verdicts.equalAfter, 'equal-after')],
    ['Stated by one registry', fields(verdicts.onlyIn, 'only-in')],
    ['Stated by one, not held of the other', fields(verdicts.notHeld, 'not-held')],
    ['Equal', fields(verdicts.equal, 'equal')],
    ['Stated by neither', fields(verdicts.notStated, 'not-stated')],
  ]);
}

interface Section {
  verdict: Exclude<FieldVerdict, 'not-stated'>;
  heading: string;
  caption: string;
}

const SECTIONS: readonly Section[] = [
  {
    verdict: 'differs',
    heading: 'What differs',
    caption: 'Both registries state it, and not the same. Words that the other does not have are marked',
  },
  {
    verdict: 'equal-after',
    heading: 'Equal after a normalisation',
    caption: 'Both state the same, once a difference in form is set aside',
  },
  { verdict: 'only-in', heading: 'Stated by one registry', caption: 'One registry states it' },
  {
    verdict: 'not-held',
    heading: 'Not held in this form of the record',
    caption: 'One registry states it; this index holds the other record in a form without the field',
  },
  { verdict: 'equal', heading: 'Equal', caption: 'Both registries state the same' },
];

function part(data: RegistrationComparison, { verdict, heading, caption }: Section): Html | false {
  const { registrations, fields } = data;
  // What the trial's own list of conflicts names comes first.
  const rows = fields
    .filter((field) => field.verdict === verdict)
    .sort((a, b) => Number(b.namedInConflicts) - Number(a.namedInConflicts));
  if (rows.length === 0) return false;
  const columns: Column<Compared>[] = [
    ['Field', ({ field }) => titleOfField(field)],
    ...(verdict === 'equal-after' ? [['Set aside', setAside] as const] : []),
    ...(verdict === 'equal' && registrations.length > 1
      ? [['Both state', (field: Compared) => short(data, field, registrations[0]!)] as const]
      : registrations.map((one): Column<Compared> => [headOf(one), (field) => short(data, field, one)])),
  ];
  const id = `verdict-${verdict}`;
  const shown = table(caption, rows, columns);
  return html`<section aria-labelledby="${id}"><h2 id="${id}">${heading}</h2>
${verdict === 'differs' ? shown : html`<details><summary>${several(rows.length, 'field', 'fields')}</summary>${shown}</details>`}</section>`;
}

const headOf = ({ registry, id }: Registration): string => `${REGISTRY_NAMES[registry]} ${id}`;

function setAside({ normalisations }: Compared): Html {
  return joined(
    normalisations.map((name) => NORMALISATIONS[name]),
    '; ',
  );
}

/** A value, or its beginning with a link to all of the field. */
function short({ canonicalId }: RegistrationComparison, compared: Compared, registration: Registration): Html {
  const extent = new Extent({ items: 1, characters: CHARACTERS.few });
  const shown = side(compared, registration, extent);
  const all = `${trialAddress(canonicalId)}/compare?${new URLSearchParams({ field: compared.field })}`;
  return html`${shown}${extent.leavesOut && html` <a href="${all}">All of it<span class="unseen">: ${titleOfField(compared.field)}</span></a>`}`;
}

function side(compared: Compared, { registry }: Registration, extent: Extent): Html {
  const { field, values, noFieldIn, notHeldIn, verdict } = compared;
  const own = values.find((one) => one.registry === registry);
  const words = own === undefined ? null : wordsOf(field, own.value);
  if (words === null) {
    const why = noFieldIn.includes(registry) ? 'the registry has no such field' : 'not stated';
    return html`<span class="soft">${notHeldIn.includes(registry) ? 'not held in this form of the record' : why}</span>`;
  }
  const other = verdict === 'differs' ? values.find((one) => one.registry !== registry) : undefined;
  const opposite = other === undefined ? null : wordsOf(field, other.value);
  return html`<div class="lines">${besideOther(extent.text(words), opposite === null ? null : opposite.slice(0, extent.characters))}</div>`;
}

function neither(fields: readonly Compared[]): Html | false {
  const blank = fields.filter(({ verdict }) => verdict === 'not-stated');
  const [lacking, stated] = [blank.filter(isNotHeld), blank.filter((one) => !isNotHeld(one))];
  const names = (of: readonly Compared[]): string => of.map(({ field }) => titleOfField(field)).join(', ');
  return (
    blank.length > 0 &&
    html`<div id="verdict-not-stated">${stated.length > 0 && html`<p>Not stated at all: ${names(stated)}.</p>`}
${lacking.length > 0 && html`<p>Not stated, and not held in this form of a record: ${names(lacking)}.</p>`}</div>`
  );
}

const isNotHeld = ({ notHeldIn }: Compared): boolean => notHeldIn.length > 0;

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

function wordsOf(field: string, value: unknown): string | null {
  return WORDS.has(field) && typeof value === 'string' ? named(value) : valueWords(value);
}

/** All that the registrations say in one field, one below the other. */
function oneField(data: RegistrationComparison, compared: Compared, comparison: string): PageContent {
  const extent = new Extent({ items: 1, characters: CHARACTERS.all });
  const title = titleOfField(compared.field);
  return {
    title: `${title}: ${titleOf(data)}`,
    description: `What each registry says of the trial ${titleOf(data)} in one field: ${title}.`,
    canonical: `${comparison}?${new URLSearchParams({ field: compared.field })}`,
    main: html`<p><a href="${trialAddress(data.canonicalId)}/compare">Every field of the registrations</a></p>
${data.registrations.map(
  (
    registration,
    place,
  ) => html`<section aria-labelledby="side-${place}"><h2 id="side-${place}">${headOf(registration)}</h2>
${side(compared, registration, extent)}</section>`,
)}`,
  };
}
