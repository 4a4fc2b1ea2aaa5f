import { escapeMarkup } from '../../contract/markup.ts';
import { DIFF_KINDS } from '../../contract/schemas/trials/snapshot-diff.ts';
import type { DiffEntry } from '../../snapshot/sql/compare.ts';
import type { SnapshotDiff } from './diff.ts';

/** A list of a diff that is not empty. */
interface DiffSection {
  heading: string;
  lines: string[];
}

/** Longer values are cut in texts; the JSON is complete. */
const MAX_VALUE_LENGTH = 160;

/** A diff in plain text: totals that add up, then each list that is not empty. */
export function renderDiffText(diff: SnapshotDiff): string {
  const head = [`from ${diff.from.version} to ${diff.to.version}`, '', ...totalLines(diff)];
  const lists = sectionsOf(diff).flatMap(({ heading, lines }) => ['', heading, ...lines]);
  return `${[...head, ...lists].join('\n')}\n`;
}

/** A diff as one self-contained page: no script, nothing loaded, all registry texts escaped. */
export function renderDiffHtml(diff: SnapshotDiff): string {
  const title = escapeMarkup(`Snapshot ${diff.from.version} to ${diff.to.version}`);
  const sides = (['from', 'to'] as const).map((side) => {
    const { version, corpus, asOf, contentHash } = diff[side];
    return `${side}: ${version}, ${corpus}, as of ${asOf}, content ${contentHash}`;
  });
  const sections = sectionsOf(diff).map(
    ({ heading, lines }) => `<h2>${escapeMarkup(heading)}</h2>\n<pre>${escapeMarkup(lines.join('\n'))}</pre>`,
  );
  return `<!doctype html>
<html lang="en"><head><meta charset="utf-8"><meta name="viewport" content="width=device-width, initial-scale=1"><title>${title}</title>
<style>:root{color-scheme:light dark}body{font:16px/1.5 system-ui,sans-serif;margin:1rem}pre{white-space:pre-wrap;overflow-wrap:anywhere}</style>
</head><body><main><h1>${title}</h1>
<pre>${escapeMarkup([...sides, ...totalLines(diff)].join('\n'))}</pre>
${sections.length === 0 ? '<p>Nothing differs.</p>' : sections.join('\n')}
</main></body></html>
`;
}

/** The totals in words, one line per table. */
function totalLines({ totals }: SnapshotDiff): string[] {
  const { trials, registrations, links, signals } = totals;
  return [
    `trials: ${trials.from} - ${trials.removed} removed - ${trials.merged} merged + ${trials.added} added + ${trials.split} split = ${trials.to}; ${trials.changed} changed`,
    `registrations: ${registrations.from} - ${registrations.removed} removed + ${registrations.added} added = ${registrations.to}; ${registrations.changed} changed`,
    `links: ${links.from} - ${links.lost} lost + ${links.gained} gained = ${links.to}; ${links.changed} changed`,
    `signals: ${signals.from} - ${signals.lost} lost + ${signals.gained} gained = ${signals.to}`,
  ];
}

function sectionsOf(diff: SnapshotDiff): DiffSection[] {
  return DIFF_KINDS.flatMap((kind) => {
    const [group, name] = kind.split('-') as ['trials', 'added'];
    const total = diff.totals[group][name];
    if (total === 0) return [];
    const entries: DiffEntry[] = diff[group][name];
    const lines = entries.flatMap((entry) => {
      const fields = 'fields' in entry ? entry.fields : [];
      const changes = fields.map((one) => `    ${one.field}: ${valueText(one.old)} -> ${valueText(one.new)}`);
      return [`  ${entryText(entry)}`, ...changes];
    });
    const more = entries.length < total ? [`  … and ${total - entries.length} more`] : [];
    return { heading: `${group} ${name}: ${total}`, lines: [...lines, ...more] };
  });
}

/** A value as one line of bounded length. */
function valueText(value: unknown): string {
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
