import { once } from 'node:events';
import { connect, createServer, type Server, type Socket } from 'node:net';

/**
 * What becomes of a message of the client: it goes on; it goes on and nothing comes back any more; or the connection is
 * cut, before or after the message has reached the server.
 */
export type Fate = 'pass' | 'mute' | 'cut before' | 'cut after';

/** Stands between a board and its database, and does to each message what a test says. */
export class CutProxy implements AsyncDisposable {
  /** Address of the database by way of here. */
  readonly url: string;
  /** Asked for each message of the client, as text. */
  fate: (message: string) => Fate = () => 'pass';
  readonly #server: Server;
  readonly #sockets = new Set<Socket>();

  private constructor(url: string, server: Server) {
    this.url = url;
    this.#server = server;
  }

  static async before(database: string): Promise<CutProxy> {
    const target = new URL(database);
    const server = createServer().listen(0, '127.0.0.1');
    await once(server, 'listening');
    const { port } = server.address() as { port: number };
    const through = new URL(database);
    through.port = `${port}`;
    const proxy = new CutProxy(through.href, server);
    server.on('connection', (client) => proxy.#join(client, connect(Number(target.port), target.hostname)));
    return proxy;
  }

  #join(client: Socket, server: Socket): void {
    let isMute = false;
    const cut = () => {
      client.destroy();
      server.destroy();
    };
    for (const socket of [client, server]) {
      this.#sockets.add(socket);
      socket.on('error', () => undefined);
      socket.on('close', () => {
        this.#sockets.delete(socket);
        cut();
      });
    }
    client.on('data', (message) => {
      const fate = this.fate(message.toString('latin1'));
      if (fate === 'cut before') return cut();
      if (fate === 'mute') isMute = true;
      // Its answer shows that the server has carried it out; the client never sees it.
      if (fate === 'cut after') server.once('data', cut);
      isMute ||= fate === 'cut after';
      server.write(message);
    });
    server.on('data', (answer) => {
      if (!isMute) client.write(answer);
    });
  }

  async [Symbol.asyncDispose](): Promise<void> {
    for (const socket of this.#sockets) socket.destroy();
    this.#server.close();
    await once(this.#server, 'close');
  }
}
