import { once } from 'node:events';
import { type AddressInfo, createServer, type Server } from 'node:net';

/** Free ports of 127.0.0.1, all different: each is held until all are known. */
export async function freePorts(count: number): Promise<number[]> {
  const servers: Server[] = [];
  for (let taken = 0; taken < count; taken += 1) {
    const server = createServer().listen(0, '127.0.0.1');
    await once(server, 'listening');
    servers.push(server);
  }
  const ports = servers.map((server) => (server.address() as AddressInfo).port);
  for (const server of servers) server.close();
  await Promise.all(servers.map((server) => once(server, 'close')));
  return ports;
}
