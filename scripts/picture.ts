import { readFile, writeFile } from 'node:fs/promises';
import { betaCellChart } from '../charts/beta-cell.ts';
import { betaCellResultSchema } from '../contract/schemas/beta-cell.ts';

/** Draws the answer of a beta-cell run, as it came over REST, as an SVG file. */

const USAGE =
  'usage: npm run picture -- ANSWER.json PICTURE.svg\nANSWER.json: what POST /api/v1/twin/beta-cell answered\n';
const EXIT_USAGE = 2;

function refuse(reason: string): never {
  process.stderr.write(`${reason}\n${USAGE}`);
  process.exit(EXIT_USAGE);
}

const [from, to, ...more] = process.argv.slice(2);
if (from === undefined || to === undefined || more.length > 0) refuse('give one answer and one picture');

const text = await readFile(from, 'utf8').catch((error: Error) => refuse(`${from}: ${error.message}`));
let answer: { data?: unknown };
try {
  answer = JSON.parse(text);
} catch {
  refuse(`${from} is no JSON`);
}
const run = betaCellResultSchema.safeParse(answer.data);
if (!run.success) refuse(`${from} is no answer of a beta-cell run: ${run.error.issues[0]?.path.join('.')}`);
await writeFile(to, betaCellChart(run.data, 'beta-cell'));
process.stdout.write(`${to}\n`);
