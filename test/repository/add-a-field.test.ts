import { execFile } from 'node:child_process';
import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { pathToFileURL } from 'node:url';
import { promisify } from 'node:util';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { type RunOptions, run } from '../../pipeline/run/run.ts';
import { Database } from '../../pipeline/store/database.ts';
import { loadConfig } from '../../server-kit/config/config.ts';
import { parquetSource } from '../../snapshot/sql/tables.ts';
import { NO_FEEDS } from '../support/no-feeds.ts';
import { deep } from '../support/runner/amount.ts';
import { COMPILE_CACHE } from '../support/runner/compile-cache.ts';
import { ROOT, read } from '../support/tree.ts';

/** The edits of CONTRIBUTING's example: for each file, the text before, and the text with the field. */
const EDITS: Record<string, (text: string) => string> = {
  'contract/fields/registry-fields.ts': (text) =>
    text.replace(
      '  eligibilityText: {\n',
      `  detailedDescription: {
    type: 'text',
    meaning: 'aims and methods of the study, in prose',
    null: BLANK,
    source: {
      clinicaltrials_gov: 'protocolSection.descriptionModule.detailedDescription',
      isrctn: 'trialDescription.studyHypothesis',
    },
    trial: 'first',
    inConflicts: true,
  },
  eligibilityText: {\n`,
    ),
  'pipeline/normalise/ctgov/ctgov.ts': (text) =>
    text.replace(
      '      eligibilityText: ',
      "      detailedDescription: textAt(objectAt(protocol, 'descriptionModule'), 'detailedDescription'),\n$&",
    ),
  'pipeline/normalise/isrctn/isrctn.ts': (text) =>
    text.replace('      eligibilityText: ', "      detailedDescription: textAt(description, 'studyHypothesis'),\n$&"),
  'pipeline/normalise/record.ts': (text) =>
    text.replace(/NORMALISER_VERSION = (\d+)/, (_, version) => `NORMALISER_VERSION = ${Number(version) + 1}`),
};

const STUDY = {
  protocolSection: {
    identificationModule: { nctId: 'NCT00000130', briefTitle: 'A study', secondaryIdInfos: [{ id: 'ISRCTN12345678' }] },
    descriptionModule: { detailedDescription: 'Ice or water' },
  },
};
const TRIAL = `<?xml version="1.0"?><allTrials xmlns="http://www.67bricks.com/isrctn" totalCount="1"><fullTrial>
  <trial lastUpdated="2026-11-01T00:00:00.000Z"><isrctn>12345678</isrctn>
  <trialDescription><title>The same study</title><studyHypothesis>Ice is better</studyHypothesis></trialDescription></trial></fullTrial></allTrials>`;

let root: string;
let shown: {
  version: string;
  trial: {
    detailedDescription: string;
    registrations: { fields: Record<string, unknown> }[];
    conflicts: { field: string; values: { value: unknown }[] }[];
  };
  changed: Record<'trials' | 'registrations', { fields: { field: string }[] }[]>;
};

/** Publishes one snapshot with the code as it is, and one of the same records with the edited code. */
async function publishBoth(): Promise<void> {
  root = await mkdtemp(join(tmpdir(), 'add-a-field-'));
  const dumps = { clinicaltrials_gov: join(root, 'studies.ndjson'), isrctn: join(root, 'isrctn.xml') };
  await writeFile(dumps.clinicaltrials_gov, `${JSON.stringify(STUDY)}\n`);
  await writeFile(dumps.isrctn, TRIAL);

  const environment = { DATA_DIR: join(root, 'data'), SNAPSHOTS_DIR: join(root, 'snapshots'), FEEDS_FILE: NO_FEEDS };
  const effects = { now: () => new Date('2026-11-21T12:00:00.000Z'), progress: () => {}, checkpoint: () => {} };
  const options: RunOptions = { source: 'dump', mode: 'auto', dumps, asOf: '2026-11-20', accept: [] };
  const { published } = await run(options, loadConfig(environment, root), effects);

  const texts = join(root, 'edited.json');
  const edited = Object.entries(EDITS).map(([path, edit]) => [pathToFileURL(join(ROOT, path)).href, edit(read(path))]);
  await writeFile(texts, JSON.stringify(Object.fromEntries(edited)));
  const given = { environment, dumps, now: '2026-11-22T12:00:00.000Z', from: published.version, trial: 'NCT00000130' };
  const support = join(ROOT, 'test', 'support', 'snapshots');
  const hooks = pathToFileURL(join(support, 'edited-modules.ts'));
  hooks.searchParams.set('texts', texts);
  const { stdout } = await promisify(execFile)(
    process.execPath,
    ['--import', hooks.href, join(support, 'added-field.ts'), JSON.stringify(given)],
    { env: { ...process.env, ...COMPILE_CACHE } },
  );
  shown = JSON.parse(stdout);
}

it('a registry field that is added touches the files that CONTRIBUTING names, at most five', () => {
  const section = read('CONTRIBUTING.md').split('## Add a registry field')[1]?.split('\n## ')[0] ?? '';
  const steps = section.split('\n').filter((line) => /^\d\. |^ {3}/.test(line));
  const named = [...steps.join('\n').matchAll(/`([\w/-]+\.ts)`/g)].map(([, path]) => path);
  expect(named).toEqual(Object.keys(EDITS));
  expect(named.length).toBeLessThanOrEqual(5);
  for (const [path, edit] of Object.entries(EDITS))
    expect([path, edit(read(path)) === read(path)]).toEqual([path, false]);
});

deep.describe('a registry field that is added as CONTRIBUTING says', () => {
  beforeAll(publishBoth);
  afterAll(() => rm(root, { recursive: true, force: true }));

  it("is a column of the tables, stands in the trial's JSON, in its registrations' and among its conflicts", async () => {
    await using db = await Database.open(':memory:');
    const dir = join(root, 'snapshots', shown.version);
    const of = async (table: 'registrations' | 'trials') =>
      (await db.all(`SELECT detailed_description AS text FROM ${parquetSource(dir, table)} ORDER BY 1 DESC`)).map(
        ({ text }) => text,
      );
    const both = ['Ice or water', 'Ice is better'];
    expect([await of('registrations'), await of('trials')]).toEqual([both, ['Ice or water']]);
    const { detailedDescription, registrations, conflicts } = shown.trial;
    expect(detailedDescription).toBe('Ice or water');
    expect(registrations.map(({ fields }) => fields.detailedDescription)).toEqual(both);
    const conflict = conflicts.find(({ field }) => field === 'detailedDescription');
    expect(conflict?.values.map(({ value }) => value)).toEqual(both);
  });

  it('is what changed since the snapshot that was made before it', () => {
    const change = (value: string) => ({ field: 'detailed_description', old: null, new: value });
    const origin = { field: 'origins.detailed_description', old: null, new: 'clinicaltrials_gov' };
    expect(shown.changed.trials.map(({ fields }) => fields)).toEqual([[change('Ice or water'), origin]]);
    expect(shown.changed.registrations.map(({ fields }) => fields)).toEqual([
      [change('Ice or water')],
      [change('Ice is better')],
    ]);
  });
});
