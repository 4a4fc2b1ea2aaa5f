import pg from 'pg';
import { openingFault } from './faults.ts';
import { ClientSession, StatementNames, TYPES } from './session.ts';

/** What a connection of a board is called at the server. */
export const APPLICATION = 'trial-board';

/** How every connection of a board is made. */
export function configOf(url: string): pg.ClientConfig {
  return { connectionString: url, types: TYPES, keepAlive: true, pipeline: true, application_name: APPLICATION };
}

/** A connection outside of a serving board. Throws DatabaseFault, with what to do, where there is none. */
export async function connect(url: string, waitMs: number): Promise<ClientSession> {
  const client = new pg.Client({ ...configOf(url), connectionTimeoutMillis: waitMs });
  const session = new ClientSession(client, new StatementNames(), {});
  try {
    await client.connect();
    return session;
  } catch (error) {
    session.drop();
    throw openingFault(url, error);
  }
}
