import type { Operation } from './operation.ts';
/** What a flat object of arguments becomes over HTTP. */
export interface Placement {
    /** Path and query, percent-encoded. */
    path: string;
    headers: Record<string, string>;
    body: Record<string, unknown> | undefined;
}
/**
 * Puts arguments where the operation wants them. Null and undefined count as left out, except null in a body. Arguments
 * that the operation does not know are sent along, and its answer names them in `_meta.ignored`.
 * Throws a TrialBoardError for what no request can carry; a value that is merely wrong is refused by the service.
 */
export declare function placementOf(operation: Operation, given: object): Placement;
