import type { GetChangesArguments, GetChangesData } from './types.ts';

/** An event of the change feed. */
export type ChangeEvent = GetChangesData['events'][number];

export interface FollowArguments {
  /** Cursor, exclusive: the `ts` of the last event that you hold. Left out, it begins 30 days back. */
  since?: string | undefined;
  /** Only events of this kind. */
  kind?: GetChangesArguments['kind'];
  /** Seconds that the service holds an empty answer back, 0 to 30; default 25. */
  wait?: number | undefined;
}
