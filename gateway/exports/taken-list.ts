import { boardFeed } from '../feeds/board-feed.ts';
import { snapshotsFeed } from '../feeds/snapshots-feed.ts';
import { trialsFeed } from '../feeds/trials-feed.ts';
import { pictureFile } from './picture-files.ts';
import { resultsGapCsv } from './results-gap-csv.ts';
import type { Taken } from './taken.ts';

/** Every file and feed that is made of reads. */
export const TAKEN_LIST: readonly Taken[] = [pictureFile, resultsGapCsv, trialsFeed, boardFeed, snapshotsFeed];
