import { open } from 'node:fs/promises';
import SQLite from 'better-sqlite3';
import { GENESIS_HASH } from '../event-chain.ts';
import { Reader } from '../reader.ts';
import { type ChainReport, exportedEvents, PROBLEMS_MAX, storedEvents, verifyChain } from '../verify-chain.ts';
import { Connection, READER } from './connection.ts';

/** Checks a board's file, or an export of one, without changing it. Throws when it is neither or cannot be read. */
export async function verifyFile(path: string, contains: string | null = null): Promise<ChainReport> {
  if (!(await isDatabase(path))) return verifyChain(exportedEvents(path), contains);
  const connection = new Connection(path, READER);
  try {
    const damage = [
      ...(connection.file.pragma(`integrity_check(${PROBLEMS_MAX})`) as { integrity_check: string }[])
        .map((row) => row.integrity_check)
        .filter((text) => text !== 'ok'),
      ...(connection.file.pragma('foreign_key_check') as { table: string; rowid: number }[])
        .slice(0, PROBLEMS_MAX)
        .map(({ table, rowid }) => `row ${rowid} of ${table} refers to nothing`),
    ];
    if (damage.length > 0) return { events: 0, begins: null, head: null, contains: null, problems: damage };
    const report = await verifyChain(storedEvents(new Reader(connection)), contains);
    if (report.begins !== null && report.begins !== GENESIS_HASH)
      report.problems.push('the first event of the board is missing');
    return report;
  } catch (error) {
    if (!(error instanceof SQLite.SqliteError) || !/^SQLITE_(CORRUPT|NOTADB)/.test(error.code)) throw error;
    return { events: 0, begins: null, head: null, contains: null, problems: [`the file is damaged: ${error.message}`] };
  } finally {
    await connection.close();
  }
}

async function isDatabase(path: string): Promise<boolean> {
  const file = await open(path, 'r');
  try {
    const { buffer, bytesRead } = await file.read({ buffer: Buffer.alloc(16) });
    return buffer.subarray(0, bytesRead).toString('latin1') === 'SQLite format 3\0';
  } finally {
    await file.close();
  }
}
