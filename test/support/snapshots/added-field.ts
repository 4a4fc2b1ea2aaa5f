import { pino } from 'pino';
import { SNAPSHOT_TABLE_DESCRIPTIONS } from '../../../contract/fields/snapshot-tables.ts';
import { trialSchema } from '../../../contract/schemas/trials/trial.ts';
import { createGateway } from '../../../gateway/app.ts';
import { openIndexServices } from '../../../index-server/services.ts';
import { diff } from '../../../pipeline/diff/diff.ts';
import { type RunOptions, run } from '../../../pipeline/run/run.ts';
import { loadConfig } from '../../../server-kit/config/config.ts';

/**
 * Publishes the given dumps and prints, as JSON, every place where a new field shows. test/repository/add-a-field.test.ts
 * runs it on code to which a field was added (edited-modules.ts).
 */
const given = JSON.parse(process.argv[2] as string) as {
  environment: Record<string, string>;
  dumps: NonNullable<RunOptions['dumps']>;
  now: string;
  /** Version published before. */
  from: string;
  trial: string;
};
const { environment, dumps, now, from, trial } = given;
const config = loadConfig(environment, environment.DATA_DIR as string);
const effects = { now: () => new Date(now), progress: () => {}, checkpoint: () => {} };
const { published } = await run(
  { source: 'dump', mode: 'auto', dumps, asOf: '2026-11-20', accept: [] },
  config,
  effects,
);

const log = pino({ level: 'silent' });
await using index = await openIndexServices(config.snapshotsDir, log);
const app = createGateway({ index, log, now: effects.now, baseUrl: 'http://test.example' });
const answer = await app.fetch(new Request(`http://test.example/api/v1/trials/${trial}`));
const { data } = (await answer.json()) as { data: unknown };

const { trials, registrations } = await diff(config.snapshotsDir, from, published.version);
process.stdout.write(
  JSON.stringify({
    version: published.version,
    // Parsed, so that a field that the schema does not name is lost.
    trial: trialSchema.parse(data),
    changed: { trials: trials.changed, registrations: registrations.changed },
    dictionary: SNAPSHOT_TABLE_DESCRIPTIONS,
  }),
);
