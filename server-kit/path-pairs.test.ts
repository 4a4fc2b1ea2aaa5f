import { H3Event } from 'h3';
import { expect, it } from 'vitest';
import { pathPairs } from './mount.ts';

it.each([
  ['NCT00000001', 'NCT00000001'],
  ['%4ECT00000001', 'NCT00000001'],
  ['%254ECT', '%4ECT'],
  ['a%2Fb', 'a/b'],
  ['a%252Fb', 'a%2Fb'],
  ['%C3%A9 é', 'é é'],
  ['', ''],
  ['%E9', null],
])('a path parameter sent as %j is read as %j, decoded once', (sent, value) => {
  const event = new H3Event(new Request(`http://test.example/api/v1/trials/${sent}/related`));
  expect(pathPairs(event, '/api/v1/trials/{id}/related')).toEqual([{ name: 'id', value }]);
});
