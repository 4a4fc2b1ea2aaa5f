import { nextOf, RUN_OUTCOMES, type RunOutcomeCode } from '../../contract/run-outcomes.ts';
import { TABLES_ONLY } from '../../snapshot/format/versions/current.ts';
import {
  type Manifest,
  type ManifestRegistry,
  SNAPSHOT_TABLES,
  snapshotBytes,
} from '../../snapshot/format/versions/manifest.ts';
import type { RunRow } from '../../snapshot/format/versions/run-log.ts';
import type { DedupReport } from '../dedup/dedup.ts';
import type { Checkup } from '../doctor/doctor.ts';
import type { NormaliseReport } from '../normalise/report.ts';
import type { Pushed } from '../object-store/push.ts';
import type { Published } from '../publish/publish.ts';
import type { GcReport } from '../publish/retention/gc.ts';
import type { SnapshotSummary, StatedManifest, VersionList } from '../publish/retention/version-list.ts';
import type { Verification } from '../publish/verify/verify.ts';
import { databaseMadeAgain, degradedWord, replacedWords } from '../run/outcome.ts';
import type { RunReport } from '../run/run.ts';
import type { SignalsReport } from '../signals/signals.ts';
import { type Facts, textOf } from './text.ts';

/** Texts of the reports that several commands print. */

/** The reports of the stages that a run reached. */
export function renderRun(told: Partial<RunReport>): string {
  return textOf(
    told.fetch && fetchFacts(told.fetch),
    told.normalise && normaliseFacts(told.normalise),
    told.dedup && dedupFacts(told.dedup),
    told.signals && signalsFacts(told.signals),
    told.published && publishedFacts(told.published),
    told.pushed && pushedFacts(told.pushed),
    { database: told.setAside ? databaseMadeAgain(told.setAside) : null },
  );
}

function pushedFacts({ pointer: { version, generation }, ...pushed }: Pushed): Facts {
  return { pushed: { version, generation, ...pushed } };
}

function fetchFacts(outcomes: RunReport['fetch']): Facts {
  return {
    sets: outcomes.map(({ registry, ok, records, run }) => ({ fetched: registry, records, set: ok ? run : 'FAILED' })),
    fault: outcomes.flatMap(({ registry, error }) => (error === null ? [] : `${registry}: ${error}`)),
    gaps: outcomes.flatMap(({ gaps }) => gaps.map(({ name, reason }) => `${name}: ${reason}`)),
    leftOut: outcomes.flatMap(({ leftOut }) => leftOut.map(({ name, reason }) => `${name}: ${reason}`)),
  };
}

/** Rows that a message names. */
const NAMED_ROWS = 5;

function normaliseFacts({ registries, asOf, seconds }: NormaliseReport): Facts {
  return {
    registries: registries.map(({ quarantinedByReason, rowsForRecords, oddFields, seconds: _, ...counts }) => counts),
    bad: registries.flatMap(({ registry, quarantinedByReason }) =>
      Object.entries(quarantinedByReason).map(([reason, count]) => `${registry}: ${count} quarantined, ${reason}`),
    ),
    rows: registries.flatMap(({ registry, rowsForRecords: ids }) => {
      if (ids.length === 0) return [];
      const more = ids.length > NAMED_ROWS ? ` and ${ids.length - NAMED_ROWS} more` : '';
      // A row of a CSV export lacks titles, conditions and more.
      return `${registry}: rows of a CSV export replaced whole records of an earlier day: ${ids.slice(0, NAMED_ROWS).join(', ')}${more}; leave the CSV out to keep the whole records`;
    }),
    statuses: `as of ${asOf}; ${seconds.toFixed(1)} s`,
  };
}

function dedupFacts({
  links,
  rules,
  linksAccepted,
  linksRejected,
  pairs,
  canonicalIds,
  ...counts
}: DedupReport): Facts {
  return { dedup: counts, links };
}

function signalsFacts({ items, shared, swept, outcomes, capitals, classes, leftOut = [] }: SignalsReport): Facts {
  return {
    signals: `${items} items, ${shared.items} of them in several feeds, ${swept} too old`,
    feeds: outcomes,
    capitals,
    classes,
    leftOut: leftOut.map((name) => `${name}: no feed has this name`),
  };
}

/** The JSON of a publication: the manifest on disk, and the registries as this run read them. */
export function statedPublished({ onDisk, manifest, ...rest }: Published): object {
  return { ...rest, manifest: onDisk, registries: manifest.registries };
}

/** Facts of a publication for people. */
export function publishedFacts(published: Published): Facts {
  const { manifest, unchangedAt, log } = published;
  const { version, parent, counts, identity, contentHash, registries } = manifest;
  const made = {
    published: [
      `${version}: ${counts.trials} trials from ${counts.registrations} registrations`,
      replacedWords(published),
    ],
    identity,
    content: contentHash,
    changes: manifest.changes ?? 'no parent to compare with',
    parent,
    accepted: acceptedWords(manifest),
  };
  return {
    ...(unchangedAt === null ? made : { unchanged: `nothing new, checked on ${unchangedAt}: ${version} stays served` }),
    log: logState(log),
    DEGRADED: registries.filter(({ degraded }) => degraded).map((one) => degradedWord(one, manifest)),
  };
}

function acceptedWords({ accepted, acceptance }: Manifest): string {
  const why = acceptance === undefined ? '' : ` on ${acceptance.at}: ${acceptance.reason}`;
  return accepted.length === 0 ? '' : `${accepted.join(', ')}${why}`;
}

function logState({ size, signedBy }: Pick<Published['log'], 'size' | 'signedBy'>): string {
  const signed = signedBy.length === 0 ? 'unsigned' : `signed by ${signedBy.join(', ')}`;
  return `log of ${size} publication${size === 1 ? '' : 's'}, ${signed}`;
}

export function renderVerification({ version, files, rows, problems, mend, log, image }: Verification): string {
  const isWhole = problems.length === 0;
  return textOf({
    verified: `${version} is ${isWhole ? `intact: ${files} files, ${rows} rows` : 'NOT intact'}`,
    ...(isWhole && { image: imageWords(image), log: logWords(log) }),
    problem: problems.map(({ file, message }) => `${file}: ${message}`),
    note: log.notes,
    mend,
  });
}

export function imageWords(image: Verification['image']): string {
  if (image.state === 'equal') return 'its serving image is the one that its tables give, byte by byte';
  if (image.state === 'left-out')
    return `its serving image (${image.files} files, ${image.bytes} bytes) was left out, as --tables-only asks`;
  if (image.state !== 'other-program') return 'its serving image was summed, not built again from its tables';
  return `its serving image is NOT the one that this program makes of its tables. Another one made it (${image.made}): verify with that one, which tells a forgery from a change of the program`;
}

export function logWords({ index, ...log }: Verification['log']): string {
  return index === null ? 'it is not in the log of publications' : `it is entry ${index} of the ${logState(log)}`;
}

/** Runs, newest first. */
export function renderRuns(runs: readonly RunRow[]): string {
  if (runs.length === 0) return 'no run is recorded yet; `pipeline run` records each one';
  return textOf(...runs.map(runFacts));
}

function runFacts({ at, command, arguments: words, state, stage, end }: RunRow): Facts {
  const run = `${at}  ${[command, ...words].join(' ')}`;
  if (end === null) {
    const where = stage === null ? 'before its first stage' : `in ${stage}`;
    return {
      run,
      '': state === 'killed' ? `killed ${where}; run it again: what was stored is kept` : `under way ${where}`,
    };
  }
  const { code, exitCode, message, published, stages } = end;
  const times = stages.map(({ stage, seconds }) => `${stage} ${seconds.toFixed(1)} s`).join(', ');
  const served = published === null ? '' : `, serves ${published.version} (${(published.bytes / 1e6).toFixed(1)} MB)`;
  return {
    run,
    '': [`${code}, exit ${exitCode}${served}; ${times || 'no stage began'}`, message],
    next: Object.hasOwn(RUN_OUTCOMES, code) ? nextOf(code as RunOutcomeCode, words) : null,
  };
}

/** Removed versions that a list names. */
const REMOVED_NAMED = 10;

/** One line for each snapshot; `*` marks the served one. */
export function renderList({ problem, snapshots, removed }: VersionList): string {
  if (problem === null && snapshots.length === 0)
    return 'no snapshot yet; make one with `pipeline run`, or fetch one with `pipeline pull ADDRESS`, which goes on where an earlier one ended';
  const more = removed.length - REMOVED_NAMED;
  return textOf({
    problem,
    snapshots: snapshots.map((one) => ({
      ' ': one.current ? '*' : ' ',
      version: one.version,
      corpus: one.manifest?.corpus,
      trials: one.manifest?.counts.trials ?? null,
      registrations: one.manifest?.counts.registrations ?? null,
      MB: one.manifest === null ? null : (snapshotBytes(one.manifest) / 1e6).toFixed(1),
      identity: one.manifest?.identity,
      notes: notesOf(one).join(', '),
    })),
    removed: removed.slice(0, REMOVED_NAMED).map((version) => `${version}, whose manifest is kept`),
    more: more > 0 ? `${more} more removed; --json names all` : null,
    note: 'Only sizes and sums of manifests were compared; `pipeline verify VERSION` reads every file.',
  });
}

function notesOf({ version, pinned, heldSince, degraded, checkedAt, manifest, problem }: SnapshotSummary): string[] {
  if (manifest === null) return [`unusable: ${problem}`];
  const damage =
    problem === TABLES_ONLY
      ? `tables only: \`pipeline verify ${version} --tables-only\` checks it, \`pipeline pull\` brings the rest`
      : `DAMAGED: ${problem}; \`pipeline verify ${version}\` names every file`;
  return [
    checkedAt !== null && `still the newest content on ${checkedAt}`,
    pinned && 'pinned',
    heldSince !== null && `held since ${heldSince}`,
    degraded.length > 0 && `degraded (${degraded.join(', ')})`,
    problem !== null && damage,
  ].filter((note) => note !== false);
}

/** A manifest as text for people. */
export function renderManifest(manifest: StatedManifest): string {
  const { version, corpus, asOf, removedAt, heldSince, rules, checks, bound, storedChanges } = manifest;
  const verdicts = Object.groupBy(checks.results, ({ verdict }) => verdict);
  const tables = SNAPSHOT_TABLES.map((table) => ({ table, ...manifest.tables[table] }));
  return textOf({
    snapshot: `${version} (${corpus}, as of ${asOf})`,
    removed: manifest.removed && `by gc ${removedAt ? `on ${removedAt}` : 'at a time that was not recorded'}`,
    created: `${manifest.createdAt} by code ${manifest.codeVersion}, parent ${manifest.parent ?? 'none'}`,
    checked: manifest.checkedAt && `on ${manifest.checkedAt}, unchanged since it was created`,
    held: heldSince && `since ${heldSince}: ${HELD}`,
    identity: `${manifest.identity}; parent ${bound.parent ?? 'none'}`,
    code: bound.code,
    content: manifest.contentHash,
    rules: `${rules.id}, ${rules.count} rules, ${rules.sha256}`,
    counts: manifest.counts,
    changes: manifest.changes ?? 'no parent to compare with',
    accepted: acceptedWords(manifest),
    checks: [
      `${checks.rules.id}: ${Object.entries(verdicts)
        .map(([verdict, found]) => `${found.length} ${verdict}`)
        .join(', ')}`,
      ...(verdicts.accepted ?? []).map(
        ({ name, figure, limit }) => `${name}: ${figure ?? '-'}, at most ${limit ?? '-'}`,
      ),
    ],
    registries: manifest.registries.map((one) => ({
      registry: one.registry,
      state: registryState(one),
      registrations: one.registrations,
      quarantined: one.quarantined,
      newest: one.dumpDay === undefined ? one.lastSuccessAt : `dump of ${one.dumpDay.day}`,
      reason: one.degradedReason,
    })),
    feeds: manifest.feeds?.map(({ feed, state, items, lastSuccessAt, reason }) => ({
      feed,
      state,
      items,
      lastSuccessAt,
      reason,
    })),
    tables: (storedChanges ? [...tables, { table: 'changes', ...storedChanges }] : tables).map(
      ({ table, rows, bytes, root }) => ({ table, rows, bytes, root }),
    ),
    image: `${manifest.serving.files.length} files, version ${manifest.serving.imageVersion}`,
  });
}

const HELD =
  'runs are refused until `pipeline current VERSION` names the newest one of `pipeline list`, or `--accept held`';

function registryState({ state, complete, stale, degraded }: ManifestRegistry): string {
  if (state === 'unanswered') return state;
  return `${complete ? 'complete' : 'incomplete'}${stale ? ', kept' : ''}${degraded ? ', degraded' : ''}`;
}

export function renderGc({ removed, leftovers, kept }: GcReport, isDryRun: boolean): string {
  return textOf({
    versions: kept.map(({ version, reasons }) => ({ kept: version, why: reasons.join(', ') })),
    [isDryRun ? 'to remove' : 'removed']: [
      removed.join(', ') || 'nothing',
      ...leftovers.map((name) => `${name}, left by a killed run`),
    ],
    note: removed.length === 0 || isDryRun ? null : '`pipeline show VERSION` still shows their manifests',
  });
}

const CHECKUP: Readonly<Record<Checkup['run'], string>> = {
  whole: 'A live run would publish whole.',
  degraded: 'A live run would publish degraded: a registry did not answer.',
  fails: 'A live run would fail, or be refused.',
};

export function renderCheckup({ probes, run }: Checkup): string {
  return textOf({
    probes: probes.map(({ faults, mend, ...answer }) => answer),
    fault: probes.flatMap(({ source, faults }) => faults.map((fault) => `${source}: ${fault}`)),
    mend: [...new Set(probes.flatMap(({ mend }) => mend ?? []))],
    run: `${CHECKUP[run]} Nothing was stored or published.`,
  });
}
