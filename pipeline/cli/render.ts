import { basisOf } from '../../snapshot/format/registry-answer.ts';
import type { Manifest, ManifestRegistry } from '../../snapshot/format/versions/manifest.ts';
import type { DedupReport } from '../dedup/dedup.ts';
import type { NormaliseReport } from '../normalise/report.ts';
import type { Published } from '../publish/publish.ts';
import { acceptedLines } from '../publish/retention/version-list.ts';
import type { Verification } from '../publish/verify/verify.ts';
import type { Pulled } from '../pull/pull.ts';
import type { FetchOutcome } from '../run/fetch-stage.ts';
import type { RunReport } from '../run/run.ts';
import type { SignalsReport } from '../signals/signals.ts';
import { renderPushed } from './render-store.ts';

/** Reports of the stages as text for a terminal. */

/** What the stages of a run reported, as far as it came. */
export function renderRun(report: Partial<RunReport>): string {
  const { fetch, normalise, dedup, signals, published, pushed, setAside } = report;
  return [
    ...(fetch === undefined ? [] : [renderFetch(fetch)]),
    ...(normalise === undefined ? [] : [renderNormalise(normalise)]),
    ...(dedup === undefined ? [] : [renderDedup(dedup)]),
    ...(signals === undefined ? [] : [renderSignals(signals)]),
    ...(published === undefined ? [] : [renderPublished(published)]),
    ...(pushed === undefined ? [] : [renderPushed(pushed)]),
    ...(setAside == null ? [] : [databaseMadeAgain(setAside)]),
  ]
    .filter((text) => text !== '')
    .join('\n');
}

export function databaseMadeAgain(setAside: string): string {
  return `the working database was damaged and made again; the old one is ${setAside}, which may be removed`;
}

export function renderFetch(outcomes: readonly FetchOutcome[]): string {
  return outcomes
    .map(({ registry, ok, run, records, leftOut, gaps, error }) => {
      const head = ok ? `fetched   ${registry}: ${records} records in ${run}` : `FAILED    ${registry}: ${error}`;
      return [
        head,
        ...gaps.map(({ name, reason }) => `          read with gaps ${name}: ${reason}`),
        ...leftOut.map(({ name, reason }) => `          left out ${name}: ${reason}`),
      ].join('\n');
    })
    .join('\n');
}

export function renderNormalise(report: NormaliseReport): string {
  const lines = report.registries.map((entry) => {
    if (entry.state === 'unanswered') return `normalised ${entry.registry}: unanswered, it has no raw set`;
    const { 'older-than-published': older = 0 } = entry.quarantinedByReason;
    const published = older === 0 ? '' : ` and ${older} taken as published in place of older ones`;
    const counts = `${entry.read - older} read${published}: ${entry.kept} kept (${entry.normalised} anew, ${entry.unchanged} unchanged), ${entry.superseded} superseded, ${entry.quarantined} quarantined`;
    const reasons = Object.entries(entry.quarantinedByReason).map(([reason, count]) => `${reason} ${count}`);
    const gone = entry.removed === 0 ? '' : `; ${entry.removed} that the last run had are not in these sets`;
    const why = reasons.length > 0 ? ` (${reasons.join(', ')})` : '';
    const undated =
      entry.unreadableDates === 0
        ? ''
        : `; ${entry.unreadableDates} ${entry.unreadableDates === 1 ? 'date' : 'dates'} unreadable (date_notes of the registrations)`;
    return `normalised ${entry.registry}: ${counts}${why}${gone}${undated}${rowsForRecords(entry.rowsForRecords)}`;
  });
  return [...lines, `          statuses as of ${report.asOf}; ${report.seconds.toFixed(1)} s`].join('\n');
}

const NAMED_ROWS = 5;

/** A row lacks titles, conditions and more, so that a reader must learn which records became poorer. */
function rowsForRecords(ids: readonly string[]): string {
  if (ids.length === 0) return '';
  const named = ids.slice(0, NAMED_ROWS).join(', ');
  const more = ids.length > NAMED_ROWS ? ` and ${ids.length - NAMED_ROWS} more` : '';
  const rows = ids.length === 1 ? '1 row' : `${ids.length} rows`;
  return `\n          ${rows} of a CSV export replaced whole records of an earlier day: ${named}${more}; leave the CSV out to keep the whole records`;
}

export function renderDedup(report: DedupReport): string {
  const lines = report.links.map(
    ({ rule, verdict, reason, count }) =>
      `          ${rule}: ${count} ${verdict}${reason === null ? '' : ` (${reason})`}`,
  );
  return [
    `deduplicated ${report.registrations} registrations into ${report.trials} trials, ${report.merged} in both registries`,
    ...(report.superseded === 0
      ? []
      : [`          ${report.superseded} records more are superseded by others of their registry and count nowhere`]),
    ...lines,
    `          ${report.conflicts} links in conflict, ${report.relations} relations, ${report.unresolved} unresolved references`,
  ].join('\n');
}

export function renderSignals(report: SignalsReport): string {
  const { items, shared, swept, feeds } = report;
  const answered = feeds.filter(({ state }) => state === 'answered').length;
  const counts = (of: Record<string, number>) =>
    Object.entries(of)
      .sort(([a], [b]) => (a < b ? -1 : 1))
      .map(([name, count]) => `${name} ${count}`)
      .join(', ');
  return [
    `signals   ${items} items from ${answered} of ${feeds.length} feeds, ${shared.items} of them in several, ${swept} too old`,
    ...report.outcomes.filter(({ outcome }) => outcome !== 'not-asked').map(feedOutcomeLine),
    `          capitals: ${counts(report.capitals) || 'none'}; classes: ${counts(report.classes) || 'none'}`,
    ...(report.leftOut ?? []).map((name) => `          left out ${name}: no feed of that name`),
  ].join('\n');
}

function feedOutcomeLine({ feed, outcome, read, added, reason }: SignalsReport['outcomes'][number]): string {
  if (outcome === 'failed') return `          FAILED ${feed}: ${reason}`;
  return `          ${feed}: ${outcome === 'unchanged' ? 'unchanged' : `${read} items, ${added} new`}`;
}

/** Why a version with equal content was published; null where that is not the case. */
export function replacedWords({ replaced }: Published): string | null {
  if (replaced === null) return null;
  const { version, damaged, differing } = replaced;
  const why =
    damaged.length > 0
      ? `${damaged.join(', ')} of ${version} is damaged`
      : `the image that was made now has other bytes than that of ${version} (${differing.join(', ')})`;
  return `nothing new, but ${why}, so it was published anew`;
}

/** What `--json` states: the manifest that is on disk, and beside it the registries as this run read them. */
export function statedPublished({ onDisk, manifest, ...rest }: Published): object {
  return { ...rest, manifest: onDisk, registries: manifest.registries };
}

/** Which registries are missing or kept, why, and whether a version was published; null where every one is whole. */
export function degradedWords({ manifest, unchangedAt }: Published, fetched: readonly FetchOutcome[]): string | null {
  const degraded = manifest.registries.filter(({ degraded }) => degraded);
  if (degraded.length === 0) return null;
  const head = unchangedAt === null ? [] : [`nothing new: ${manifest.version} stays served`];
  const cause = ({ registry }: ManifestRegistry): string => {
    const error = fetched.find((one) => one.registry === registry)?.error ?? null;
    return error === null ? '' : `: ${error}`;
  };
  return [...head, ...degraded.map((one) => `${degradedWord(one, manifest)}${cause(one)}`)].join('\n');
}

export function renderPublished(published: Published): string {
  const { manifest, unchangedAt } = published;
  if (unchangedAt !== null) {
    const checked = `nothing new: checked on ${unchangedAt}, unchanged since ${manifest.version}, which stays served`;
    return [checked, logLine(published), ...degradedLines(manifest)].join('\n');
  }
  const { version, counts, changes, identity, contentHash } = manifest;
  const replaced = replacedWords(published);
  const change =
    changes === null
      ? 'no parent to compare with'
      : `trials against ${manifest.parent}: ${changes.added} added, ${changes.changed} changed, ${changes.removed} removed, ${changes.merged} merged, ${changes.split} split`;
  return [
    `published ${version}: ${counts.trials} trials from ${counts.registrations} registrations`,
    `          identity ${identity}`,
    `          content ${contentHash}`,
    ...(replaced === null ? [] : [`          ${replaced}`]),
    `          ${change}`,
    logLine(published),
    ...degradedLines(manifest),
    ...acceptedLines(manifest),
  ].join('\n');
}

function logLine({ log }: Published): string {
  return `          ${logState(log)}`;
}

function logState({ size, signedBy }: Pick<Published['log'], 'size' | 'signedBy'>): string {
  const signed = signedBy.length === 0 ? 'unsigned' : `signed by ${signedBy.join(', ')}`;
  return `log of ${size} publication${size === 1 ? '' : 's'}, ${signed}`;
}

function degradedLines(manifest: Manifest): string[] {
  return manifest.registries
    .filter(({ degraded }) => degraded)
    .map((one) => `          DEGRADED  ${degradedWord(one, manifest)}`);
}

function degradedWord(one: ManifestRegistry, manifest: Manifest): string {
  return `${one.registry} (${basisOf(one, manifest).answer}): ${one.degradedReason}`;
}

export function renderVerification({ version, files, rows, problems, mend, log, image }: Verification): string {
  const notes = log.notes.map((note) => `note: ${note}`);
  if (problems.length === 0)
    return [`${version} is intact: ${files} files, ${rows} rows`, imageWords(image), logWords(log), ...notes].join(
      '\n',
    );
  const lines = problems.map(({ file, message }) => `  ${file}: ${message}`);
  return [`${version} is NOT intact:`, ...lines, ...notes, ...(mend === null ? [] : [mend])].join('\n');
}

function imageWords(image: Verification['image']): string {
  if (image.state === 'equal') return 'its serving image is the one that its tables give, byte by byte';
  if (image.state === 'left-out')
    return `its serving image (${image.files} files, ${image.bytes} bytes) was left out, as --tables-only asks`;
  if (image.state !== 'other-program') return 'its serving image was summed, not built again from its tables';
  return `its serving image is NOT the one that this program makes of its tables. Another one made it (${image.made}): verify with that one, which tells a forgery from a change of the program`;
}

function logWords({ index, ...log }: Verification['log']): string {
  if (index === null) return 'it has no identity, being of an older format, so it is not in the log of publications';
  return `it is entry ${index} of the ${logState(log)}`;
}

export function renderPulled(pulled: Pulled, into: string): string {
  const { version, identity, bytes, fetchedBytes, verification, notServed } = pulled;
  const { files, rows, log, image } = verification;
  return [
    `pulled ${version} into ${into}: ${files} files, ${bytes} bytes, ${fetchedBytes} of them sent now; every hash and root of ${rows} rows is as published`,
    ...(identity === null ? [] : [`          identity ${identity}`]),
    `          ${logWords(log)}`,
    ...log.notes.map((note) => `          note: ${note}`),
    ...(image.state === 'left-out' ? [`          ${imageWords(image)}`] : []),
    `          ${notServed === null ? 'it is the version that is served from there' : `it is not served from there: ${notServed}`}`,
  ].join('\n');
}
