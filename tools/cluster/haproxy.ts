import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { Member } from './member.ts';
import type { PostgresPorts } from './patroni.ts';
import { pathOf } from './programs.ts';

export interface ProxyPorts {
  /** Of the primary of PostgreSQL. */
  primary: number;
  /** Of the gateways. */
  public: number;
  /** Of its own state. */
  state: number;
}

interface ProxiedServers {
  nodes: readonly PostgresPorts[];
  /** Ports. */
  gateways: readonly number[];
  /** Of the leader, in seconds: where it is long, whoever answers late is not taken for dead either. */
  lease: number;
}

/** One address for whichever node leads, as its agent says, and one for the gateways that take requests. */
export function haproxy(folder: string, ports: ProxyPorts, servers: ProxiedServers): Member {
  const configuration = join(folder, 'haproxy.cfg');
  writeFileSync(configuration, linesOf(ports, servers).join('\n'));
  return new Member({
    name: 'haproxy',
    command: [pathOf('haproxy'), '-db', '-f', configuration],
    logFile: join(folder, 'haproxy.log'),
    isReady: async () => (await fetch(`http://127.0.0.1:${ports.state}/`)).ok,
  });
}

/** How many gateways the proxy sends requests to, as its checks saw them last. */
export async function gatewaysInUse({ state }: ProxyPorts): Promise<number> {
  return Number(await (await fetch(`http://127.0.0.1:${state}/`)).text());
}

function linesOf(ports: ProxyPorts, { nodes, gateways, lease }: ProxiedServers): string[] {
  return [
    'global',
    '  maxconn 4000',
    'defaults',
    '  timeout connect 2s',
    '  timeout client 1h',
    '  timeout server 1h',
    'frontend state',
    '  mode http',
    `  bind 127.0.0.1:${ports.state}`,
    // How many gateways it sends requests to.
    `  http-request return status 200 content-type text/plain lf-string "%[nbsrv(public)]"`,
    'listen primary',
    '  mode tcp',
    `  bind 127.0.0.1:${ports.primary}`,
    '  option httpchk GET /primary',
    // A node that no longer leads may still hold connections: they end, so that nothing is written to it.
    `  timeout check ${lease / 5}s`,
    '  default-server inter 500ms fall 2 rise 1 on-marked-down shutdown-sessions',
    ...nodes.map(({ postgres, agent }, at) => `  server pg${at + 1} 127.0.0.1:${postgres} check port ${agent}`),
    'listen public',
    '  mode http',
    `  bind 127.0.0.1:${ports.public}`,
    '  balance leastconn',
    '  option httpchk GET /readyz',
    '  option forwardfor',
    // A request that reached no gateway is sent to another one; what a gateway began is never repeated.
    '  option redispatch 1',
    '  retries 3',
    '  retry-on conn-failure',
    // A gateway that answers late on a busy machine is no dead one.
    `  timeout check ${lease}s`,
    '  default-server inter 500ms fall 1 rise 1',
    ...gateways.map((port, at) => `  server gateway${at + 1} 127.0.0.1:${port} check`),
    '',
  ];
}
