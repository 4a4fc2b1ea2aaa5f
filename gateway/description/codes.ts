import { ERRORS, type ErrorCode } from '../../contract/errors/errors.ts';
import type { Operation } from '../../contract/operation.ts';
import { DOOR_CODES } from '../../contract/schemas/envelope.ts';

/** What the gateway itself may answer before or after the operation's own handler. */
const CAN_OCCUR: Record<(typeof DOOR_CODES)[number], (operation: Operation) => boolean> = {
  // A path that is not percent-encoded UTF-8.
  INVALID_PARAM: ({ params }) => params !== undefined,
  INVALID_API_KEY: ({ bucket, errors }) => bucket !== 'none' && !errors.includes('INVALID_KEY'),
  // A foreign Host, or a write by a page of another site.
  FORBIDDEN: ({ bucket }) => bucket !== 'none',
  RATE_LIMITED: ({ bucket }) => bucket === 'read' || bucket === 'read-keyed',
  WRITE_RATE_LIMITED: ({ bucket }) => bucket !== 'none' && bucket !== 'read' && bucket !== 'read-keyed',
  INTERNAL_ERROR: () => true,
  // These two answer other paths and other methods than the operation's.
  NOT_FOUND: () => false,
  METHOD_NOT_ALLOWED: () => false,
};

/** Every code that a call of the operation can be answered with, sorted. */
export function codesOf(operation: Operation): ErrorCode[] {
  const atTheDoor = DOOR_CODES.filter((code) => CAN_OCCUR[code](operation));
  return [...new Set<ErrorCode>([...operation.errors, ...atTheDoor])].sort();
}

/** The codes of each status, by status. */
export function byStatus(codes: readonly ErrorCode[]): [status: number, codes: ErrorCode[]][] {
  const groups = Map.groupBy(codes, (code): number => ERRORS[code].status);
  return [...groups].sort(([a], [b]) => a - b);
}
