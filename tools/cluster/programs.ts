import { execFileSync } from 'node:child_process';
import { existsSync } from 'node:fs';
import { userInfo } from 'node:os';

/** Where Debian 12 puts the programs of the cluster, and the packages that hold them. */
const PROGRAMS = {
  postgres: { path: '/usr/lib/postgresql/15/bin/postgres', package: 'postgresql-15' },
  etcd: { path: '/usr/bin/etcd', package: 'etcd-server' },
  patroni: { path: '/usr/bin/patroni', package: 'patroni' },
  etcdForPatroni: { path: '/usr/lib/python3/dist-packages/etcd/client.py', package: 'python3-etcd' },
  redis: { path: '/usr/bin/redis-server', package: 'redis-server' },
  haproxy: { path: '/usr/sbin/haproxy', package: 'haproxy' },
} as const;

export type Program = keyof typeof PROGRAMS;

export function pathOf(program: Program): string {
  return PROGRAMS[program].path;
}

/** Debian packages whose programs are not on this machine. */
export function missingPackages(): string[] {
  return Object.values(PROGRAMS)
    .filter(({ path }) => !existsSync(path))
    .map((program) => program.package);
}

/** A user of the machine by number, as `spawn` and `chown` take it. */
export interface UnixUser {
  uid: number;
  gid: number;
}

/** PostgreSQL refuses to run as root, so root starts it as the user that its package made. Null: as who we are. */
export function postgresUser(): UnixUser | null {
  if (userInfo().uid !== 0) return null;
  const id = (flag: string): number => Number(execFileSync('id', [flag, 'postgres'], { encoding: 'utf8' }));
  return { uid: id('-u'), gid: id('-g') };
}
