import { columnName, FIELD_LIST } from '../../../contract/fields/field-shapes.ts';
import { named } from '../../../contract/fields/value-names.ts';
import type { TrialHistory } from '../../../contract/schemas/trials/trial-change.ts';
import { partOf } from '../failure.ts';
import { type Html, html } from '../html.ts';
import { marked } from '../kit/marked.ts';
import { table } from '../kit/parts.ts';
import { code, count, instant, joined, several } from '../kit/words.ts';
import type { Answered, FailedRead } from '../reads.ts';
import { fieldTitle } from '../snapshots/diff-values.ts';
import { versionLinked } from '../words/snapshots.ts';
import { REGISTRY_NAMES, titleOfField } from '../words/trials.ts';
import { valueWords } from './trial-sides.ts';

type Entry = TrialHistory['entries'][number];
type Change = Entry['changes'][number];

/** What changed about a trial from version to version, newest first. */
export function historyPart(read: Answered<TrialHistory> | FailedRead): Html {
  return partOf('The history', read, told);
}

function told({ firstSeen, kept, missing, entries, formerIds }: TrialHistory): Html {
  return html`<p>${seen(firstSeen)} ${reach(kept, entries.length)}</p>
${missing.length > 0 && html`<p class="notice" role="note">What changed in ${missing.join(', ')} is not told: its stored changes are damaged or missing.</p>`}
${formerIds.length > 0 && html`<p>It went by ${joined(formerIds.map(code))} before.</p>`}
${entries.map(versionPart)}`;
}

function seen({ version, at, orEarlier }: TrialHistory['firstSeen']): Html {
  if (version === null) return html`When this index first saw it is not known.`;
  const named = html`the snapshot ${versionLinked(version)}${at !== null && html` of ${instant(at)}`}`;
  return orEarlier
    ? html`It was there already in ${named}, the oldest whose trials are known; older versions are not kept.`
    : html`First seen in ${named}.`;
}

function reach({ from, to, versions }: TrialHistory['kept'], entries: number): Html {
  const spanned = html`${several(versions, 'comparison', 'comparisons')} of versions${from !== null && html`, from <code>${from}</code>`}${to !== null && html` to <code>${to}</code>`}`;
  if (versions === 0) return html`No later snapshot has been compared with it yet.`;
  return entries === 0 ? html`Nothing about it changed in ${spanned}.` : html`Kept are ${spanned}.`;
}

function versionPart({ version, parent, publishedAt, changes, more, canonicalId }: Entry): Html {
  const differenceOf = (own: Record<string, string>): string | null =>
    parent === null ? null : `/snapshots/diff?${new URLSearchParams({ from: parent, to: version, ...own })}`;
  const difference = differenceOf({ q: canonicalId });
  const records = [
    ...new Set(
      changes.flatMap(({ kind, registrationId }) => (kind === 'registration-changed' ? (registrationId ?? []) : [])),
    ),
  ];
  return html`<details><summary>${instant(publishedAt)}: ${several(changes.length + more, 'change', 'changes')}</summary>
<p>In the snapshot ${versionLinked(version)}${difference !== null && html`, <a href="${difference}">compared with the one before</a>`}.${
    difference !== null &&
    records.length > 0 &&
    html` That comparison lists a trial by the values that it is found and counted by; all that changed in ${joined(
      records.map((id) => html`<a href="${differenceOf({ kind: 'registrations-changed', q: id })}">${id}</a>`),
      ' and ',
    )} is listed with its record.`
  }</p>
${table(`What changed in ${version}`, changes, [
  ['What', what],
  ['Before', (change) => sidesOf(change).before],
  ['After', (change) => sidesOf(change).after],
])}
${more > 0 && difference !== null && html`<p><a href="${difference}">${count(more)} more changes</a> of this version.</p>`}</details>`;
}

/** Names of fields by the columns that changes name. */
const TITLES = new Map(FIELD_LIST.map(({ name, json }) => [columnName(name), titleOfField(json ?? name)]));

/** A column as readers know it. */
function titleOfColumn(column: string): string {
  return TITLES.get(column) ?? fieldTitle(column);
}

function what({ kind, field, registry, registrationId }: Change): Html {
  const by =
    registry === null ? null : `${REGISTRY_NAMES[registry]}${registrationId === null ? '' : ` ${registrationId}`}`;
  return html`${field === null ? named(kind) : titleOfColumn(field)}${by !== null && html`<br><span class="soft">${by}</span>`}`;
}

function sidesOf({ old, new: fresh, related }: Change): { before: Html; after: Html } {
  const [before, after] = [valueWords(old), valueWords(fresh)];
  const others = related.map((id, place) => html`${place > 0 && ', '}<a href="/trials/${id}"><code>${id}</code></a>`);
  const blank = html`<span class="soft">${related.length > 0 ? 'with ' : 'none'}${others}</span>`;
  if (before === null || after === null)
    return {
      before: before === null ? html`<span class="soft">none</span>` : html`<bdi>${before}</bdi>`,
      after: after === null ? blank : html`<bdi>${after}</bdi>`,
    };
  const sides = marked(before, after);
  return { before: html`<bdi>${sides.before}</bdi>`, after: html`<bdi>${sides.after}</bdi>` };
}
