import pg from 'pg';
import { CHANNEL } from './lane.ts';

/** How long an event may go unnoticed where notifications do not come. */
export const POLL_MS = 1_000;

/**
 * Calls `onNotice` for each group of writes that any board commits, by LISTEN on a connection of its own, and once a
 * second whatever happens: notifications are lost while that connection is, and behind some poolers and servers there
 * are none.
 */
export class Notices {
  readonly #config: pg.ClientConfig;
  readonly #onNotice: () => void;
  readonly #timer: NodeJS.Timeout;
  #client: pg.Client | null = null;

  /** `listens`: false leaves it to the poll. */
  constructor(config: pg.ClientConfig, listens: boolean, onNotice: () => void) {
    this.#config = config;
    this.#onNotice = onNotice;
    this.#timer = setInterval(() => {
      if (listens && this.#client === null) this.#listen();
      onNotice();
    }, POLL_MS);
    this.#timer.unref();
    if (listens) this.#listen();
  }

  #listen(): void {
    const client = new pg.Client({ ...this.#config, connectionTimeoutMillis: 5 * POLL_MS });
    this.#client = client;
    // The next tick connects anew.
    const lose = (): void => {
      if (this.#client === client) this.#client = null;
    };
    client.on('error', lose);
    client.on('end', lose);
    client.on('notification', this.#onNotice);
    void client
      .connect()
      .then(() => client.query(`LISTEN ${CHANNEL}`))
      // What was committed before it listened was not heard.
      .then(this.#onNotice)
      .catch(() => {
        lose();
        void client.end().catch(() => undefined);
      });
  }

  async stop(): Promise<void> {
    clearInterval(this.#timer);
    const client = this.#client;
    this.#client = null;
    await client?.end().catch(() => undefined);
  }
}
