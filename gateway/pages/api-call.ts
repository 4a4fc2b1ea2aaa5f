import { httpInput } from '../../contract/arguments.ts';
import type { Operation } from '../../contract/operation.ts';

/** Path and query of a read with these arguments, for people to copy; safe between quotes in a shell. */
export function apiCall(operation: Operation, given: Record<string, unknown> = {}): string {
  return httpInput(operation, given).path.replaceAll("'", '%27');
}
