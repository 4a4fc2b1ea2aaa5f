import type { DiffKind } from '../../../contract/schemas/snapshot-diff.ts';
import { type Html, html } from '../html.ts';
import { type Column, count, table } from '../parts.ts';
import { KIND_NAMES, REGISTRY_NAMES, valueText } from './words.ts';

/** Fields shown of one entry; the API call returns all. */
const SHOWN_FIELDS = 12;

interface Field {
  field: string;
  old: unknown;
  new: unknown;
}

/** An entry of any list; the list determines its fields. */
export interface Entry {
  canonicalId?: string;
  title?: string | null;
  registrations?: string[];
  into?: string;
  outOf?: string[];
  registry?: keyof typeof REGISTRY_NAMES;
  id?: string;
  payloadChanged?: boolean;
  linkId?: string;
  from?: string;
  to?: string;
  kind?: string;
  rule?: string;
  verdict?: string;
  fields?: Field[];
}

/** The current trial of each id; null if no trial holds it. */
export type Holders = ReadonlyMap<string, string | null>;

/** The entries of one list: changed entries field by field, others in a table. */
export function entriesOf(kind: DiffKind, entries: readonly Entry[], holders: Holders): Html {
  if (kind.endsWith('-changed')) {
    return html`<ul class="cards">${entries.map((entry) => changed(entry, holders))}</ul>`;
  }
  return table(`${KIND_NAMES[kind]}, in the order of their ids`, columnsOf(kind, holders), entries);
}

function columnsOf(kind: DiffKind, holders: Holders): Column<Entry>[] {
  if (kind.startsWith('links-')) {
    return [
      { head: 'Link', cell: ({ linkId }) => html`<code>${linkId}</code>` },
      { head: 'From', cell: ({ from }) => heldLink(from!, holders) },
      { head: 'To', cell: ({ to }) => heldLink(to!, holders) },
      { head: 'Evidence', cell: linkWords },
    ];
  }
  if (kind.startsWith('registrations-')) {
    return [
      { head: 'Registration', cell: ({ id }) => html`<code>${id}</code>` },
      { head: 'Registry', cell: ({ registry }) => REGISTRY_NAMES[registry!] },
      { head: 'Title', cell: titleOf },
      { head: 'Today', cell: ({ id }) => today(id!, holders) },
    ];
  }
  const id: Column<Entry> = { head: 'Trial', cell: ({ canonicalId }) => html`<code>${canonicalId}</code>` };
  const now: Column<Entry> = { head: 'Today', cell: ({ canonicalId }) => today(canonicalId!, holders) };
  if (kind === 'trials-merged') return [id, { head: 'Merged into', cell: ({ into }) => heldLink(into!, holders) }, now];
  const held: Column<Entry> = { head: 'Registrations', cell: ({ registrations = [] }) => registrations.join(', ') };
  const title: Column<Entry> = { head: 'Title', cell: titleOf };
  if (kind !== 'trials-split') return [id, title, held, now];
  return [id, title, held, { head: 'Split off', cell: ({ outOf = [] }) => outOf.join(', ') }, now];
}

function changed(entry: Entry, holders: Holders): Html {
  const { fields = [], title, payloadChanged } = entry;
  const name = entry.canonicalId ?? entry.id ?? entry.linkId ?? '';
  const rest = fields.length - SHOWN_FIELDS;
  return html`<li><h3><code>${name}</code>${title !== undefined && html` ${titleOf(entry)}`}</h3>
<p>${entry.linkId === undefined ? today(name, holders) : linkWords(entry)}${payloadChanged !== undefined && (payloadChanged ? '; the record itself changed' : '; the record is the same, it is read differently')}</p>
${table<Field>(
  `What differs in ${name}`,
  [
    { head: 'Field', cell: ({ field }) => html`<code>${field}</code>` },
    { head: 'Before', cell: ({ old }) => valueText(old) },
    { head: 'After', cell: (field) => valueText(field.new) },
  ],
  fields.slice(0, SHOWN_FIELDS),
)}${rest > 0 && html`<p>And ${count(rest)} more fields.</p>`}</li>`;
}

function titleOf({ title }: Entry): Html {
  return title ? html`${title}` : html`<span class="soft">without a title</span>`;
}

function linkWords({ from, to, kind, rule, verdict }: Entry): Html {
  return html`${from} → ${to}: ${kind}, ${verdict} by the rule <code>${rule}</code>`;
}

/** An id linked to the trial that holds it now; plain text if none does. */
function heldLink(id: string, holders: Holders): Html {
  const holder = holders.get(id);
  return holder ? html`<a href="/trials/${holder}">${id}</a>` : html`${id} <span class="soft">not held today</span>`;
}

/** Where an id leads in the current version. */
function today(id: string, holders: Holders): Html {
  const holder = holders.get(id);
  if (holder === undefined || holder === null) return html`not held today`;
  return holder === id
    ? html`<a href="/trials/${holder}">held today</a>`
    : html`held today by <a href="/trials/${holder}">${holder}</a>`;
}
