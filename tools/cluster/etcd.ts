import { join } from 'node:path';
import { Member } from './member.ts';
import { pathOf } from './programs.ts';

/** The store in which the agents of PostgreSQL agree on who leads. */
export function etcd(folder: string, { client, peer }: { client: number; peer: number }): Member {
  const [clientUrl, peerUrl] = [`http://127.0.0.1:${client}`, `http://127.0.0.1:${peer}`];
  return new Member({
    name: 'etcd',
    command: [
      pathOf('etcd'),
      ...['--name', 'etcd', '--data-dir', join(folder, 'etcd')],
      ...['--listen-client-urls', clientUrl, '--advertise-client-urls', clientUrl],
      ...['--listen-peer-urls', peerUrl, '--initial-advertise-peer-urls', peerUrl],
      ...['--initial-cluster', `etcd=${peerUrl}`, '--logger', 'zap'],
      '--enable-v2',
    ],
    logFile: join(folder, 'etcd.log'),
    isReady: async () => (await fetch(`${clientUrl}/health`)).ok,
  });
}
