import type { FreeBytes } from './space.ts';

/** Everything that a stage does outside its inputs and outputs. Tests pass their own; nothing else reads a clock. */
export interface Effects {
  now(): Date;
  /** Reports progress to the operator; stages never write to the console. */
  progress(event: ProgressEvent): void;
  /** Tells the operator what happened before that matters now. */
  notice?(text: string): void;
  /** Takes what is to be done when the operator stops the process: it returns what to tell of it, beside how to go on. */
  onStop?(tell: (stop: Stop) => string): void;
  /** Free bytes on the disk of a directory; by default those that the system tells. */
  freeBytes?: FreeBytes;
  /** Called at named points of a stage; a crash test throws or kills the process in it. */
  checkpoint(name: string): void;
}

/** How the operator stops the process. */
export interface Stop {
  signal: string;
  exitCode: number;
  /** The command that goes on. */
  goOn: string;
}

export interface ProgressEvent {
  stage: string;
  /** Subject of the work, e.g. a registry or a table. */
  label: string;
  done: number;
  /** Null while unknown. */
  total: number | null;
  unit: 'records' | 'pages' | 'bytes' | 'files' | 'tables' | 'trials' | 'feeds';
}
