import pg from 'pg';
import { openingFault } from './faults.ts';
import { ClientSession, StatementNames, TYPES } from './session.ts';

/** What a connection of a board is called at the server. */
export const APPLICATION = 'trial-board';

/** A machine that is gone from the network is found out by ten more probes, one a second. */
const KEEP_ALIVE_MS = 10_000;

/** How every connection of a board is made. */
export function configOf(url: string): pg.ClientConfig {
  return {
    connectionString: url,
    types: TYPES,
    pipeline: true,
    keepAlive: true,
    keepAliveInitialDelayMillis: KEEP_ALIVE_MS,
    application_name: APPLICATION,
  };
}

/**
 * A connection outside of a serving board, with `settings` taken: statements that the server answers at once. Throws
 * DatabaseFault, with what to do, where there is none within `waitMs`, or no answer to them.
 */
export async function connect(url: string, waitMs: number, settings?: string): Promise<ClientSession> {
  const client = new pg.Client({ ...configOf(url), connectionTimeoutMillis: waitMs });
  const session = new ClientSession(client, new StatementNames(), {});
  let timer: NodeJS.Timeout | undefined;
  try {
    await client.connect();
    timer = setTimeout(() => session.drop(), waitMs);
    if (settings !== undefined) await session.script(settings);
    return session;
  } catch (error) {
    session.drop();
    throw openingFault(url, error);
  } finally {
    clearTimeout(timer);
  }
}
