/** Everything a stage may do to the world outside its inputs. Tests pass their own; nothing else reads a clock. */
export interface Effects {
  /** The present, UTC. */
  now(): Date;
  /** One line for the operator; stages report progress through it, never through the console. */
  progress(event: ProgressEvent): void;
  /** Called at named points of a stage; a crash test throws or kills the process in it. */
  checkpoint(name: string): void;
}

export interface ProgressEvent {
  stage: string;
  /** What is being worked on, e.g. a registry or a table. */
  label: string;
  done: number;
  /** Null while it is not known. */
  total: number | null;
  unit: 'records' | 'pages' | 'bytes' | 'files' | 'tables' | 'trials' | 'feeds';
}
