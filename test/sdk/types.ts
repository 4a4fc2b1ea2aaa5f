import { TrialBoardClient, type TrialBoardError } from '../../sdk/client.ts';

/** This file is compiled with the rest and never run. It shows what a caller's compiler accepts and refuses. */

const client = new TrialBoardClient({ baseUrl: 'http://board.example' });

export async function accepted(): Promise<unknown[]> {
  const { data, _meta } = await client.searchTrials({ q: 'asthma', phase: ['2', '3'], page: 2 });
  const title: string | null | undefined = data.trials[0]?.title;
  const snapshot: string | undefined = _meta.snapshot;
  const { releaseToken } = (await client.createClaim({ scope: 's', intent: 'i', agentName: 'a' })).data;
  const token: string | undefined = releaseToken;
  for await (const claim of client.items('listClaims', { state: 'active' })) {
    const state: 'active' | 'released' | 'delivered' | 'expired' = claim.state;
    return [title, snapshot, token, state];
  }
  return [];
}

export async function refused(error: TrialBoardError): Promise<void> {
  // @ts-expect-error no such argument
  await client.searchTrials({ query: 'asthma' });
  // @ts-expect-error a number, not text
  await client.searchTrials({ page: '2' });
  // @ts-expect-error not one of its values
  await client.searchTrials({ phase: ['five'] });
  // @ts-expect-error intent is required
  await client.createClaim({ scope: 's', agentName: 'a' });
  // @ts-expect-error the id is required
  await client.getTrial({});
  // @ts-expect-error it takes no arguments
  await client.hello({ q: 'x' });
  // @ts-expect-error no such field
  (await client.getTrialStats()).data.trials;
  // @ts-expect-error no such operation
  await client.deleteTrial({ canonicalId: 'x' });
  // @ts-expect-error an operation without pages
  client.pages('getTrial', { canonicalId: 'x' });
  // @ts-expect-error no such kind
  client.follow({ kind: 'review' });
  // @ts-expect-error errors are not changed
  error.code = 'NOT_FOUND';
}
