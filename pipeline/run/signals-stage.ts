import { join } from 'node:path';
import type { Config } from '../../server-kit/config/config.ts';
import type { Effects } from '../effects.ts';
import type { NormaliseReport } from '../normalise/report.ts';
import { feedClient } from '../signals/feed-client.ts';
import { newestDay, openFeedDirectory } from '../signals/feed-directory.ts';
import { loadFeeds } from '../signals/feeds.ts';
import { loadLexicons } from '../signals/lexicons.ts';
import { type SignalsInputs, type SignalsReport, signals } from '../signals/signals.ts';
import type { Database } from '../store/database.ts';
import { SAMPLE_DIRECTORY, type SampleOptions, sampleToday, withUnpacked } from './sample.ts';
import { seedItems } from './seeds.ts';
import { withWorkingDatabase } from './working-database.ts';
import { clientOptions, type Source, type Workspace } from './workspace.ts';

export interface SignalsOptions {
  source: Source;
  /** Dump: a directory of feed files; without it no feed is read. */
  feeds?: string;
  sample?: SampleOptions;
}

/** Reads the feeds of a source and classifies their items. A feed that fails is reported; only a fault of ours throws. */
export async function signalsStage(
  options: SignalsOptions,
  config: Config,
  workspace: Workspace,
  effects: Effects,
): Promise<SignalsReport> {
  return withWorkingDatabase(workspace, effects.now(), async (db) => {
    await seedItems(db, workspace);
    return signalsFrom(db, options, config, workspace, effects);
  });
}

async function signalsFrom(
  db: Database,
  options: SignalsOptions,
  config: Config,
  workspace: Workspace,
  effects: Effects,
): Promise<SignalsReport> {
  const lexicons = await loadLexicons();
  const work = async (from: Omit<SignalsInputs, 'dataDir' | 'lexicons'>): Promise<SignalsReport> =>
    signals({ dataDir: workspace.dataDir, lexicons, ...from }, db, effects);
  if (options.source === 'sample') {
    const { directory = SAMPLE_DIRECTORY } = options.sample ?? {};
    const list = await loadFeeds(join(directory, 'feeds.json'));
    const today = await sampleToday({ directory });
    return await withUnpacked(join(directory, 'feeds'), join(workspace.dataDir, 'feeds'), async (feeds) => {
      const { fetchFeed } = await openFeedDirectory(feeds, list.feeds);
      return work({ list, fetchFeed, today, replace: true });
    });
  }
  const list = await loadFeeds(config.feedsFile);
  const now = effects.now();
  if (options.source === 'live')
    return await work({ list, today: now, replace: false, fetchFeed: feedClient(clientOptions(config), effects) });
  // Files are as old as they say, so that equal ones give equal signals whenever they are read.
  const asOf = await normalisedDay(db);
  const dayOf = (day: string | null): Date => {
    const newest = [asOf, day]
      .filter((one) => one !== null)
      .sort()
      .at(-1);
    return newest === undefined ? now : new Date(`${newest}T00:00:00.000Z`);
  };
  if (options.feeds === undefined) return await work({ list, today: dayOf(null), replace: false, fetchFeed: null });
  const { fetchFeed, leftOut } = await openFeedDirectory(options.feeds, list.feeds);
  const today = dayOf(await newestDay(list.feeds, fetchFeed, now));
  return { ...(await work({ list, today, replace: false, fetchFeed })), leftOut };
}

/** The as-of day of the registrations; null where the normalise stage has not run. */
async function normalisedDay(db: Database): Promise<string | null> {
  const row = await db.one("SELECT report FROM stage_state WHERE stage = 'normalise'");
  return row === null ? null : (JSON.parse(row.report as string) as NormaliseReport).asOf;
}
