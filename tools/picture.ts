import { existsSync } from 'node:fs';
import { readFile, writeFile } from 'node:fs/promises';
import { chromium } from 'playwright-core';
import { betaCellResultSchema } from '../contract/schemas/research/beta-cell.ts';
import { betaCellChart } from '../gateway/charts/beta-cell.ts';
import CHROMIUM_PLACES from './chromium.json' with { type: 'json' };

/**
 * Draws the answer of a beta-cell run, as it came over REST, as an SVG file, or takes the first screen of a page of a running
 * service as a PNG.
 */

const USAGE = `usage: npm run picture -- ANSWER.json PICTURE.svg
       npm run picture -- --page ADDRESS PICTURE.png
ANSWER.json: what POST /api/v1/twin/beta-cell answered
`;
const EXIT_USAGE = 2;

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

async function drawRun(from: string, to: string): Promise<void> {
  const run = betaCellResultSchema.safeParse(((await readJson(from)) as { data?: unknown } | null)?.data);
  if (!run.success) refuse(`${from} is not the answer of a beta-cell run: ${run.error.issues[0]?.path.join('.')}`);
  await writeFile(to, betaCellChart(run.data));
}

const SCREEN = { width: 1000, height: 900 };

async function takePage(address: string, to: string): Promise<void> {
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
}

const words = process.argv.slice(2);
const isPage = words[0] === '--page';
const [from, to, ...more] = isPage ? words.slice(1) : words;
if (from === undefined || to === undefined || more.length > 0) refuse('give what to read and where to write');
await (isPage ? takePage : drawRun)(from, to);
process.stdout.write(`${to}\n`);
