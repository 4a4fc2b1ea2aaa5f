import { join } from 'node:path';
import type { Config } from '../../server-kit/config/config.ts';
import type { Effects } from '../effects.ts';
import type { NormaliseReport } from '../normalise/report.ts';
import { loadLexicons } from '../signals/classify.ts';
import { feedClient } from '../signals/feed-client.ts';
import {
  FeedFault,
  type FeedSource,
  type FetchFeed,
  loadFeeds,
  NO_VALIDATORS,
  openFeedDirectory,
} from '../signals/feeds.ts';
import { readFeed } from '../signals/read-feed.ts';
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
  const days = [await normalisedDay(db)];
  const directory = options.feeds === undefined ? null : await openFeedDirectory(options.feeds, list.feeds);
  const fetchFeed = directory?.fetchFeed ?? null;
  if (fetchFeed !== null) for (const feed of list.feeds) days.push(...(await daysOf(feed, fetchFeed, now)));
  const newest = days
    .filter((day) => day !== null)
    .sort()
    .at(-1);
  const today = newest === undefined ? now : new Date(`${newest}T00:00:00.000Z`);
  const report = await work({ list, today, replace: false, fetchFeed });
  return directory === null ? report : { ...report, leftOut: directory.leftOut };
}

/** The days that the items of a feed state, none after `now`; none for a feed that cannot be read, which the stage reports. */
async function daysOf(feed: FeedSource, fetchFeed: FetchFeed, now: Date): Promise<string[]> {
  try {
    const answer = await fetchFeed(feed, NO_VALIDATORS);
    if (answer?.state !== 'received') return [];
    const { items } = readFeed({ ...answer, feed: feed.id, today: now });
    const times = items.flatMap(({ publishedAt }) => publishedAt ?? []);
    return times.filter((time) => time <= now.toISOString()).map((time) => time.slice(0, 10));
  } catch (error) {
    if (error instanceof FeedFault) return [];
    throw error;
  }
}

/** The as-of day of the registrations; null where the normalise stage has not run. */
async function normalisedDay(db: Database): Promise<string | null> {
  const row = await db.one("SELECT report FROM stage_state WHERE stage = 'normalise'");
  return row === null ? null : (JSON.parse(row.report as string) as NormaliseReport).asOf;
}
