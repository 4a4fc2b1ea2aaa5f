import { describe, expect, it } from 'vitest';
import { ERRORS } from '../../contract/errors/errors.ts';
import { OPERATIONS } from '../../contract/operations.ts';
import { failureFaults } from '../support/checks/answer-shape.ts';
import { ofFile } from '../support/of-file.ts';
import { openPlaces } from './places.ts';
import { ERROR_TABLE } from './rows/every-row.ts';
import { filled, type Row, rowsOf, type Sent } from './table.ts';

const ROWS = rowsOf(ERROR_TABLE);
/** Nothing of the inside of the service may be in a refusal. */
const INNER = /node_modules|\.ts:\d|SQLITE|sqlite|kysely|at Object\.|stack|\/secret\/place/;

const places = ofFile(() => openPlaces());

/** Each row has a group of addresses of its own, since a group may hold few keys and subscriptions. */
function sendAs(place: number, { on = 'usual', operation }: Row, sent: Sent & { path: string }) {
  const headers = { 'x-forwarded-for': `10.${place >> 8}.${place & 255}.1`, ...sent.headers };
  const server = operation.server === 'board' ? 'board' : 'gateway';
  return places.send(on, server, operation.method, filled({ path: sent.path, body: sent.body, headers }, places.names));
}

describe('every code that an operation declares', () => {
  it.each(ROWS.map((row, place) => [row.operation.id, row.code, place, row] as const))(
    '%s: %s comes with its own status, hint and retry (row %i)',
    async (_id, code, place, row) => {
      for (const first of row.after ?? []) {
        const { status, body } = await sendAs(place, row, { ...row, ...first });
        expect([status < 300, body]).toEqual([true, expect.anything()]);
      }
      const { status, headers, body } = await sendAs(place, row, row);
      expect([status, body?.error?.code]).toEqual([ERRORS[code].status, code]);
      expect(failureFaults(row.operation, status, body)).toEqual([]);
      // Only the next snapshot mends what was altered.
      const wait = code.endsWith('INTEGRITY_UNVERIFIED') ? '3600' : '5';
      if (status !== 429) expect(headers.get('retry-after')).toBe(status === 503 && body.error.retryable ? wait : null);
      expect(JSON.stringify(body)).not.toMatch(INNER);
      if (row.parameter !== undefined) expect(body.error.parameter).toBe(row.parameter);
      if (row.issues !== undefined)
        expect(body.error.issues.map(({ path }: { path: string }) => path)).toEqual(row.issues);
    },
  );

  it('has a row, and no row is of a code that its operation does not declare', () => {
    const pair = (id: string, code: string): string => `${id} ${code}`;
    const declared = OPERATIONS.flatMap(({ id, errors }) => errors.map((code) => pair(id, code)));
    const provoked = new Set(ROWS.map(({ operation, code }) => pair(operation.id, code)));
    expect(declared.filter((one) => !provoked.has(one))).toEqual([]);
    expect([...provoked].filter((one) => !declared.includes(one))).toEqual([]);
  });
});
