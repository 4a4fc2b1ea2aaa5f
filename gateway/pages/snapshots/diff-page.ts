import { REGISTRY_IDS } from '../../../contract/ids.ts';
import type { OperationOutput } from '../../../contract/operation.ts';
import { getSnapshot, getSnapshotDiff, getSnapshots } from '../../../contract/operations/snapshots.ts';
import { DIFF_KINDS, type DiffKind } from '../../../contract/schemas/snapshot-diff.ts';
import { failedPart, failureNotice } from '../failure.ts';
import { type Html, html } from '../html.ts';
import { addressWith } from '../kit/address.ts';
import { pager } from '../kit/pager.ts';
import { record } from '../kit/record.ts';
import { type Column, table } from '../kit/table.ts';
import { code, count, instant, joined } from '../kit/words.ts';
import type { Page, PageContent, PageRequest } from '../page.ts';
import { type Answered, FailedRead } from '../reads.ts';
import { diffAddress, KIND_NAMES, REGISTRY_NAMES, valueText } from './words.ts';

type Diff = OperationOutput<typeof getSnapshotDiff>;

const PATH = '/snapshots/diff';
/** A changed entry takes as much room as several others. */
const CHANGED_A_PAGE = 10;
const OTHERS_A_PAGE = 25;
const TITLE = 'What differs between two versions';
/** Used if a failure does not say when to try again. */
const RELOAD_SECONDS = 5;

/** Compares two versions; every state of the page has a permanent address. */
export const diffPage: Page = {
  id: 'page-snapshot-diff',
  async respond(request) {
    const { reads } = request;
    const query = statedIn(request.query);
    const given = givenIn(query);
    const isAsked = given.from !== undefined && given.to !== undefined;
    const [listed, compared] = await Promise.all([
      reads.attempt(getSnapshots, { pageSize: 100 }),
      isAsked ? reads.attempt(getSnapshotDiff, argumentsOf(given, query)) : null,
    ]);
    const versions = listed instanceof FailedRead ? [] : listed.data.snapshots.map(({ version }) => version);
    const fault = compared instanceof FailedRead ? faultOf(compared) : null;
    const form = html`${listed instanceof FailedRead && failedPart('The list of versions', listed)}
${compareForm({ versions, given, fault })}`;
    if (compared === null) return unasked(form);
    const calls = [callOf(given, query)];
    if (!(compared instanceof FailedRead)) return { title: TITLE, main: whole(query, compared, form), calls };
    if (compared.status === 503) return waiting(request, compared, form);
    const removed = compared.status === 404 ? await removedOf(reads, given, versions) : [];
    const main = html`${failureNotice(compared.error)}${removed.length > 0 && keptNote(removed)}${form}`;
    return { title: TITLE, status: compared.status, main, calls };
  },
};

/** The versions of the request that were removed and whose manifests are kept. */
async function removedOf(reads: PageRequest['reads'], { from, to }: FormGiven, held: readonly string[]) {
  const names = [...new Set([from, to])].filter((name) => name !== undefined && !held.includes(name));
  const found = await Promise.all(names.map((name) => reads.attempt(getSnapshot, { version: name })));
  return found.flatMap((one) => (one instanceof FailedRead || one.data.state === 'held' ? [] : [one.data.version]));
}

function keptNote(removed: readonly string[]): Html {
  const links = removed.map((name) => html`<a href="/snapshots/${name}"><code>${name}</code></a>`);
  return html`<p>What is kept of a removed version, with how it differed from its parent: ${joined(links)}</p>`;
}

function unasked(form: Html): PageContent {
  const main = html`<p>Choose two versions to see each trial, registration and link that was added, removed or changed, field by field, with totals that add up.</p>
${form}
<p><a href="/snapshots">All versions</a></p>`;
  return { title: TITLE, main };
}

/** Shown while a comparison is not ready or not available. */
function waiting({ path }: PageRequest, { error, status }: FailedRead, form: Html): PageContent {
  const refreshSeconds = error.retryAfterSeconds ?? RELOAD_SECONDS;
  return {
    title: 'Not compared yet',
    status,
    retryAfterSeconds: refreshSeconds,
    refreshSeconds,
    main: html`<div class="notice" role="status">
<p>${error.message}</p>
<p>This page reloads by itself every ${refreshSeconds} s, or you can <a href="${path}">ask again now</a>.</p>
<p class="soft"><a href="/docs/errors/${error.code}"><code>${error.code}</code></a>, correlation id <code>${error.correlationId}</code></p>
</div>
${form}`,
  };
}

function whole(query: URLSearchParams, { data, meta }: Answered<Diff>, form: Html): Html {
  const { totalItems = 0, page = 1, pageSize = 1, returned = 0 } = meta.pagination ?? {};
  const { kind } = data;
  const holders = new Map(data.now.map(({ id, canonicalId }) => [id, canonicalId]));
  const first = (page - 1) * pageSize + 1;
  const shown = returned === 0 ? 'none' : `${count(first)} to ${count(first + returned - 1)}`;
  return html`${sides(data)}
<h2>Totals</h2>
${sums(data)}
<h2>Lists</h2>
${lists(data, query)}
${form}
<h2 id="entries">${KIND_NAMES[kind]}</h2>
${returned === 0 ? html`<p>${nothing(data, totalItems, query)}</p>` : entriesOf(kind, data.entries as Entry[], holders)}
${pager({
  path: PATH,
  query,
  paging: meta.pagination ?? { hasMore: false },
  shown: `${shown} of ${count(totalItems)}${isFiltered(query) ? ' that the filters leave' : ''}`,
})}`;
}

function sides({ from, to }: Diff): Html {
  const words = ({ version, createdAt, asOf, contentHash, corpus }: Diff['from']): Html =>
    html`<a href="/snapshots/${version}"><code>${version}</code></a>, published ${instant(createdAt)}, as of ${asOf}, ${corpus === 'sample' ? 'synthetic sample' : 'registries'}, content <code>${contentHash}</code>`;
  return record([
    ['From', words(from)],
    ['To', words(to)],
    [
      'In the other direction',
      html`<a href="${diffAddress(to.version, from.version)}">from the second to the first</a>`,
    ],
  ]);
}

/** The totals, written as sums. */
function sums({ totals: { trials, registrations, links, signals } }: Diff): Html {
  const n = count;
  return record([
    [
      'Trials',
      html`${n(trials.from)} − ${n(trials.removed)} removed − ${n(trials.merged)} merged + ${n(trials.added)} added + ${n(trials.split)} split = <strong>${n(trials.to)}</strong>; ${n(trials.changed)} changed`,
    ],
    [
      'Registrations',
      html`${n(registrations.from)} − ${n(registrations.removed)} removed + ${n(registrations.added)} added = <strong>${n(registrations.to)}</strong>; ${n(registrations.changed)} changed`,
    ],
    [
      'Links',
      html`${n(links.from)} − ${n(links.lost)} lost + ${n(links.gained)} gained = <strong>${n(links.to)}</strong>; ${n(links.changed)} changed`,
    ],
    [
      'Feed items',
      html`${n(signals.from)} − ${n(signals.lost)} lost + ${n(signals.gained)} gained = <strong>${n(signals.to)}</strong>`,
    ],
  ]);
}

function totalOf({ totals }: Diff, kind: DiffKind): number {
  const [group, name] = kind.split('-') as [keyof Diff['totals'], string];
  return (totals[group] as Record<string, number>)[name] ?? 0;
}

/** Every list with its size; drops a field filter, because not every list has fields. */
function lists(data: Diff, query: URLSearchParams): Html {
  return html`<ul class="chips" aria-label="Lists of this difference">${DIFF_KINDS.map((kind) => {
    const address = `${addressWith(PATH, query, { kind, page: '', field: '' })}#entries`;
    const words = `${KIND_NAMES[kind]}: ${count(totalOf(data, kind))}`;
    return html`<li><a href="${address}"${kind === data.kind && html` aria-current="true"`}>${words}</a></li>`;
  })}</ul>`;
}

function nothing(data: Diff, totalItems: number, query: URLSearchParams): string {
  if (totalItems > 0) return 'This page is past the end of the list.';
  const total = totalOf(data, data.kind);
  if (total > 0 && isFiltered(query)) return `None of the ${count(total)} has what the filters ask for.`;
  return data.from.version === data.to.version ? 'A version does not differ from itself.' : 'There are none.';
}

function isFiltered(query: URLSearchParams): boolean {
  return (['field', 'registry', 'q'] as const).some((name) => query.has(name));
}

/** A form also sends empty fields; addresses leave them out. */
function statedIn(query: URLSearchParams): URLSearchParams {
  return new URLSearchParams(
    [...query].map(([name, value]) => [name, value.trim()]).filter(([, value]) => value !== ''),
  );
}

function givenIn(query: URLSearchParams): FormGiven {
  const pairs = FORM_FIELDS.map((name): [FormField, string | null] => [name, query.get(name)]);
  return Object.fromEntries(pairs.filter(([, value]) => value !== null));
}

function argumentsOf(given: FormGiven, query: URLSearchParams): Record<string, string | number> {
  const page = query.get('page');
  const isChanged = (given.kind ?? 'trials-changed').endsWith('-changed');
  return { ...given, pageSize: isChanged ? CHANGED_A_PAGE : OTHERS_A_PAGE, ...(page === null ? {} : { page }) };
}

function callOf(given: FormGiven, query: URLSearchParams): string {
  const { from = '', to = '', ...rest } = argumentsOf(given, query);
  const pairs = Object.entries(rest).map(([name, value]): [string, string] => [name, String(value)]);
  // The call is shown between single quotes.
  const segment = (value: string | number): string => encodeURIComponent(value).replaceAll("'", '%27');
  return `/api/v1/snapshots/${segment(from)}/diff/${segment(to)}?${new URLSearchParams(pairs)}`;
}

function faultOf({ error }: FailedRead): { parameter: string; expected: string } | null {
  const { parameter, expected } = error;
  return parameter === undefined || expected === undefined ? null : { parameter, expected };
}

/** Form fields, which are also the parameters of the page's address. */
const FORM_FIELDS = ['from', 'to', 'kind', 'field', 'registry', 'q'] as const;
type FormField = (typeof FORM_FIELDS)[number];
type FormGiven = Partial<Record<FormField, string>>;

interface FormFault {
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
${text('q', 'Id contains', 'such as NCT0400 or wt_; up to 80 characters', given.q ?? '', fault)}
${text('field', 'Changed field', 'a column such as recruitment_status; only for lists of changes', given.field ?? '', fault)}
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

/** Fields shown of one entry; the API call returns all. */
const SHOWN_FIELDS = 12;

interface Field {
  field: string;
  old: unknown;
  new: unknown;
}

/** An entry of any list; the list determines its fields. */
interface Entry {
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
type Holders = ReadonlyMap<string, string | null>;

/** The entries of one list: changed entries field by field, others in a table. */
export function entriesOf(kind: DiffKind, entries: readonly Entry[], holders: Holders): Html {
  if (kind.endsWith('-changed')) {
    return html`<ul class="cards">${entries.map((entry) => changed(entry, holders))}</ul>`;
  }
  return table(`${KIND_NAMES[kind]}, in the order of their ids`, entries, columnsOf(kind, holders));
}

function columnsOf(kind: DiffKind, holders: Holders): Column<Entry>[] {
  if (kind.startsWith('links-')) {
    return [
      { head: 'Link', cell: ({ linkId }) => code(linkId) },
      { head: 'From', cell: ({ from }) => heldLink(from!, holders) },
      { head: 'To', cell: ({ to }) => heldLink(to!, holders) },
      { head: 'Evidence', cell: linkWords },
    ];
  }
  if (kind.startsWith('registrations-')) {
    return [
      { head: 'Registration', cell: ({ id }) => code(id) },
      { head: 'Registry', cell: ({ registry }) => REGISTRY_NAMES[registry!] },
      { head: 'Title', cell: titleOf },
      { head: 'Today', cell: ({ id }) => today(id!, holders) },
    ];
  }
  const id: Column<Entry> = { head: 'Trial', cell: ({ canonicalId }) => code(canonicalId) };
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
<p>${entry.linkId === undefined ? today(name, holders) : linkWords(entry)}${payloadChanged !== undefined && (payloadChanged ? '; the record itself changed' : '; the record is unchanged, but is read differently')}</p>
${table<Field>(`What differs in ${name}`, fields.slice(0, SHOWN_FIELDS), [
  { head: 'Field', cell: ({ field }) => code(field) },
  { head: 'Before', cell: ({ old }) => valueText(old) },
  { head: 'After', cell: (field) => valueText(field.new) },
])}${rest > 0 && html`<p>And ${count(rest)} more fields.</p>`}</li>`;
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
