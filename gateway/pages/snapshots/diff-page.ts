import type { OperationOutput } from '../../../contract/operation.ts';
import { getSnapshotDiff, getSnapshots } from '../../../contract/operations/snapshots.ts';
import { DIFF_KINDS, type DiffKind } from '../../../contract/schemas/snapshot-diff.ts';
import { failedPart, failureNotice } from '../failure.ts';
import { type Html, html } from '../html.ts';
import type { Page, PageContent, PageRequest } from '../page.ts';
import { addressWith, count, facts, instant, pager } from '../parts.ts';
import { type Answered, FailedRead } from '../reads.ts';
import { compareForm, FORM_FIELDS, type FormField, type FormGiven } from './compare-form.ts';
import { type Entry, entriesOf } from './diff-entries.ts';
import { diffAddress, KIND_NAMES } from './words.ts';

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
    const main = html`${failureNotice(compared.error)}${form}`;
    return { title: TITLE, status: compared.status, main, calls };
  },
};

function unasked(form: Html): PageContent {
  const main = html`<p>Choose two versions: each trial, registration and link that came, went or changed is named, field by field, with totals that add up.</p>
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
<p>This page asks again by itself every ${refreshSeconds} s; or <a href="${path}">ask again now</a>.</p>
<p class="soft"><a href="/docs/errors/${error.code}"><code>${error.code}</code></a>, correlation id <code>${error.correlationId}</code></p>
</div>
${form}`,
  };
}

function whole(query: URLSearchParams, { data, meta }: Answered<Diff>, form: Html): Html {
  const { totalItems = 0, page = 1, pageSize = 1, returned = 0, hasMore } = meta.pagination ?? {};
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
  previous: page > 1 ? { page: page === 2 ? '' : String(page - 1) } : null,
  next: hasMore === true ? { page: String(page + 1) } : null,
  shown: `${shown} of ${count(totalItems)}${isFiltered(query) ? ' that the filters leave' : ''}`,
})}`;
}

function sides({ from, to }: Diff): Html {
  const words = ({ version, createdAt, asOf, contentHash, corpus }: Diff['from']): Html =>
    html`<a href="/snapshots/${version}"><code>${version}</code></a>, published ${instant(createdAt)}, as of ${asOf}, ${corpus === 'sample' ? 'synthetic sample' : 'registries'}, content <code>${contentHash}</code>`;
  return facts([
    ['From', words(from)],
    ['To', words(to)],
    ['The other way round', html`<a href="${diffAddress(to.version, from.version)}">from the second to the first</a>`],
  ]);
}

/** The totals, written as sums. */
function sums({ totals: { trials, registrations, links, signals } }: Diff): Html {
  const n = count;
  return facts([
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
  if (totalItems > 0) return 'This page lies beyond the end of the list.';
  const total = totalOf(data, data.kind);
  if (total > 0 && isFiltered(query)) return `None of the ${count(total)} has what the filters ask for.`;
  return data.from.version === data.to.version ? 'A version differs from itself in nothing.' : 'There are none.';
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
