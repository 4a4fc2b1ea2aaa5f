import { setTimeout as pause } from 'node:timers/promises';

/** Waits until the check holds, without a limit: waits are long on a busy machine, and the test's limit ends a hang. */
export async function until(check: () => boolean | Promise<boolean>): Promise<void> {
  while (!(await check())) await pause(10);
}
