/** What `verify` found wrong. */
export interface Problem {
  /** Inside the snapshot directory; `.` for the directory itself. */
  file: string;
  /** What was found, and what should have been. */
  message: string;
}

export function expectEqual(problems: Problem[], file: string, what: string, found: unknown, expected: unknown): void {
  if (found !== expected) problems.push({ file, message: `${what} is ${found}, expected ${expected}` });
}
