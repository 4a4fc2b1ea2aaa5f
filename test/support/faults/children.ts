import { readFile } from 'node:fs/promises';
import type { ServerProcess } from '../server-process.ts';

/** Programs that `npm start` runs. */
export const BOARD = 'board-server/main.ts';
export const GATEWAY = 'tools/gateway-process.ts';

/** The child of `npm start` that runs the program. */
export async function pidOf(starter: ServerProcess, program: string): Promise<number> {
  const pid = await findPid(starter, program);
  if (pid === null) throw new Error(`no child runs ${program}`);
  return pid;
}

/** Null while there is none. */
export async function findPid({ child: { pid } }: ServerProcess, program: string): Promise<number | null> {
  const children = (await readFile(`/proc/${pid}/task/${pid}/children`, 'utf8')).trim().split(' ').filter(Boolean);
  for (const child of children) {
    const command = await readFile(`/proc/${child}/cmdline`, 'utf8').catch(() => '');
    if (command.includes(program)) return Number(child);
  }
  return null;
}

export function hasEnded(pid: number): boolean {
  try {
    process.kill(pid, 0);
    return false;
  } catch {
    return true;
  }
}
