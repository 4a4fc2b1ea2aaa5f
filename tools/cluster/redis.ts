import { once } from 'node:events';
import { connect } from 'node:net';
import { join } from 'node:path';
import { Member } from './member.ts';
import { pathOf } from './programs.ts';

/** Holds the buckets of the limits; it keeps nothing on the disk. */
export function redis(folder: string, port: number): Member {
  return new Member({
    name: 'redis',
    command: [
      pathOf('redis'),
      ...['--bind', '127.0.0.1', '--port', String(port), '--dir', folder, '--save', '', '--appendonly', 'no'],
    ],
    logFile: join(folder, 'redis.log'),
    isReady: async () => {
      const socket = connect(port, '127.0.0.1');
      try {
        await once(socket, 'connect');
        socket.write('PING\r\n');
        return String(await once(socket, 'data')).startsWith('+PONG');
      } finally {
        socket.destroy();
      }
    },
  });
}
