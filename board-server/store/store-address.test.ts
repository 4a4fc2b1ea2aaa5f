import { expect, it } from 'vitest';
import { placeOf, withoutSecrets } from './store-address.ts';

it('the address of a database is shown without password, whichever of its parts has one', () => {
  const shown: [string, string][] = [
    ['postgres://board:s3cret@db:5432/board', 'postgres://board@db:5432/board'],
    ['postgres://db/board?user=board&password=s3cret', 'postgres://db/board?user=board'],
    ['postgres://db/board?sslpassword=s3cret&sslmode=verify-full', 'postgres://db/board?sslmode=verify-full'],
    ['postgres://db/board?PASSWORD=s3cret&pass%77ord=s3cret&oauth_client_secret=s3cret', 'postgres://db/board'],
    ['postgres://db/board?password=s3cret&password=s3cret#s3cret', 'postgres://db/board'],
    ['postgres://db/board?options=-csearch_path%3Dboard', 'postgres://db/board?options=-csearch_path%3Dboard'],
    ['postgres://board:s3cret@one:1,two:2/board', 'postgres://…'],
  ];
  for (const [store, expected] of shown) {
    expect(withoutSecrets(store)).toBe(expected);
    expect(placeOf(store)).not.toContain('s3cret');
  }
});
