import { nextOf, RUN_OUTCOMES, type RunOutcomeCode } from '../../contract/run-outcomes.ts';
import { basisOf } from '../../snapshot/format/registry-answer.ts';
import { TABLES_ONLY } from '../../snapshot/format/versions/current.ts';
import {
  type Manifest,
  type ManifestRegistry,
  SNAPSHOT_TABLES,
  snapshotBytes,
} from '../../snapshot/format/versions/manifest.ts';
import type { RunRow } from '../../snapshot/format/versions/run-log.ts';
import type { ReplicaStatus } from '../../snapshot/format/versions/state.ts';
import type { DedupReport } from '../dedup/dedup.ts';
import type { Checkup } from '../doctor/doctor.ts';
import type { NormaliseReport } from '../normalise/report.ts';
import type { Pushed } from '../object-store/push.ts';
import type { Pointer, StoreGcReport } from '../object-store/store.ts';
import type { CheckedLog } from '../publish/checks/check-log.ts';
import type { Published } from '../publish/publish.ts';
import type { GcReport } from '../publish/retention/gc.ts';
import type { SnapshotSummary, StatedManifest, VersionList } from '../publish/retention/version-list.ts';
import type { Verification } from '../publish/verify/verify.ts';
import type { Pulled } from '../pull/pull.ts';
import type { FetchOutcome } from '../run/fetch-stage.ts';
import type { RunReport } from '../run/run.ts';
import type { SignalsReport } from '../signals/signals.ts';
import { facts, table } from './table.ts';

/** Reports of commands and stages as text for a terminal; `--json` has all of each. */

const MORE = ' '.repeat(10);

/** Reports of the stages that a run reached. */
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
  return facts(
    outcomes.map(({ registry, ok, run, records, leftOut, gaps, error }) => [
      ok ? 'fetched' : 'FAILED',
      [
        ok ? `${registry}: ${records} records in ${run}` : `${registry}: ${error}`,
        ...gaps.map(({ name, reason }) => `read with gaps ${name}: ${reason}`),
        ...leftOut.map(({ name, reason }) => `left out ${name}: ${reason}`),
      ],
    ]),
  ).join('\n');
}

/** Rows that a message names. */
const NAMED_ROWS = 5;

export function renderNormalise({ registries, asOf, seconds }: NormaliseReport): string {
  const head = ['normalised', 'read', 'kept', 'anew', 'unchanged', 'superseded', 'quarantined', 'removed', 'bad dates'];
  const rows = registries.map((one) => [
    one.state === 'answered' ? one.registry : `${one.registry} (unanswered)`,
    ...[one.read, one.kept, one.normalised, one.unchanged, one.superseded, one.quarantined, one.removed],
    one.unreadableDates,
  ]);
  const notes = registries.flatMap(({ registry, quarantinedByReason, rowsForRecords }) => [
    ...Object.entries(quarantinedByReason).map(([reason, count]) => `${registry}: ${count} quarantined, ${reason}`),
    ...(rowsForRecords.length === 0 ? [] : [`${registry}: ${rowsInPlaceOfRecords(rowsForRecords)}`]),
  ]);
  return [
    ...table(head, rows),
    ...notes.map((note) => `${MORE}${note}`),
    `${MORE}statuses as of ${asOf}; ${seconds.toFixed(1)} s`,
  ].join('\n');
}

/** A row of a CSV export lacks titles, conditions and more. */
function rowsInPlaceOfRecords(ids: readonly string[]): string {
  const more = ids.length > NAMED_ROWS ? ` and ${ids.length - NAMED_ROWS} more` : '';
  return `rows of a CSV export replaced whole records of an earlier day: ${ids.slice(0, NAMED_ROWS).join(', ')}${more}; leave the CSV out to keep the whole records`;
}

export function renderDedup(report: DedupReport): string {
  const { registrations, trials, merged, superseded, links, conflicts, relations, unresolved } = report;
  return [
    `deduplicated ${registrations} registrations into ${trials} trials, ${merged} in both registries; ${superseded} records superseded`,
    ...table(
      ['rule', 'verdict', 'reason', 'links'],
      links.map(({ rule, verdict, reason, count }) => [rule, verdict, reason, count]),
      MORE,
    ),
    `${MORE}${conflicts} links in conflict, ${relations} relations, ${unresolved} unresolved references`,
  ].join('\n');
}

export function renderSignals({
  items,
  shared,
  swept,
  feeds,
  outcomes,
  capitals,
  classes,
  leftOut,
}: SignalsReport): string {
  const answered = feeds.filter(({ state }) => state === 'answered').length;
  const asked = outcomes.filter(({ outcome }) => outcome !== 'not-asked');
  const counts = (of: Record<string, number>) =>
    Object.entries(of)
      .map(([name, count]) => `${name} ${count}`)
      .join(', ') || 'none';
  return facts([
    [
      'signals',
      [
        `${items} items from ${answered} of ${feeds.length} feeds, ${shared.items} of them in several, ${swept} too old`,
        ...table(
          ['feed', 'outcome', 'read', 'new', 'reason'],
          asked.map(({ feed, outcome, read, added, reason }) => [feed, outcome, read, added, reason]),
        ),
        `capitals: ${counts(capitals)}; classes: ${counts(classes)}`,
        ...(leftOut ?? []).map((name) => `left out ${name}: no feed has this name`),
      ],
    ],
  ]).join('\n');
}

/** The reason why a version with equal content was published; null for new content. */
export function replacedWords({ replaced }: Published): string | null {
  if (replaced === null) return null;
  const { version, damaged, differing } = replaced;
  const why =
    damaged.length > 0
      ? `${damaged.join(', ')} of ${version} is damaged`
      : `the image that was made now has other bytes than that of ${version} (${differing.join(', ')})`;
  return `nothing new, but ${why}, so it was published anew`;
}

/** The JSON of a publication: the manifest on disk, and the registries as this run read them. */
export function statedPublished({ onDisk, manifest, ...rest }: Published): object {
  return { ...rest, manifest: onDisk, registries: manifest.registries };
}

/** The registries that are missing or kept, why, and whether a version was published; null where every one is whole. */
export function degradedWords({ manifest, unchangedAt }: Published, fetched: readonly FetchOutcome[]): string | null {
  const degraded = manifest.registries.filter((one) => one.degraded);
  if (degraded.length === 0) return null;
  const head = unchangedAt === null ? [] : [`nothing new: ${manifest.version} stays served`];
  const lines = degraded.map((one) => {
    const error = fetched.find(({ registry }) => registry === one.registry)?.error ?? null;
    return `${degradedWord(one, manifest)}${error === null ? '' : `: ${error}`}`;
  });
  return [...head, ...lines].join('\n');
}

function degradedWord(one: ManifestRegistry, manifest: Manifest): string {
  return `${one.registry} (${basisOf(one, manifest).answer}): ${one.degradedReason}`;
}

export function renderPublished(published: Published): string {
  const { manifest, unchangedAt, log } = published;
  const { version, parent, counts, identity, contentHash } = manifest;
  const degraded = manifest.registries.filter((one) => one.degraded);
  const ends = [logState(log), ...degraded.map((one) => `DEGRADED  ${degradedWord(one, manifest)}`)];
  if (unchangedAt !== null) {
    const checked = `nothing new, checked on ${unchangedAt}: ${version} stays served`;
    return facts([['unchanged', [checked, ...ends]]]).join('\n');
  }
  return facts([
    [
      'published',
      [
        `${version}: ${counts.trials} trials from ${counts.registrations} registrations`,
        `identity ${identity}`,
        `content ${contentHash}`,
        ...(published.replaced === null ? [] : [replacedWords(published)!]),
        `${changeWords(manifest)}${parent === null ? '' : `, against ${parent}`}`,
        ...ends,
      ],
    ],
    acceptedFact(manifest),
  ]).join('\n');
}

function changeWords({ changes }: Manifest): string {
  if (changes === null) return 'no parent to compare with';
  const { added, changed, removed, merged, split } = changes;
  return `${added} added, ${changed} changed, ${removed} removed, ${merged} merged, ${split} split`;
}

function acceptedFact({ accepted, acceptance }: Manifest): readonly [string, string | null] {
  if (accepted.length === 0) return ['accepted', null];
  const why = acceptance === undefined ? '' : ` on ${acceptance.at}: ${acceptance.reason}`;
  return ['accepted', `${accepted.join(', ')}${why}`];
}

function logState({ size, signedBy }: Pick<Published['log'], 'size' | 'signedBy'>): string {
  const signed = signedBy.length === 0 ? 'unsigned' : `signed by ${signedBy.join(', ')}`;
  return `log of ${size} publication${size === 1 ? '' : 's'}, ${signed}`;
}

export function renderVerification({ version, files, rows, problems, mend, log, image }: Verification): string {
  const notes = log.notes.map((note) => `note: ${note}`);
  if (problems.length === 0) {
    const whole = `${version} is intact: ${files} files, ${rows} rows`;
    return [whole, imageWords(image), logWords(log), ...notes].join('\n');
  }
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
  return index === null ? 'it is not in the log of publications' : `it is entry ${index} of the ${logState(log)}`;
}

export function renderPulled(pulled: Pulled, into: string): string {
  const { version, identity, bytes, fetchedBytes, verification, notServed } = pulled;
  const { files, rows, log, image } = verification;
  return facts([
    [
      'pulled',
      [
        `${version} into ${into}: ${files} files, ${bytes} bytes, ${fetchedBytes} of them sent now; every hash and root of ${rows} rows is as published`,
        ...(identity === null ? [] : [`identity ${identity}`]),
        logWords(log),
        ...log.notes.map((note) => `note: ${note}`),
        ...(image.state === 'left-out' ? [imageWords(image)] : []),
        notServed === null
          ? 'it is the version that is served from there'
          : `it is not served from there: ${notServed}`,
      ],
    ],
  ]).join('\n');
}

export function renderPushed({ store, pointer, unchanged, files, sentFiles, sentBytes }: Pushed): string {
  const { generation, version } = pointer;
  const sent = unchanged
    ? `nothing: ${store} names ${version} already, as generation ${generation}`
    : `${store} names ${version} as generation ${generation}: ${files} files; ${sentFiles} objects with ${sentBytes} bytes sent now`;
  return facts([['pushed', sent]]).join('\n');
}

export function renderStoreGc({ removed, bytes, leftovers, kept }: StoreGcReport, isDryRun: boolean): string {
  const verb = isDryRun ? 'would remove' : 'removed';
  return `${verb} ${removed} objects of ${bytes} bytes and ${leftovers} leftovers; ${kept} objects stay`;
}

export interface StoreStatus {
  store: string;
  pointerIn: string;
  pointer: Pointer | null;
  /** State of this machine; null where it does not follow the store. */
  here: ReplicaStatus | null;
}

export function renderStoreStatus({ store, pointerIn, pointer, here }: StoreStatus): string {
  const served =
    pointer === null
      ? 'no version yet'
      : `${pointer.version} as generation ${pointer.generation}, since ${pointer.flippedAt} (pointer: ${pointerIn})`;
  const fault = here?.fault ?? null;
  return facts([
    ['store', store],
    ['names', served],
    ['here', here && `generation ${here.generation}, last answer ${here.answeredAt ?? 'never'}`],
    ['fault', fault && `not followed since ${fault.since}: ${fault.message}`],
  ]).join('\n');
}

/** Runs, newest first. */
export function renderRuns(runs: readonly RunRow[]): string {
  if (runs.length === 0) return 'no run is recorded yet; `pipeline run` records each one';
  return runs.map(runLines).join('\n');
}

function runLines({ at, command, arguments: words, state, stage, end }: RunRow): string {
  const head = `${at}  ${[command, ...words].join(' ')}`;
  if (end === null) {
    const where = stage === null ? 'before its first stage' : `in ${stage}`;
    return `${head}\n  ${state === 'killed' ? `killed ${where}; run it again: what was stored is kept` : `under way ${where}`}`;
  }
  const { code, exitCode, message, published, stages } = end;
  const times = stages.map(({ stage, seconds }) => `${stage} ${seconds.toFixed(1)} s`).join(', ');
  const served = published === null ? '' : `, serves ${published.version} (${(published.bytes / 1e6).toFixed(1)} MB)`;
  const why = message === null ? '' : `\n  ${message.replaceAll('\n', '\n  ')}`;
  const next = Object.hasOwn(RUN_OUTCOMES, code) ? nextOf(code as RunOutcomeCode, words) : null;
  const step = next === null ? '' : `\n  next: ${next}`;
  return `${head}\n  ${code}, exit ${exitCode}${served}; ${times || 'no stage began'}${why}${step}`;
}

/** Removed versions that a list names. */
const REMOVED_NAMED = 10;

/** One line for each snapshot; `*` marks the served one. */
export function renderList({ problem, snapshots, removed }: VersionList): string {
  if (problem === null && snapshots.length === 0)
    return 'no snapshot yet; make one with `pipeline run`, or fetch one with `pipeline pull ADDRESS`, which goes on where an earlier one ended';
  const rows = snapshots.map((one) => {
    const { manifest } = one;
    const head = [one.current ? '*' : ' ', one.version, manifest?.corpus ?? null];
    const counts = [manifest?.counts.trials ?? null, manifest?.counts.registrations ?? null];
    const size = manifest === null ? null : (snapshotBytes(manifest) / 1e6).toFixed(1);
    return [...head, ...counts, size, manifest?.identity ?? null, notesOf(one).join(', ')];
  });
  const more = removed.length - REMOVED_NAMED;
  return [
    ...(problem === null ? [] : [problem]),
    ...table([' ', 'version', 'corpus', 'trials', 'registrations', 'MB', 'identity', 'notes'], rows),
    ...removed.slice(0, REMOVED_NAMED).map((version) => `-  ${version}  removed; its manifest is kept`),
    ...(more > 0 ? [`-  ${more} more removed; --json names all`] : []),
    'Only sizes and sums of manifests were compared; `pipeline verify VERSION` reads every file.',
  ].join('\n');
}

function notesOf({ version, pinned, heldSince, degraded, checkedAt, manifest, problem }: SnapshotSummary): string[] {
  if (manifest === null) return [`unusable: ${problem}`];
  const damage =
    problem === TABLES_ONLY
      ? `tables only: \`pipeline verify ${version} --tables-only\` checks it, \`pipeline pull\` brings the rest`
      : `DAMAGED: ${problem}; \`pipeline verify ${version}\` names every file`;
  return [
    ...(checkedAt === null ? [] : [`still the newest content on ${checkedAt}`]),
    ...(pinned ? ['pinned'] : []),
    ...(heldSince === null ? [] : [`held since ${heldSince}`]),
    ...(degraded.length === 0 ? [] : [`degraded (${degraded.join(', ')})`]),
    ...(problem === null ? [] : [damage]),
  ];
}

/** A manifest as text for people. */
export function renderManifest(manifest: StatedManifest): string {
  const { version, corpus, asOf, removedAt, checkedAt, heldSince, counts, rules, checks, bound } = manifest;
  const { commit, node, duckdb } = bound.code;
  const of = (verdict: string) => checks.results.filter((result) => result.verdict === verdict);
  const linked = `${counts.linksAccepted} accepted, ${counts.linksRejected} rejected, ${counts.conflicts} in conflict`;
  const tables = [
    ...SNAPSHOT_TABLES.map((name) => [name, manifest.tables[name]] as const),
    ...(manifest.storedChanges ? [['changes', manifest.storedChanges] as const] : []),
  ];
  return [
    ...facts([
      ['snapshot', `${version} (${corpus}, as of ${asOf})`],
      [
        'removed',
        manifest.removed ? `by gc ${removedAt ? `on ${removedAt}` : 'at a time that was not recorded'}` : null,
      ],
      ['created', `${manifest.createdAt} by code ${manifest.codeVersion}, parent ${manifest.parent ?? 'none'}`],
      ['checked', checkedAt === undefined ? null : `on ${checkedAt}, unchanged since it was created`],
      ['held', heldSince === undefined ? null : `since ${heldSince}: ${HELD}`],
      ['identity', `${manifest.identity}; parent ${bound.parent ?? 'none'}`],
      [
        'code',
        `commit ${commit ?? 'not known'}, content version ${bound.code.version}, Node ${node}, DuckDB ${duckdb}`,
      ],
      ['content', manifest.contentHash],
      ['rules', `${rules.id}, ${rules.count} rules, ${rules.sha256}`],
      ['trials', `${counts.trials}, ${counts.inBoth} in both registries, from ${counts.registrations} registrations`],
      ['links', `${linked}, ${counts.unresolved} unresolved references`],
      ['changes', changeWords(manifest)],
      acceptedFact(manifest),
      [
        'checks',
        `${checks.rules.id}: ${of('passed').length} passed, ${of('accepted').length} accepted, ${of('not-compared').length} had nothing to compare`,
      ],
      ['', of('accepted').map(({ name, figure, limit }) => `${name}: ${figure ?? '-'}, at most ${limit ?? '-'}`)],
    ]),
    '',
    ...table(
      ['registry', 'state', 'registrations', 'quarantined', 'newest', 'reason'],
      manifest.registries.map((one) => [
        ...[one.registry, registryState(one), one.registrations, one.quarantined],
        one.dumpDay === undefined ? one.lastSuccessAt : `dump of ${one.dumpDay.day}`,
        one.degradedReason,
      ]),
    ),
    ...(manifest.feeds ?? []).map(
      ({ feed, state, items, stale, reason, lastSuccessAt }) =>
        `${feed}: ${state}, ${items} items${stale ? `, stale (${reason})` : ''}, last success ${lastSuccessAt ?? 'never'}`,
    ),
    '',
    ...table(
      ['table', 'rows', 'bytes', 'root'],
      tables.map(([name, { rows, bytes, root }]) => [name, rows, bytes, root]),
    ),
    `serving image: ${manifest.serving.files.length} files, version ${manifest.serving.imageVersion}`,
  ].join('\n');
}

const HELD =
  'runs are refused until `pipeline current VERSION` names the newest one of `pipeline list`, or `--accept held`';

function registryState({ state, complete, stale, degraded }: ManifestRegistry): string {
  if (state === 'unanswered') return state;
  return [complete ? 'complete' : 'incomplete', ...(stale ? ['kept'] : []), ...(degraded ? ['degraded'] : [])].join(
    ', ',
  );
}

export function renderGc({ removed, leftovers, kept }: GcReport, isDryRun: boolean): string {
  const verb = isDryRun ? 'would remove' : 'removed';
  return [
    ...table(
      ['kept', 'why'],
      kept.map(({ version, reasons }) => [version, reasons.join(', ')]),
    ),
    removed.length === 0 ? 'nothing to remove' : `${verb} ${removed.join(', ')}`,
    ...(leftovers.length === 0 ? [] : [`${verb} what killed runs left: ${leftovers.join(', ')}`]),
    ...(removed.length === 0 || isDryRun ? [] : ['`pipeline show VERSION` still shows their manifests']),
  ].join('\n');
}

export function renderLog({ entries, checkpoint, signedBy, keys, problems, notes }: CheckedLog): string {
  if (checkpoint === null) return 'the log is empty: nothing was published yet';
  return [
    `${checkpoint.origin}: ${checkpoint.size} identities, root ${checkpoint.root}`,
    signedBy.length === 0 ? 'unsigned: `pipeline keygen --name NAME` makes a key' : `signed by ${signedBy.join(', ')}`,
    ...table(
      ['entry', 'identity', 'version'],
      entries.map(({ index, identity, version, state }) => [
        ...[index, identity],
        version === null ? 'not held here' : `${version}${state === 'removed' ? ' (removed)' : ''}`,
      ]),
    ),
    ...keys.map((vkey) => `key ${vkey}`),
    ...notes.map((note) => `note: ${note}`),
    ...problems.map(({ file, message }) => `PROBLEM ${file}: ${message}`),
  ].join('\n');
}

const CHECKUP: Readonly<Record<Checkup['run'], string>> = {
  whole: 'A live run would publish whole.',
  degraded: 'A live run would publish degraded: a registry did not answer.',
  fails: 'A live run would fail, or be refused.',
};

export function renderCheckup({ probes, run }: Checkup): string {
  const rows = probes.map(({ source, state, milliseconds, count, date }) => [source, state, milliseconds, count, date]);
  const mends = new Set(probes.flatMap(({ mend }) => mend ?? []));
  return [
    ...table(['source', 'state', 'ms', 'count', 'newest data'], rows),
    ...probes.flatMap(({ source, faults }) => faults.map((fault) => `${source}: ${fault}`)),
    ...Array.from(mends, (mend) => `mend: ${mend}`),
    `${CHECKUP[run]} Nothing was stored or published.`,
  ].join('\n');
}
