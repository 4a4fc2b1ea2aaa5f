import { execFileSync } from 'node:child_process';
import { chownSync, mkdirSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import pg from 'pg';
import { Member } from './member.ts';
import { pathOf, postgresUser } from './programs.ts';

/**
 * One PostgreSQL without standby and agent; a commit is answered when its own disk has it, unless `more` settings say
 * otherwise.
 */
export async function plainPostgres(
  folder: string,
  port: number,
  more: readonly string[] = [],
): Promise<{ member: Member; url: string }> {
  const user = postgresUser();
  const own = join(folder, 'postgres');
  mkdirSync(own, { recursive: true });
  if (user) chownSync(own, user.uid, user.gid);
  const passwordFile = join(own, 'password');
  const password = 'loopback-only';
  writeFileSync(passwordFile, password);
  const data = join(own, 'data');
  const words = ['-D', data, '-U', 'postgres', '--auth=scram-sha-256', `--pwfile=${passwordFile}`, '-E', 'UTF8'];
  execFileSync(join(dirname(pathOf('postgres')), 'initdb'), [...words, '--locale=C.UTF-8'], {
    cwd: own,
    env: {},
    stdio: 'ignore',
    ...user,
  });
  const url = `postgres://postgres:${password}@127.0.0.1:${port}/postgres`;
  const settings = [
    `port=${port}`,
    'listen_addresses=127.0.0.1',
    `unix_socket_directories=${own}`,
    'max_connections=100',
    ...more,
  ];
  const member = new Member({
    name: 'postgres',
    command: [pathOf('postgres'), '-D', data, ...settings.flatMap((setting) => ['-c', setting])],
    logFile: join(folder, 'postgres.log'),
    cwd: own,
    env: {},
    user,
    isReady: async () => {
      const client = new pg.Client(url);
      try {
        await client.connect();
        return true;
      } finally {
        await client.end();
      }
    },
  });
  return { member, url };
}
