import { mkdir } from 'node:fs/promises';
import { join } from 'node:path';
import { z } from 'zod';
import type { RegistryId } from '../../contract/ids.ts';
import type { Effects } from '../effects.ts';
import { readJson, registryDirectory } from './fetch-log.ts';
import { replaceFile } from './files.ts';

const ATTEMPTS_FILE = 'attempts.json';

const attemptsSchema = z.strictObject({
  formatVersion: z.literal(1),
  lastAttemptAt: z.iso.datetime(),
  lastSuccessAt: z.iso.datetime().nullable(),
  lastError: z.string().nullable(),
});

/**
 * Outcome of the last fetch or import of a registry; `lastError` is null when it succeeded. A registry whose last attempt
 * failed keeps its last good set and is reported stale.
 */
export type Attempts = z.infer<typeof attemptsSchema>;

/** The last attempt of a registry; null when there was none. */
export async function lastAttempt(dataDir: string, registry: RegistryId): Promise<Attempts | null> {
  const value = await readJson(join(registryDirectory(dataDir, registry), ATTEMPTS_FILE));
  return value === undefined ? null : attemptsSchema.parse(value);
}

/** Runs one attempt and records its outcome: after a kill "not finished", after a fault its message. */
export async function withAttempt<T>(
  dataDir: string,
  registry: RegistryId,
  effects: Effects,
  attempt: () => Promise<T>,
): Promise<T> {
  const directory = registryDirectory(dataDir, registry);
  const before = await lastAttempt(dataDir, registry);
  const lastAttemptAt = effects.now().toISOString();
  const lastSuccessAt = before?.lastSuccessAt ?? null;
  const record = async (entry: Pick<Attempts, 'lastSuccessAt' | 'lastError'>): Promise<void> => {
    const attempts: Attempts = { formatVersion: 1, lastAttemptAt, ...entry };
    await mkdir(directory, { recursive: true });
    await replaceFile(join(directory, ATTEMPTS_FILE), `${JSON.stringify(attempts, null, 1)}\n`);
  };
  await record({ lastSuccessAt, lastError: 'the attempt was not finished' });
  let result: T;
  try {
    result = await attempt();
  } catch (error) {
    const message = error instanceof Error ? error.message : String(error);
    // If a full disk refuses this record, the caller still gets the fault itself, and "not finished" stays on record.
    await record({ lastSuccessAt, lastError: message }).catch(() => {});
    throw error;
  }
  await record({ lastSuccessAt: effects.now().toISOString(), lastError: null });
  return result;
}
