import { existsSync } from 'node:fs';
import { readFile, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { chromium } from 'playwright-core';
import { z } from 'zod';
import { betaCellResultSchema } from '../contract/schemas/research/beta-cell.ts';
import { betaCellChart } from '../gateway/charts/beta-cell.ts';
import { curveCharts } from './bench/full/curve-charts.ts';
import CHROMIUM_PLACES from './chromium.json' with { type: 'json' };

/**
 * Draws the answer of a beta-cell run, as it came over REST, or the curves of a full benchmark, as SVG files; or takes the first
 * screen of a page of a running service as a PNG.
 */

const USAGE = `usage: npm run picture -- ANSWER.json PICTURE.svg
       npm run picture -- --curves RESULTS.json FOLDER
       npm run picture -- --page ADDRESS PICTURE.png
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

const SCREEN = { width: 1000, height: 900 };

async function takePage(address: string, to: string): Promise<string[]> {
  const executablePath = CHROMIUM_PLACES.find(existsSync);
  if (executablePath === undefined) refuse('no Chromium is installed: npm run test:browser-setup installs it');
  const browser = await chromium.launch({ executablePath, args: ['--no-sandbox'], timeout: 0 });
  try {
    const page = await browser.newPage({ viewport: SCREEN, colorScheme: 'light', reducedMotion: 'reduce' });
    const answer = await page.goto(address, { waitUntil: 'load', timeout: 0 });
    if (answer?.status() !== 200) refuse(`${address} answered ${answer?.status()}`);
    await page.evaluate('document.fonts.ready');
    await page.screenshot({ path: to, timeout: 0 });
  } finally {
    await browser.close();
  }
  return [to];
}

const DRAWN_BY = { '--curves': drawCurves, '--page': takePage };

const words = process.argv.slice(2);
const form = Object.entries(DRAWN_BY).find(([name]) => name === words[0]);
const [from, to, ...more] = form === undefined ? words : words.slice(1);
if (from === undefined || to === undefined || more.length > 0) refuse('give what to read and where to write');
for (const path of await (form?.[1] ?? drawRun)(from, to)) process.stdout.write(`${path}\n`);
