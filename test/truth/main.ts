import { existsSync, readFileSync, writeFileSync } from 'node:fs';
import { join, resolve } from 'node:path';
import { parseArgs } from 'node:util';
import { REGISTRY_DATA, ROOT } from '../support/tree.ts';
import { truthDocument } from './document.ts';

/**
 * `npm run truth`: measures precision and recall on the real records and writes docs/truth.md.
 */

const USAGE = 'usage: npm run truth -- [--check] [--data FOLDER]\n';
const PAGE = join(ROOT, 'docs/truth.md');
const EXIT_DIFFERS = 1;
const EXIT_USAGE = 2;

function end(code: number, message: string): never {
  process.stderr.write(message);
  process.exit(code);
}

function options(): { check: boolean; data: string } {
  try {
    const { values } = parseArgs({ options: { check: { type: 'boolean' }, data: { type: 'string' } } });
    const { check = false, data = REGISTRY_DATA } = values;
    return { check, data: resolve(data) };
  } catch (error) {
    return end(EXIT_USAGE, `${(error as Error).message}\n${USAGE}`);
  }
}

const { check, data } = options();
if (!existsSync(join(data, 'ctgov'))) {
  end(EXIT_USAGE, `Nothing is measured: ${data} holds no registry records (folders ctgov, isrctn, pairs).\n${USAGE}`);
}
const measured = await truthDocument(data);
process.stdout.write(measured);
const isWritten = existsSync(PAGE) && readFileSync(PAGE, 'utf8') === measured;
if (check && !isWritten) end(EXIT_DIFFERS, 'docs/truth.md differs from what was measured: run `npm run truth`.\n');
if (!check && !isWritten) writeFileSync(PAGE, measured);
process.stderr.write(isWritten ? 'docs/truth.md is as measured.\n' : 'docs/truth.md is written.\n');
