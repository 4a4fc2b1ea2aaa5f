import { argumentsOf } from '../../contract/interfaces/arguments.ts';
import type { Operation } from '../../contract/operation.ts';
import { OPERATIONS } from '../../contract/operations.ts';

/** An operation that the SDK offers as a method. */
export interface SdkMethod {
  name: string;
  /** Prefix of the names of its types. */
  typePrefix: string;
  operation: Operation;
  /** Answers plain JSON without the envelope. */
  bare: boolean;
  /** How the next page is asked for, and which list of `data` holds the items where there is exactly one. */
  paging: 'page' | 'offset' | null;
}

/** Streams are written by hand in the client: a table cannot say how a stream is read. */
const WRITTEN_BY_HAND = ['exportChanges'];

/** Every method that is made from the contract, in its order. */
export function sdkMethods(): SdkMethod[] {
  return OPERATIONS.flatMap((operation): SdkMethod[] => {
    const name = operation.names?.sdk;
    if (name === undefined || WRITTEN_BY_HAND.includes(name)) return [];
    if (operation.envelope === false && operation.streams) {
      throw new Error(`${operation.id} answers a stream: write ${name} by hand in sdk/client.ts and list it here`);
    }
    const typePrefix = `${name.charAt(0).toUpperCase()}${name.slice(1)}`;
    return [{ name, typePrefix, operation, bare: operation.envelope === false, paging: pagingOf(operation) }];
  });
}

function pagingOf(operation: Operation): SdkMethod['paging'] {
  const query = new Set(
    argumentsOf(operation)
      .filter(({ place }) => place === 'query')
      .map(({ name }) => name),
  );
  if (operation.envelope === false) return null;
  if (query.has('page') && query.has('pageSize')) return 'page';
  return query.has('limit') && query.has('offset') ? 'offset' : null;
}
