import { execFileSync } from 'node:child_process';
import { join } from 'node:path';
import { ROOT } from '../tree.ts';

/** What the library of fs-faults.c is told by the environment. */
export interface FsFault {
  /** The directory under which calls are counted. */
  under: string;
  /** The call that fails, from 1; 0 for none. */
  at: number;
  kind: 'EIO' | 'ENOSPC' | 'short';
}

/** Compiles fs-faults.c into a directory; null, with a word on the console of the run, where that is not possible here. */
export function faultLibrary(directory: string): string | null {
  const library = join(directory, 'fs-faults.so');
  try {
    const source = join(ROOT, 'test/support/faults/fs-faults.c');
    execFileSync('gcc', ['-shared', '-fPIC', '-O1', '-o', library, source, '-ldl'], { stdio: 'pipe' });
    return library;
  } catch (error) {
    process.stderr.write(`no faults of the file system are tested: gcc cannot compile for LD_PRELOAD (${error})\n`);
    return null;
  }
}

/** The environment of a process whose calls fail so. */
export function withFault(library: string, { under, at, kind }: FsFault, countFile: string): Record<string, string> {
  return {
    LD_PRELOAD: library,
    FS_FAULTS_UNDER: under,
    FS_FAULTS_AT: String(at),
    FS_FAULTS_KIND: kind,
    FS_FAULTS_COUNT: countFile,
  };
}
