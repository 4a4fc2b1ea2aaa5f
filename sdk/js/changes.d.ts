import type { CallOptions } from './options.ts';
import type { Transport } from './transport.ts';
import type { GetChangesArguments, GetChangesData } from './types.ts';
/** Reading the change feed to its end and on, without a gap and without a repeat. */
export type ChangeEvent = GetChangesData['events'][number];
export interface FollowArguments {
    /** Cursor, exclusive: the `ts` of the last event that you hold. Left out, it begins 30 days back. */
    since?: string | undefined;
    /** Only events of this kind. */
    kind?: GetChangesArguments['kind'];
    /** Seconds that the service holds an empty answer back, 0 to 30; default 25. */
    wait?: number | undefined;
}
/** Events as they are posted, for ever; ends by its signal, or by a failure that no waiting mends. */
export declare function follow(transport: Transport, { since, kind, wait }: FollowArguments, options: CallOptions): AsyncGenerator<ChangeEvent, void, undefined>;
/** Every event, however old, from a cursor to the newest; resumes after the last one where the transfer breaks off. */
export declare function exportChanges(transport: Transport, { since }: {
    since?: string | undefined;
}, options: CallOptions): AsyncGenerator<ChangeEvent, void, undefined>;
