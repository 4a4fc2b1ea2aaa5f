import type {
  ChangedLink,
  ChangedRegistration,
  ChangedTrial,
  FieldChange,
  LinkEntry,
  MergedTrial,
} from '../../snapshot/sql/lists.ts';
import type { SnapshotDiff } from './diff.ts';

/** A list of a diff, for both renderers. */
export interface DiffSection {
  heading: string;
  /** Exact total, also if fewer lines follow. */
  total: number;
  lines: { text: string; fields: readonly FieldChange[] }[];
}

/** Longer values are cut in texts; the JSON is complete. */
const MAX_VALUE_LENGTH = 160;

/** A diff in plain text: totals that add up, then each list that is not empty. */
export function renderDiffText(diff: SnapshotDiff): string {
  const out = [`from ${diff.from.version} to ${diff.to.version}`, '', ...totalLines(diff)];
  for (const { heading, total, lines } of diffSections(diff)) {
    if (total === 0) continue;
    out.push('', `${heading}: ${total}`);
    for (const line of lines) {
      out.push(`  ${line.text}`);
      out.push(...line.fields.map((field) => `    ${field.field}: ${shown(field.old)} -> ${shown(field.new)}`));
    }
    if (lines.length < total) out.push(`  … and ${total - lines.length} more`);
  }
  return `${out.join('\n')}\n`;
}

/** The totals in words, one line per table. */
export function totalLines({ totals }: SnapshotDiff): string[] {
  const { trials, registrations, links, signals } = totals;
  return [
    `trials: ${trials.from} - ${trials.removed} removed - ${trials.merged} merged + ${trials.added} added + ${trials.split} split = ${trials.to}; ${trials.changed} changed`,
    `registrations: ${registrations.from} - ${registrations.removed} removed + ${registrations.added} added = ${registrations.to}; ${registrations.changed} changed`,
    `links: ${links.from} - ${links.lost} lost + ${links.gained} gained = ${links.to}; ${links.changed} changed`,
    `signals: ${signals.from} - ${signals.lost} lost + ${signals.gained} gained = ${signals.to}`,
  ];
}

/** Every list with its heading, exact total and lines. */
export function diffSections({ trials, registrations, links, totals }: SnapshotDiff): DiffSection[] {
  return [
    section(
      'trials added',
      totals.trials.added,
      trials.added,
      (t) => `${t.canonicalId} ${titled(t)} [${t.registrations.join(', ')}]`,
    ),
    section(
      'trials removed',
      totals.trials.removed,
      trials.removed,
      (t) => `${t.canonicalId} ${titled(t)} [${t.registrations.join(', ')}]`,
    ),
    section('trials merged', totals.trials.merged, trials.merged, mergedText),
    section(
      'trials split',
      totals.trials.split,
      trials.split,
      (t) => `${t.canonicalId} out of ${t.outOf.join(', ')} [${t.registrations.join(', ')}]`,
    ),
    section('trials changed', totals.trials.changed, trials.changed, (t) => `${t.canonicalId} ${titled(t)}`),
    section('registrations added', totals.registrations.added, registrations.added, (r) => `${r.id} ${titled(r)}`),
    section(
      'registrations removed',
      totals.registrations.removed,
      registrations.removed,
      (r) => `${r.id} ${titled(r)}`,
    ),
    section('registrations changed', totals.registrations.changed, registrations.changed, changedRegistration),
    section('links gained', totals.links.gained, links.gained, linkText),
    section('links lost', totals.links.lost, links.lost, linkText),
    section('links changed', totals.links.changed, links.changed, linkText),
  ];
}

/** A value as one line of bounded length. */
export function shown(value: unknown): string {
  const text = JSON.stringify(value ?? null);
  return text.length <= MAX_VALUE_LENGTH ? text : `${text.slice(0, MAX_VALUE_LENGTH)}…`;
}

function section<T extends object>(
  heading: string,
  total: number,
  entries: readonly T[],
  text: (entry: T) => string,
): DiffSection {
  const lines = entries.map((entry) => ({ text: text(entry), fields: fieldsOf(entry) }));
  return { heading, total, lines };
}

function fieldsOf(entry: object): readonly FieldChange[] {
  return (entry as Partial<ChangedTrial | ChangedRegistration | ChangedLink>).fields ?? [];
}

function titled({ title }: { title: string | null }): string {
  return title === null ? '(no title)' : shown(title);
}

function changedRegistration(registration: ChangedRegistration): string {
  return `${registration.id} ${titled(registration)} (${causeOf(registration)})`;
}

/** A record can become superseded by what another record says, with no change of its own. */
export function causeOf({ payloadChanged, fields }: Pick<ChangedRegistration, 'payloadChanged' | 'fields'>): string {
  if (payloadChanged) return 'record changed';
  const [first, ...others] = fields;
  if (first?.field !== 'superseded_by' || others.length > 0) return 'same record, read differently';
  return first.new === null ? 'same record, no longer superseded' : `same record, now superseded by ${first.new}`;
}

function mergedText({ canonicalId, into, causes }: MergedTrial): string {
  const links = causes.map(({ linkId, from, to, rule }) => `${linkId} ${from} -> ${to} by ${rule}`);
  return `${canonicalId} into ${into}${links.length === 0 ? '' : `, joined by ${links.join('; ')}`}`;
}

function linkText(link: LinkEntry): string {
  return `${link.linkId} ${link.from} -> ${link.to} ${link.verdict} by ${link.rule}`;
}
