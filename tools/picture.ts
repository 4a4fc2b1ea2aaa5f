import { readFile, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { z } from 'zod';
import { betaCellResultSchema } from '../contract/schemas/research/beta-cell.ts';
import { betaCellChart } from '../gateway/charts/beta-cell.ts';
import { curveCharts } from './bench/full/curve-charts.ts';

/** Draws the answer of a beta-cell run, as it came over REST, or the curves of a full benchmark, as SVG files. */

const USAGE = `usage: npm run picture -- ANSWER.json PICTURE.svg
       npm run picture -- --curves RESULTS.json FOLDER
ANSWER.json: what POST /api/v1/twin/beta-cell answered
RESULTS.json: what npm run bench -- full wrote to bench-results
`;
const EXIT_USAGE = 2;

const measured = z.number().nullable();
const resultsSchema = z.object({
  curve: z
    .array(
      z.object({
        registrations: z.number(),
        rawBytes: z.number(),
        pipelineSeconds: measured,
        pipelineCpuSeconds: measured,
        snapshotBytes: measured,
        indexRssMb: measured,
        indexPrivateMb: measured,
        searchP50Ms: measured,
        searchP99Ms: measured,
      }),
    )
    .min(2),
});

function refuse(reason: string): never {
  process.stderr.write(`${reason}\n${USAGE}`);
  process.exit(EXIT_USAGE);
}

async function readJson(path: string): Promise<unknown> {
  const text = await readFile(path, 'utf8').catch((error: Error) => refuse(`${path}: ${error.message}`));
  try {
    return JSON.parse(text);
  } catch {
    return refuse(`${path} is not JSON`);
  }
}

async function drawRun(from: string, to: string): Promise<string[]> {
  const run = betaCellResultSchema.safeParse(((await readJson(from)) as { data?: unknown } | null)?.data);
  if (!run.success) refuse(`${from} is not the answer of a beta-cell run: ${run.error.issues[0]?.path.join('.')}`);
  await writeFile(to, betaCellChart(run.data));
  return [to];
}

async function drawCurves(from: string, folder: string): Promise<string[]> {
  const results = resultsSchema.safeParse(await readJson(from));
  if (!results.success)
    refuse(`${from} has no curve of at least two sizes: ${results.error.issues[0]?.path.join('.')}`);
  const drawn: string[] = [];
  for (const [name, picture] of curveCharts(results.data.curve)) {
    await writeFile(join(folder, name), picture);
    drawn.push(join(folder, name));
  }
  return drawn;
}

const words = process.argv.slice(2);
const curves = words[0] === '--curves';
const [from, to, ...more] = curves ? words.slice(1) : words;
if (from === undefined || to === undefined || more.length > 0) refuse('give what to read and where to write');
for (const path of await (curves ? drawCurves : drawRun)(from, to)) process.stdout.write(`${path}\n`);
