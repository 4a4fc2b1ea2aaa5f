import { mkdir, writeFile } from 'node:fs/promises';
import { cpus, totalmem } from 'node:os';
import { join } from 'node:path';
import { ROOT } from './process.ts';

/** Facts that every benchmark reports beside its figures. */
export function machine(): { cpu: string; cores: number; memoryGb: number; node: string } {
  return {
    cpu: cpus()[0]?.model ?? 'unknown',
    cores: cpus().length,
    memoryGb: Math.round(totalmem() / 2 ** 30),
    node: process.version,
  };
}

export function note(text: string): void {
  process.stderr.write(`${text} …\n`);
}

export function number(value: number | null, digits = 1): string {
  return value === null ? 'not measured' : value.toFixed(digits);
}

/** Keeps the figures as JSON under bench-results/, which git ignores. */
export async function writeResults(name: string, results: unknown): Promise<void> {
  await writeText(`${name}.json`, `${JSON.stringify(results, null, 2)}\n`);
}

/** Keeps the figures as a text for people, beside the JSON. */
export async function writeTable(name: string, markdown: string): Promise<void> {
  await writeText(`${name}.md`, markdown);
}

async function writeText(file: string, text: string): Promise<void> {
  const folder = join(ROOT, 'bench-results');
  await mkdir(folder, { recursive: true });
  await writeFile(join(folder, file), text);
}
