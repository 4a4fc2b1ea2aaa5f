import { GENESIS_HASH } from '../event-chain.ts';
import { toIso } from '../instants.ts';
import { Reader } from '../reader.ts';
import { type ChainReport, storedEvents, verifyChain } from '../verify-chain.ts';
import { connect } from './connect.ts';
import { openingFault } from './faults.ts';
import { WAITS } from './lane.ts';

/** Checks the chain of a database and that its head is the end of it, at one moment, without changing anything. */
export async function verifyDatabase(url: string, contains: string | null): Promise<ChainReport> {
  const session = await connect(url, WAITS.connect);
  try {
    await session.script('BEGIN ISOLATION LEVEL REPEATABLE READ READ ONLY');
    const { rows } = await session.send('SELECT ts, hash FROM head');
    const [head] = rows as { ts: number; hash: string }[];
    const report = await verifyChain(storedEvents(new Reader(session)), contains);
    if (report.begins !== null && report.begins !== GENESIS_HASH)
      report.problems.push('the first event of the board is missing');
    const ends = report.head ?? { ts: toIso(0), hash: GENESIS_HASH };
    if (head === undefined || toIso(head.ts) !== ends.ts || head.hash !== ends.hash)
      report.problems.push('the head of the board is not the end of its chain: events are missing');
    return report;
  } catch (error) {
    throw openingFault(url, error);
  } finally {
    await session.end();
  }
}
