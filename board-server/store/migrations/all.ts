import type { Kysely } from 'kysely';
import type { Sealer } from '../sealed.ts';
import type { DialectName } from '../session.ts';
import * as board0001 from './0001-board.ts';
import * as countIndexes0002 from './0002-count-indexes.ts';
import * as reviewIndexes0003 from './0003-review-indexes.ts';
import * as search0004 from './0004-search.ts';
import * as webhooks0005 from './0005-webhooks.ts';
import * as listIndexes0006 from './0006-list-indexes.ts';
import * as resultsGap0007 from './0007-results-gap.ts';
import * as council0008 from './0008-council.ts';
import * as reality0009 from './0009-reality.ts';
import * as ladders0010 from './0010-ladders.ts';
import * as cureLab0011 from './0011-cure-lab.ts';
import * as agentIndexes0012 from './0012-agent-indexes.ts';
import * as tallies0013 from './0013-tallies.ts';
import * as liveClaimSubjects0014 from './0014-live-claim-subjects.ts';
import * as voices0015 from './0015-voices.ts';
import * as webhookOwners0017 from './0017-webhook-owners.ts';
import * as callers0018 from './0018-callers.ts';
import * as eventAbouts0019 from './0019-event-abouts.ts';
import * as receipts0020 from './0020-receipts.ts';
import * as snapshotNews0021 from './0021-snapshot-news.ts';
import * as searchForms0022 from './0022-search-forms.ts';
import * as webhookLeases0023 from './0023-webhook-leases.ts';
import * as installation0024 from './0024-installation.ts';
import * as a2aTasks0025 from './0025-a2a-tasks.ts';
import * as gatewayTraffic0026 from './0026-gateway-traffic.ts';
import * as noA2aTasks0027 from './0027-no-a2a-tasks.ts';

interface Migration {
  up(db: Kysely<never>, sealer: Sealer, dialect: DialectName): Promise<void>;
  /** True where a program that does not know the migration may not write any more. */
  needed?: boolean;
}

/** In the order of application. A released migration never changes; new ones are added at the end. */
export const MIGRATIONS: readonly Migration[] = [
  board0001,
  countIndexes0002,
  reviewIndexes0003,
  search0004,
  webhooks0005,
  listIndexes0006,
  resultsGap0007,
  council0008,
  reality0009,
  ladders0010,
  cureLab0011,
  agentIndexes0012,
  tallies0013,
  liveClaimSubjects0014,
  webhookOwners0017,
  voices0015,
  callers0018,
  eventAbouts0019,
  receipts0020,
  snapshotNews0021,
  searchForms0022,
  webhookLeases0023,
  installation0024,
  a2aTasks0025,
  gatewayTraffic0026,
  noA2aTasks0027,
];
