import { DIFF_KINDS } from '../../contract/schemas/trials/snapshot-diff.ts';
import type { DiffEntry } from '../../snapshot/sql/compare.ts';
import type { SnapshotDiff } from './diff.ts';

/** A list of a diff, for both renderers. */
export interface DiffSection {
  heading: string;
  /** Exact total, also if fewer lines follow. */
  total: number;
  lines: { text: string; fields: { field: string; old: unknown; new: unknown }[] }[];
}

/** Longer values are cut in texts; the JSON is complete. */
const MAX_VALUE_LENGTH = 160;

/** A diff in plain text: totals that add up, then each list that is not empty. */
export function renderDiffText(diff: SnapshotDiff): string {
  const out = [`from ${diff.from.version} to ${diff.to.version}`, '', ...totalLines(diff)];
  for (const { heading, total, lines } of diffSections(diff)) {
    out.push('', `${heading}: ${total}`);
    for (const { text, fields } of lines) {
      out.push(`  ${text}`);
      out.push(...fields.map((one) => `    ${one.field}: ${valueText(one.old)} -> ${valueText(one.new)}`));
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

/** Every list that is not empty. */
export function diffSections(diff: SnapshotDiff): DiffSection[] {
  return DIFF_KINDS.flatMap((kind) => {
    const [group, name] = kind.split('-') as ['trials', 'added'];
    const total = diff.totals[group][name];
    const lines = diff[group][name].map((entry) => ({
      text: entryText(entry),
      fields: 'fields' in entry ? entry.fields : [],
    }));
    return total === 0 ? [] : [{ heading: `${group} ${name}`, total, lines }];
  });
}

/** A value as one line of bounded length. */
export function valueText(value: unknown): string {
  const text = JSON.stringify(value ?? null);
  return text.length <= MAX_VALUE_LENGTH ? text : `${text.slice(0, MAX_VALUE_LENGTH)}…`;
}

function entryText(entry: DiffEntry): string {
  if ('linkId' in entry) return `${entry.linkId} ${entry.from} -> ${entry.to} ${entry.verdict} by ${entry.rule}`;
  if ('into' in entry) {
    const links = entry.causes.map(({ linkId, from, to, rule }) => `${linkId} ${from} -> ${to} by ${rule}`);
    return `${entry.canonicalId} into ${entry.into}${links.length === 0 ? '' : `, joined by ${links.join('; ')}`}`;
  }
  const title = entry.title === null ? '(no title)' : valueText(entry.title);
  if ('registry' in entry) return `${entry.id} ${title}${'fields' in entry ? ` (${causeOf(entry)})` : ''}`;
  const registrations = 'registrations' in entry ? ` [${entry.registrations.join(', ')}]` : '';
  if ('outOf' in entry) return `${entry.canonicalId} out of ${entry.outOf.join(', ')}${registrations}`;
  return `${entry.canonicalId} ${title}${registrations}`;
}

/** A record can become superseded by what another record says, with no change of its own. */
export function causeOf({
  payloadChanged,
  fields,
}: Pick<Extract<DiffEntry, { payloadChanged: boolean }>, 'payloadChanged' | 'fields'>): string {
  if (payloadChanged) return 'record changed';
  const [first, ...others] = fields;
  if (first?.field !== 'superseded_by' || others.length > 0) return 'same record, read differently';
  return first.new === null ? 'same record, no longer superseded' : `same record, now superseded by ${first.new}`;
}
