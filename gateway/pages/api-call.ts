import { httpInput } from '../../contract/arguments.ts';
import type { Operation } from '../../contract/operation.ts';

/** Path and query of a read with these arguments, to be shown to copy: what is in it cannot end a quoted shell word. */
export function apiCall(operation: Operation, given: Record<string, unknown> = {}): string {
  return httpInput(operation, given).path.replaceAll("'", '%27');
}
