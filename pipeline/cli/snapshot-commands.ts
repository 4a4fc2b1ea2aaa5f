import { type Command, InvalidArgumentError, Option } from 'commander';
import { diff, diffJson } from '../diff/diff.ts';
import { renderDiffHtml } from '../diff/render-html.ts';
import { renderDiffText } from '../diff/render-text.ts';
import { withPipelineLock } from '../lock.ts';
import { verify } from '../publish/verify.ts';
import { gc, list, renderList, renderManifest, show } from '../publish/version-list.ts';
import { versionOf, withContext } from './context.ts';
import { renderVerification } from './render.ts';

interface Flags {
  json?: boolean;
  html?: boolean;
  limit?: number;
  keep?: number;
}

const jsonOption = () => new Option('--json', 'one JSON object on standard output, nothing else');

function positive(text: string): number {
  if (!/^[1-9]\d{0,8}$/.test(text)) throw new InvalidArgumentError('expected a whole number from 1.');
  return Number(text);
}

/** The commands that show, check and remove snapshots. */
export function addSnapshotCommands(program: Command): void {
  program
    .command('list')
    .description('list all snapshots, newest first; * marks the one that is served')
    .addOption(jsonOption())
    .action((flags: Flags) =>
      withContext(flags.json === true, async ({ config, result }) => {
        const summaries = await list(config.snapshotsDir);
        result(summaries, renderList(summaries));
      }),
    );
  program
    .command('show')
    .description('show what a snapshot holds and where it came from')
    .argument('[version]', 'a version of `list`, or current', 'current')
    .addOption(jsonOption())
    .action((version: string, flags: Flags) =>
      withContext(flags.json === true, async ({ config, result }) => {
        const manifest = await show(config.snapshotsDir, await versionOf(config.snapshotsDir, version));
        result(manifest, renderManifest(manifest));
      }),
    );
  program
    .command('verify')
    .description('recompute every hash of a snapshot')
    .argument('[version]', 'a version of `list`, or current', 'current')
    .addOption(jsonOption())
    .action((version: string, flags: Flags) =>
      withContext(flags.json === true, async ({ config, effects, result }) => {
        const found = await verify(config.snapshotsDir, await versionOf(config.snapshotsDir, version), effects);
        result(found, renderVerification(found));
        if (found.problems.length > 0) process.exitCode = 1;
      }),
    );
  addDiffCommand(program);
  program
    .command('gc')
    .description('remove old snapshots; never the one that is served')
    .addOption(new Option('--keep <n>', 'how many of the newest to keep').argParser(positive).default(7))
    .addOption(jsonOption())
    .action((flags: Flags) =>
      withContext(flags.json === true, async ({ config, effects, result }) => {
        const { snapshotsDir } = config;
        const removed = await withPipelineLock({ snapshotsDir }, () => gc(snapshotsDir, flags.keep ?? 7), effects);
        result({ removed }, removed.length === 0 ? 'nothing to remove' : `removed ${removed.join(', ')}`);
      }),
    );
}

function addDiffCommand(program: Command): void {
  program
    .command('diff')
    .description(
      'show each trial added, removed, changed, merged or split between two snapshots, and links gained and lost',
    )
    .argument('<from>', 'a version of `list`')
    .argument('[to]', 'a version of `list`, or current', 'current')
    .addOption(new Option('--html', 'a page instead of text').conflicts('json'))
    .addOption(new Option('--limit <n>', 'entries of each list in text and page').argParser(positive).default(100))
    .addOption(new Option('--json', 'one JSON object with complete lists'))
    .action((from: string, to: string, flags: Flags) =>
      withContext(flags.json === true, async ({ config }) => {
        const { snapshotsDir } = config;
        const [a, b] = [await versionOf(snapshotsDir, from), await versionOf(snapshotsDir, to)];
        const write = (text: string): void => void process.stdout.write(text);
        if (flags.json) return diffJson(snapshotsDir, a, b, write);
        const found = await diff(snapshotsDir, a, b, flags.limit ?? 100);
        write(flags.html ? renderDiffHtml(found) : renderDiffText(found));
      }),
    );
}
