import type { OperationOutput } from '../../../contract/operation.ts';
import { getSnapshot, getSnapshotDiff, getSnapshots } from '../../../contract/operations/trials/snapshots.ts';
import { DIFF_KINDS, type DiffKind } from '../../../contract/schemas/trials/snapshot-diff.ts';
import { failedPart, failureNotice } from '../failure.ts';
import { type Html, html } from '../html.ts';
import { addressWith, apiCall, givenOf } from '../kit/address.ts';
import { chips, choices, facet, pager } from '../kit/list-controls.ts';
import { counted, record } from '../kit/parts.ts';
import { count, joined, longDay } from '../kit/words.ts';
import type { Page, PageContent, PageRequest } from '../page.ts';
import { type Answered, FailedRead } from '../reads.ts';
import { diffAddress, KIND_NAMES, REGISTRY_NAMES, versionLinked, versionWords } from '../words/snapshots.ts';
import { compareForm, FORM_FIELDS } from './compare-form.ts';
import { type Entry, entriesOf } from './diff-entries.ts';
import { fieldTitle } from './diff-values.ts';

type Diff = OperationOutput<typeof getSnapshotDiff>;
type Given = Partial<Record<(typeof GIVEN)[number], string>>;

const PATH = '/snapshots/diff';
const GIVEN = [...FORM_FIELDS, 'field'] as const;
/** A changed entry takes as much room as several others. */
const CHANGED_A_PAGE = 10;
const OTHERS_A_PAGE = 25;
/** Fields of the menu that are shown at once. */
const MENU_FIELDS = 12;
const TITLE = 'What differs between two versions';
/** Used if a failure does not say when to try again. */
const RELOAD_SECONDS = 5;

/** Compares two versions; every state of the page has a permanent address. */
export const diffPage: Page = {
  id: 'page-snapshot-diff',
  async respond(request) {
    const { reads } = request;
    const query = statedIn(request.query);
    const given = givenOf(query, GIVEN);
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
    const calls = [apiCall(getSnapshotDiff, argumentsOf(given, query))];
    if (!(compared instanceof FailedRead)) return { title: TITLE, main: whole(query, compared, form), calls };
    if (compared.status === 503) return waiting(request, compared, form);
    const removed = compared.status === 404 ? await removedOf(reads, given, versions) : [];
    const main = html`${failureNotice(compared.error)}${withoutField(query, fault)}${removed.length > 0 && keptNote(removed)}${form}`;
    return { title: TITLE, status: compared.status, main, calls };
  },
};

/** The way out where a list has no fields to choose from. */
function withoutField(query: URLSearchParams, fault: ReturnType<typeof faultOf>): Html | false {
  return (
    fault?.parameter === 'field' &&
    html`<p><a href="${addressWith(PATH, query, { field: '' })}">Show the whole list</a></p>`
  );
}

/** The versions of the request that were removed and whose manifests are kept. */
async function removedOf(reads: PageRequest['reads'], { from, to }: Given, held: readonly string[]) {
  const names = [...new Set([from, to])].filter((name) => name !== undefined && !held.includes(name));
  const found = await Promise.all(names.map((name) => reads.attempt(getSnapshot, { version: name })));
  return found.flatMap((one) => (one instanceof FailedRead || one.data.state === 'held' ? [] : [one.data.version]));
}

function keptNote(removed: readonly string[]): Html {
  const links = removed.map((name) => versionLinked(name));
  return html`<p>What is kept of a removed version, with how it differed from its parent: ${joined(links)}</p>`;
}

function unasked(form: Html): PageContent {
  const main = html`<p>Choose two versions to see each trial, registration and link that was added, removed or changed, field by field.</p>
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
  const holders = new Map(data.now.map(({ id, ...holder }) => [id, holder]));
  const first = (page - 1) * pageSize + 1;
  const shown = returned === 0 ? 'none' : `${count(first)} to ${count(first + returned - 1)}`;
  const isFiltered = ['field', 'registry', 'q'].some((name) => query.has(name));
  return html`${summary(data, query)}
${choices(
  'Lists of this difference',
  DIFF_KINDS.map((one) => ({
    title: `${KIND_NAMES[one]}: ${count(totalOf(data, one))}`,
    href: listOfKind(query, one),
    chosen: one === kind,
  })),
)}
<details><summary>Other versions, or a part of the list</summary>
${form}</details>
<h2 id="entries">${KIND_NAMES[kind]}</h2>
${kind === 'trials-changed' && html`<p class="hint">Of a trial stand here the values that it is found and counted by. All that changed in its record, such as sites or outcomes, is listed under <a href="${listOfKind(query, 'registrations-changed')}">${KIND_NAMES['registrations-changed'].toLowerCase()}</a>.</p>`}
${menu(data, query)}
${chips('Only', applied(query))}
${returned === 0 ? html`<p>${nothing(data, totalItems, isFiltered)}</p>` : entriesOf(kind, data.entries as Entry[], holders)}
${pager({
  path: PATH,
  query,
  paging: meta.pagination ?? { hasMore: false },
  shown: `${shown} of ${count(totalItems)}${isFiltered ? ' that the filters leave' : ''}`,
  fragment: '#entries',
})}
<details><summary>How the totals add up</summary>
${sums(data, query)}</details>`;
}

/** The list of a kind, without a field, because not every list has fields. */
function listOfKind(query: URLSearchParams, kind: DiffKind): string {
  return `${addressWith(PATH, query, { kind, page: '', field: '', registry: '', q: '' })}#entries`;
}

function numberOf(data: Diff, query: URLSearchParams, kind: DiffKind): Html {
  return counted(totalOf(data, kind), listOfKind(query, kind));
}

function summary(data: Diff, query: URLSearchParams): Html {
  const { from, to } = data;
  const n = (kind: DiffKind): Html => numberOf(data, query, kind);
  const version = ({ version, asOf }: Diff['from']): Html =>
    html`<a href="/snapshots/${version}">${versionWords(version)}</a> (data as of ${longDay(asOf)})`;
  return html`<p>From the version of ${version(from)} to that of ${version(to)}: ${n('trials-added')} trials were added, ${n('trials-changed')} changed, ${n('trials-removed')} were removed, ${n('trials-merged')} were merged into another and ${n('trials-split')} split off another.${to.corpus === 'sample' && ' All of them are synthetic.'}</p>
<p><a href="${diffAddress(to.version, from.version)}">From the second to the first</a></p>`;
}

/** The fields that changed, each with the number of entries that its link leaves. */
function menu({ fields }: Diff, query: URLSearchParams): Html | false {
  if (fields.length === 0) return false;
  const values = fields.map(({ field, entries }) => ({
    title: fieldTitle(field),
    trials: entries,
    href: `${addressWith(PATH, query, { field: query.get('field') === field ? '' : field, page: '' })}#entries`,
    applied: query.get('field') === field,
  }));
  const note = html`An entry in which several fields changed counts in each. <a href="/dictionary">What each field means</a>`;
  const more = values.slice(MENU_FIELDS);
  return html`${facet({ title: 'What changed, by field', values: values.slice(0, MENU_FIELDS), note, closed: true })}${more.length > 0 && facet({ title: `${count(more.length)} more fields`, values: more, closed: true })}`;
}

function applied(query: URLSearchParams) {
  const { field, registry, q } = givenOf(query, GIVEN);
  const words = {
    field: field && `Changed: ${fieldTitle(field)}`,
    registry: registry && `About a registration of ${REGISTRY_NAMES[registry as keyof typeof REGISTRY_NAMES]}`,
    q: q && `Number contains ${q}`,
  };
  return Object.entries(words).flatMap(([name, title]) =>
    title ? [{ title, removeHref: `${addressWith(PATH, query, { [name]: '', page: '' })}#entries` }] : [],
  );
}

/** The totals, written as sums. */
function sums(data: Diff, query: URLSearchParams): Html {
  const { trials, registrations, links, signals } = data.totals;
  const n = (kind: DiffKind): Html => numberOf(data, query, kind);
  return record([
    [
      'Trials',
      html`${count(trials.from)} − ${n('trials-removed')} removed − ${n('trials-merged')} merged + ${n('trials-added')} added + ${n('trials-split')} split = <strong>${count(trials.to)}</strong>; ${n('trials-changed')} changed`,
    ],
    [
      'Registrations',
      html`${count(registrations.from)} − ${n('registrations-removed')} removed + ${n('registrations-added')} added = <strong>${count(registrations.to)}</strong>; ${n('registrations-changed')} changed`,
    ],
    [
      'Links',
      html`${count(links.from)} − ${n('links-lost')} lost + ${n('links-gained')} gained = <strong>${count(links.to)}</strong>; ${n('links-changed')} changed`,
    ],
    [
      'Feed items (no list of them is kept)',
      html`${count(signals.from)} − ${count(signals.lost)} lost + ${count(signals.gained)} gained = <strong>${count(signals.to)}</strong>`,
    ],
  ]);
}

function totalOf({ totals }: Diff, kind: DiffKind): number {
  const [group, name] = kind.split('-') as [keyof Diff['totals'], string];
  return (totals[group] as Record<string, number>)[name] ?? 0;
}

function nothing(data: Diff, totalItems: number, isFiltered: boolean): string {
  if (totalItems > 0) return 'This page is past the end of the list.';
  const total = totalOf(data, data.kind);
  if (total > 0 && isFiltered) return `None of the ${count(total)} has what the filters ask for.`;
  return data.from.version === data.to.version ? 'A version does not differ from itself.' : 'There are none.';
}

/** A form also sends empty fields; addresses leave them out. */
function statedIn(query: URLSearchParams): URLSearchParams {
  return new URLSearchParams(
    [...query].map(([name, value]) => [name, value.trim()]).filter(([, value]) => value !== ''),
  );
}

function argumentsOf(given: Given, query: URLSearchParams): Record<string, string | number> {
  const page = query.get('page');
  const isChanged = (given.kind ?? 'trials-changed').endsWith('-changed');
  return { ...given, pageSize: isChanged ? CHANGED_A_PAGE : OTHERS_A_PAGE, ...(page === null ? {} : { page }) };
}

function faultOf({ error }: FailedRead): { parameter: string; expected: string } | null {
  const { parameter, expected } = error;
  return parameter === undefined || expected === undefined ? null : { parameter, expected };
}
