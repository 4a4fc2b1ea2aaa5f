import { expect, it } from 'vitest';
import { GAP_GROUPS } from '../../contract/schemas/trials/trial-results-gap.ts';
import { openGateway } from '../support/gateway.ts';
import { ofFile } from '../support/of-file.ts';

/** Each has an answer of its own, but for one that chooses a value of what is grouped. */
const ASKED = [
  '',
  'status=completed&q=diabetes',
  'country=uk',
  'sponsorClass=industry&gapMonths=12',
  'gapClock=completion',
  'topic=diabetes&match=concepts',
  'topic=diabetes',
  'startedAfter=2015-01-01&phase=2',
];

const gateway = ofFile(() => openGateway());

async function dataOf(path: string): Promise<string> {
  const { status, body } = await gateway.get(path);
  expect([path, status]).toEqual([path, 200]);
  return JSON.stringify(body.data);
}

it.each([
  ...GAP_GROUPS.map((by) => `results-gap?by=${by}`),
  'results-gap?by=sponsor&sort=name&pageSize=3&page=2',
  'facets?facet=sponsor,phase,results',
])('%s: what is kept of one question is given for no other, and given again for the same', async (what) => {
  const paths = ASKED.map((asked) => `/api/v1/trials/${what}&${asked}`);
  const counted: string[] = [];
  for (const path of paths) counted.push(await dataOf(path));
  expect(new Set(counted).size).toBeGreaterThanOrEqual(ASKED.length - 1);
  for (const path of paths.toReversed()) expect(await dataOf(path), path).toBe(counted[paths.indexOf(path)]);
});
