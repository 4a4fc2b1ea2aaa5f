import { createHash } from 'node:crypto';
import { mkdir, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { PAYLOAD_INDEX_FILE } from '../../snapshot/format/payload-index.ts';
import type { StoredChange } from '../../snapshot/format/versions/change.ts';
import { CHANGE_PACK_FILE, ChangePackWriter } from '../../snapshot/format/versions/change-pack.ts';
import {
  MANIFEST_FILE,
  type Manifest,
  manifestSchema,
  SNAPSHOT_FORMAT_VERSION,
  SNAPSHOT_TABLES,
} from '../../snapshot/format/versions/manifest.ts';
import { removedPath } from '../../snapshot/format/versions/removed.ts';
import { idOf } from './history-ids.ts';
import type { HistoryFigures, HistoryPlan } from './history-process.ts';
import { measureRun, scratchFolder } from './process.ts';
import { machine, note, number, writeResults } from './report.ts';

export const HISTORY_HELP = `       npm run bench -- history [--seed 1] [--json]

Makes the stored changes of 365 synthetic versions with 3,000 changed trials of 629,000 each, and measures the history of a trial,
of one that changed in every version, and pages of the changes since a version, of all trials and of those of a query, in a process that maps them.
`;

const VERSIONS = 365;
const TRIALS = 629_000;
const CHANGED = 3000;
/** Trials that change in every version. */
const RESTLESS = 10;
/** Rows of a changed trial: of 565 changed records of the full bench's corpus there were 11 each. */
const FIELDS = ['payload_sha256', 'last_updated_date', 'version', 'enrollment_count', 'status', 'brief_summary'];
const LOOK_UPS = 20_000;

interface Results {
  machine: ReturnType<typeof machine>;
  versions: number;
  rows: number;
  mb: number;
  peakRssMb: number | null;
  figures: HistoryFigures;
}

export async function benchHistory(seed: number, json: boolean): Promise<void> {
  await using folder = await scratchFolder('history');
  note(`making ${VERSIONS} versions with ${CHANGED} changed trials each`);
  const { plan, rows, bytes } = await writeVersions(folder.path, seed);
  note('measuring');
  const planFile = join(folder.path, 'plan.json');
  await writeFile(planFile, JSON.stringify(plan));
  const { output, peakRssMb } = await measureRun(['tools/bench/history-process.ts', planFile], {});
  const figures = JSON.parse(output) as HistoryFigures;
  const results: Results = { machine: machine(), versions: VERSIONS, rows, mb: bytes / 1e6, peakRssMb, figures };
  await writeResults('history', results);
  process.stdout.write(json ? `${JSON.stringify(results)}\n` : table(results));
}

/** Numbers from 0 to 1 that follow from the seed. */
function numbers(seed: number): () => number {
  let state = seed;
  return () => {
    state = (Math.imul(state, 1_664_525) + 1_013_904_223) >>> 0;
    return state / 2 ** 32;
  };
}

async function writeVersions(dir: string, seed: number): Promise<{ plan: HistoryPlan; rows: number; bytes: number }> {
  const random = numbers(seed);
  const asked: string[] = [];
  let parent: string | null = null;
  let [rows, bytes] = [0, 0];
  for (let at = 0; at <= VERSIONS; at += 1) {
    const createdAt = new Date(Date.UTC(2026, 0, 1 + at, 3));
    const version = `${createdAt.toISOString().replaceAll(/[-:]|\.000/g, '')}-${at.toString(16).padStart(8, '0')}`;
    const target = removedPath(dir, version);
    await mkdir(target, { recursive: true });
    const changed = new Set(Array.from({ length: RESTLESS }, (_, trial) => trial));
    while (at > 0 && changed.size < CHANGED) changed.add(Math.floor(random() * TRIALS));
    for (const trial of at === 0 ? [] : [...changed].slice(RESTLESS, RESTLESS + LOOK_UPS / VERSIONS))
      asked.push(idOf(trial));
    const writer = new ChangePackWriter();
    for (const trial of at === 0 ? [] : [...changed].sort((a, b) => a - b)) {
      for (const change of changesOfTrial(trial, at, random)) {
        writer.add(change);
        rows += 1;
      }
    }
    const pack = writer.finish();
    await writeFile(join(target, CHANGE_PACK_FILE), pack);
    await writeFile(join(target, MANIFEST_FILE), JSON.stringify(manifestOf(version, createdAt, parent, pack)));
    bytes += pack.length;
    parent = version;
  }
  const unheld = Array.from({ length: 1000 }, (_, place) => idOf(TRIALS + place));
  const restless = Array.from({ length: RESTLESS }, (_, trial) => idOf(trial));
  return { plan: { dir, newest: parent!, versions: VERSIONS, trials: TRIALS, asked, unheld, restless }, rows, bytes };
}

/** Fields of the registration and of its trial, most of them short, one of them prose. */
function changesOfTrial(trial: number, version: number, random: () => number): StoredChange[] {
  const value = (field: string, at: number): string =>
    JSON.stringify(
      field === 'brief_summary' ? `Aim ${at} of the study ${random()}. `.repeat(12) : `${field} ${at} ${random()}`,
    );
  const title = `A synthetic trial of a synthetic intervention, number ${trial}`;
  const row = { canonicalId: idOf(trial), item: null, title, related: [] };
  const id = `NCT${String(trial).padStart(8, '0')}`;
  return FIELDS.flatMap((field): StoredChange[] => {
    const values = { field, old: value(field, version - 1), new: value(field, version) };
    return [
      { ...row, kind: 'registration-changed', registry: 'clinicaltrials_gov', registrationId: id, ...values },
      { ...row, kind: 'trial-changed', registry: null, registrationId: null, ...values },
    ];
  });
}

/** Parsed, so that a manifest which is of another form ends the benchmark with what is wrong, not with no version. */
export function manifestOf(version: string, createdAt: Date, parent: string | null, pack: Buffer): Manifest {
  const sha256 = createHash('sha256').update(pack).digest('hex');
  const empty: Manifest['tables']['raw'] = { rows: 0, bytes: 0, files: [], root: sha256 };
  const nothing = {
    trials: 0,
    registrations: 0,
    inBoth: 0,
    linksAccepted: 0,
    linksRejected: 0,
    conflicts: 0,
    unresolved: 0,
  };
  const code = { version: 1, commit: null, node: process.versions.node, duckdb: 'bench' };
  return manifestSchema.parse({
    ...{
      formatVersion: SNAPSHOT_FORMAT_VERSION,
      version,
      createdAt: createdAt.toISOString(),
      parent,
      identity: sha256,
    },
    bound: { parent: parent === null ? null : sha256, ledger: sha256, rules: [], code },
    ...{ contentHash: sha256, corpus: 'sample', asOf: createdAt.toISOString().slice(0, 10), codeVersion: 'bench' },
    ...{ rules: { id: 'bench', sha256, count: 0 }, registries: [], counts: nothing, changes: null, accepted: [] },
    tables: Object.fromEntries(SNAPSHOT_TABLES.map((table) => [table, empty])) as Manifest['tables'],
    serving: { imageVersion: 0, files: [] },
    ...{ proofs: [], descriptions: [], superseded: { rows: 0, bytes: 0, files: [] } },
    payloadIndex: { path: PAYLOAD_INDEX_FILE, bytes: 0, sha256 },
    checks: { rules: { id: 'bench', sha256 }, results: [] },
    storedChanges: parent === null ? null : { ...empty, pack: { path: CHANGE_PACK_FILE, bytes: pack.length, sha256 } },
  });
}

function table({ versions, rows, mb, peakRssMb, figures }: Results): string {
  const { openMs, openCpuMs, rowsMs, privateMb, calls } = figures;
  return [
    `${versions} versions, ${versions * CHANGED} changed trials in ${rows} rows, ${number(mb, 0)} MB; opened in ${number(openMs, 0)} ms, ${number(openCpuMs, 0)} ms of CPU; rows of all changes found in ${number(rowsMs, 0)} ms\n`,
    `private memory ${number(privateMb.before)} MB before, ${number(privateMb.opened)} MB opened, ${number(privateMb.after)} MB after all look-ups; peak RSS ${number(peakRssMb, 0)} MB\n`,
    ...Object.entries(calls).map(
      ([name, { p50Ms, p99Ms, maxMs, count }]) =>
        `${name.padEnd(58)} p50 ${number(p50Ms, 3)} ms, p99 ${number(p99Ms, 3)} ms, max ${number(maxMs, 3)} ms, ${count} calls\n`,
    ),
  ].join('');
}
