import { existsSync } from 'node:fs';
import { Client } from 'pg';
import { describe, expect, it } from 'vitest';
import { NO_POSTGRES, openDatabase, PostgresServer } from './postgres.ts';

if (NO_POSTGRES !== null) process.stderr.write(`\nTests on PostgreSQL are skipped: ${NO_POSTGRES}\n`);

describe.skipIf(NO_POSTGRES !== null)('the PostgreSQL of tests', () => {
  it('gives each test a database of its own, as it was prepared once', async () => {
    let prepared = 0;
    const prepare = async (url: string) => {
      prepared += 1;
      await ask(url, 'CREATE TABLE kept (a text)');
      await ask(url, "INSERT INTO kept VALUES ('of the template')");
    };
    await using first = await openDatabase(prepare);
    await using second = await openDatabase(prepare);
    await ask(first.url, "INSERT INTO kept VALUES ('of the first')");
    expect(await ask(first.url, 'SELECT a FROM kept ORDER BY a')).toEqual([
      { a: 'of the first' },
      { a: 'of the template' },
    ]);
    expect(await ask(second.url, 'SELECT a FROM kept')).toEqual([{ a: 'of the template' }]);
    expect(prepared).toBe(1);
  });

  it('orders texts as people do, unless a column says otherwise', async () => {
    await using database = await openDatabase();
    const [row] = await ask(database.url, `SELECT 'a' < 'B' AS read, 'a' < 'B' COLLATE "C" AS bytes`);
    expect(row).toEqual({ read: true, bytes: false });
  });

  it('comes back from a kill with what was committed, and leaves nothing', async () => {
    const server = await PostgresServer.create();
    const folder = await ask(server.url(), 'SHOW unix_socket_directories');
    await server.run(['CREATE TABLE kept (a text)', "INSERT INTO kept VALUES ('committed')"]);
    await server.kill();
    await expect(server.run(['SELECT 1'])).rejects.toThrow('ECONNREFUSED');
    await server.start();
    expect(await ask(server.url(), 'SELECT a FROM kept')).toEqual([{ a: 'committed' }]);
    await server[Symbol.asyncDispose]();
    await expect(server.run(['SELECT 1'])).rejects.toThrow('ECONNREFUSED');
    expect(existsSync(folder[0]!.unix_socket_directories as string)).toBe(false);
  });
});

async function ask(url: string, statement: string): Promise<Record<string, unknown>[]> {
  const client = new Client({ connectionString: url });
  await client.connect();
  try {
    return (await client.query(statement)).rows;
  } finally {
    await client.end();
  }
}
