import { existsSync } from 'node:fs';
import { join, resolve } from 'node:path';
import { Command, CommanderError } from 'commander';
import { ConfigError, loadConfig } from '../server-kit/config/config.ts';
import { environment } from '../server-kit/config/env.ts';
import { copied, keyAdvice, saltAdvice } from './copy-report.ts';
import { copyBoard } from './store/copy/copy-board.ts';
import { StoreFault } from './store/engine.ts';
import { GENESIS_HASH } from './store/event-chain.ts';
import { keyFileOf } from './store/sealed.ts';
import { BackupFault, backupBoard, restoreBoard } from './store/sqlite/backup.ts';
import { verifyFile } from './store/sqlite/verify-file.ts';
import { fileOf, isServer, withoutSecrets } from './store/store-address.ts';
import type { ChainReport } from './store/verify-chain.ts';

const EXIT_FAILURE = 1;
const EXIT_USAGE = 2;
const HASH = /^[0-9a-f]{64}$/;
const ROOT = join(import.meta.dirname, '..');

const program = new Command('board')
  .description('Back up, restore, check and move the board.')
  .option(
    '--db <store>',
    'the board, a file or a postgres:// address (default: the setting BOARD_STORE, else BOARD_DB)',
  )
  .exitOverride()
  .showHelpAfterError('(--help shows what is possible)')
  .addHelpText('after', '\nExit codes: 0 done or sound, 1 failed or not sound, 2 wrong usage.');

program
  .command('backup')
  .argument('<file>', 'a file that does not exist yet')
  .description('copy the board, which may go on serving, to a file of its own and check the copy')
  .action(async (file: string) => {
    const board = boardFile((url) => `pg_dump --format=custom --file='${resolve(file)}' --dbname='${url}'`);
    const report = await backupBoard(board, resolve(file));
    print(`backed up to ${resolve(file)}\n${described(report)}`);
  });

program
  .command('restore')
  .argument('<file>', 'a backup')
  .description('put a backup in the place of the board, whose service must be stopped; the old file is kept beside it')
  .action(async (file: string) => {
    const board = boardFile(
      (url) => `pg_restore --exit-on-error --single-transaction --no-owner --dbname='${url}' '${resolve(file)}'`,
    );
    const { report, kept } = await restoreBoard(resolve(file), board, new Date());
    print(
      `restored ${board}\n${kept === null ? '' : `the board that was there is kept as ${kept}\n`}${described(report)}`,
    );
  });

program
  .command('verify')
  .argument('[file]', 'a board, a backup, or an export of GET /api/v1/changes/export (default: the board)')
  .option('--contains <hash>', 'a hash of an event that you noted earlier; not sound without it')
  .description('check the integrity of a file, or of a database, and its chain of hashes')
  .action(async (file: string | undefined, { contains }: { contains?: string }) => {
    const store = file === undefined ? boardStore() : resolve(file);
    if (!isServer(store) && !existsSync(fileOf(store)))
      throw new CommanderError(EXIT_USAGE, 'board.missing', `${fileOf(store)} does not exist`);
    if (contains !== undefined && !HASH.test(contains)) {
      throw new CommanderError(EXIT_USAGE, 'board.hash', '--contains: expected 64 lower-case hexadecimal digits');
    }
    const report = await verify(store, contains ?? null);
    print(described(report));
    if (report.problems.length > 0) process.exitCode = EXIT_FAILURE;
  });

program
  .command('copy')
  .argument('<from>', 'the file of a board that no service has open')
  .argument('<to>', 'a database without rows: postgres://<user>@<server>/<database>')
  .description('copy a board from its file to a database and compare the two; run it again where it was stopped')
  .action(async (from: string, to: string) => {
    const [source, target] = [addressOf(from), addressOf(to)];
    // Before the copy, so that a fault of the configuration does not hide what it did.
    const salt = join(loadConfig(environment(), ROOT).dataDir, 'address.salt');
    const report = await copyBoard(source, target);
    print(
      [copied(report), described(report.chain), keyAdvice(keyOf(source), keyOf(target)), saltAdvice(report, salt)].join(
        '\n',
      ),
    );
  });

try {
  await program.parseAsync();
} catch (error) {
  process.exitCode = exitCodeOf(error);
}

function boardStore(): string {
  const { db } = program.opts<{ db?: string }>();
  if (db === undefined) return loadConfig(environment(), ROOT).boardStore;
  return addressOf(db);
}

function addressOf(store: string): string {
  return isServer(store) ? store : resolve(fileOf(store));
}

function keyOf(store: string): string {
  return isServer(store) ? loadConfig(environment(), ROOT).boardKeyFile : keyFileOf(store);
}

/** The file of the board; `command` is what does the same for a database. */
function boardFile(command: (url: string) => string): string {
  const store = boardStore();
  if (!isServer(store)) return fileOf(store);
  throw new CommanderError(
    EXIT_USAGE,
    'board.server',
    `this board is a database, whose own programs do that: ${command(withoutSecrets(store))}
The password comes from PGPASSWORD or ~/.pgpass. A dump is brought back into an empty database while no board runs; then check it with \`npm run board -- verify\`.`,
  );
}

/** What PostgreSQL needs is loaded only for a board that lies there. */
async function verify(store: string, contains: string | null): Promise<ChainReport> {
  if (!isServer(store)) return verifyFile(fileOf(store), contains);
  const { verifyDatabase } = await import('./store/postgres/verify.ts');
  return verifyDatabase(store, contains);
}

function described({ events, begins, head, contains, problems }: ChainReport): string {
  const lines = [
    `events: ${events}`,
    ...(head === null ? [] : [`newest: ${head.ts} ${head.hash}`]),
    ...(begins === null || begins === GENESIS_HASH ? [] : [`begins after: ${begins}`]),
    ...(contains === true ? ['contains the hash asked for'] : []),
    ...problems.map((problem) => `problem: ${problem}`),
    problems.length === 0 ? 'sound' : 'not sound',
  ];
  return lines.join('\n');
}

function print(text: string): void {
  process.stdout.write(`${text}\n`);
}

function exitCodeOf(error: unknown): number {
  if (error instanceof CommanderError) {
    // Commander's own errors are written already.
    if (error.code.startsWith('board.')) process.stderr.write(`${error.message}\n`);
    return error.exitCode === 0 ? 0 : EXIT_USAGE;
  }
  if (error instanceof ConfigError) {
    process.stderr.write(`${error.message}\n`);
    return EXIT_USAGE;
  }
  const known = error instanceof BackupFault || error instanceof StoreFault || !(error instanceof Error);
  process.stderr.write(`failed: ${known || error.stack === undefined ? error : error.stack}\n`);
  return EXIT_FAILURE;
}
