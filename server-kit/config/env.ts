/** The only place that reads the environment; all other code takes a Config. */
export function environment(): Record<string, string | undefined> {
  return process.env;
}
