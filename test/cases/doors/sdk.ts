import type { Operation } from '../../../contract/operation.ts';
import { TrialBoardClient, TrialBoardError } from '../../../sdk/client.ts';
import type { Operations } from '../../../sdk/types.ts';
import { openOrigin } from '../../support/origin.ts';
import type { Answered, Envelope, Failure, Given } from '../case.ts';
import type { DoorKind } from './door.ts';

/** The typed client. It returns the lines of the export one by one. */
export const SDK_DOOR: DoorKind = {
  name: 'the SDK',
  offers: ({ names }) => names?.sdk !== undefined,
  async open() {
    const origin = await openOrigin();
    const clientOf = (apiKey?: string) => new TrialBoardClient({ baseUrl: origin.url, apiKey, retries: 0 });
    const open = clientOf();
    return {
      kind: SDK_DOOR,
      origin,
      async call(operation, given, apiKey) {
        try {
          const answer = await asked(apiKey === undefined ? open : clientOf(apiKey), operation, given);
          // The client shows the status of a refusal, but not that of a success.
          const envelope = operation.envelope === false ? { data: answer, _meta: null } : (answer as Envelope);
          return { ok: true, status: null, envelope };
        } catch (error) {
          return refusedBy(error);
        }
      },
      [Symbol.asyncDispose]: () => origin[Symbol.asyncDispose](),
    };
  },
};

function asked(client: TrialBoardClient, { names }: Operation, given: Given): Promise<unknown> {
  if (names?.sdk === 'exportChanges') return exported(client, given);
  return client.call(names?.sdk as keyof Operations, given as never);
}

async function exported(client: TrialBoardClient, given: Given): Promise<unknown[]> {
  const events: unknown[] = [];
  for await (const event of client.exportChanges(given)) events.push(event);
  return events;
}

function refusedBy(error: unknown): Answered {
  if (!(error instanceof TrialBoardError)) throw error;
  const { code, status, message, retryable, hint, correlationId, parameter, expected, issues, retryAfterSeconds } =
    error;
  const fields = { code, message, retryable, hint, correlationId, parameter, expected, retryAfterSeconds };
  const given = Object.entries({ ...fields, issues: issues.length > 0 ? issues : undefined });
  const failure = Object.fromEntries(given.filter(([, value]) => value !== undefined)) as unknown as Failure;
  // Status 0 means that the client refused the call before it sent anything.
  return { ok: false, status: status === 0 ? null : status, error: failure, local: status === 0 };
}
