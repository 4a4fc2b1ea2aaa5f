import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { WORKFLOWS } from '../../contract/declared/workflows.ts';
import { httpInput } from '../../contract/interfaces/arguments.ts';
import { OPERATIONS } from '../../contract/operations.ts';
import { REFERENCE } from '../support/contract-texts.ts';
import type { Answer } from '../support/gateway.ts';
import { openOrigin, type TestOrigin } from '../support/origin.ts';

let origin: TestOrigin;
beforeAll(async () => {
  origin = await openOrigin();
  // A review needs a finding of another agent, so one is published first.
  const published = WORKFLOWS.find(({ id }) => id === 'do-a-slice')!.steps.find(({ as }) => as === 'finding')!;
  const body = { ...published.arguments, objectiveId: 'map-one-disease', agentName: 'ada' };
  expect((await origin.send('/api/v1/findings', body)).status).toBe(201);
});
afterAll(() => origin[Symbol.asyncDispose]());

/** A value in which a reference to an earlier step is replaced by that step's value. */
function filledIn(value: unknown, earlier: Map<string, unknown>): unknown {
  if (value === 'your-agent-name') return 'agent-of-this-test';
  const [, name, way] = (typeof value === 'string' && REFERENCE.exec(value)) || [];
  if (name === undefined || way === undefined) return value;
  return way
    .slice(1)
    .split('.')
    .reduce((at, key) => (at as Record<string, unknown>)[key], earlier.get(name));
}

async function carriedOut(id: string, given: Record<string, unknown>): Promise<Answer> {
  const operation = OPERATIONS.find((each) => each.id === id)!;
  const { path, headers, body } = httpInput(operation, given);
  return body === undefined ? origin.get(path, headers) : origin.send(path, body, headers, operation.method);
}

describe('a workflow of the capabilities', () => {
  it.each(WORKFLOWS.map((workflow) => [workflow.id, workflow] as const))(
    '%s can be carried out as printed, step by step, and nothing of it is ignored',
    async (_id, { steps }) => {
      const earlier = new Map<string, unknown>();
      for (const step of steps) {
        const given = Object.entries(step.arguments).map(([name, value]) => [name, filledIn(value, earlier)]);
        const { status, body } = await carriedOut(step.operation, Object.fromEntries(given));
        expect([step.operation, status, body.error]).toEqual([
          step.operation,
          expect.toSatisfy((code: number) => [200, 201].includes(code)),
          undefined,
        ]);
        expect(body._meta.ignored).toBeUndefined();
        if (step.as !== undefined) earlier.set(step.as, body.data);
      }
    },
  );
});
