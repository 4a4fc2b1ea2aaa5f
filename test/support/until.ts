import { setTimeout as pause } from 'node:timers/promises';

/** Waits until the check holds. It has no limit of its own: on a busy machine a wait is long, and the test's limit ends a hang. */
export async function until(check: () => boolean | Promise<boolean>): Promise<void> {
  while (!(await check())) await pause(10);
}
