/** The only place that reads the environment; everything else takes a Config. */
export function environment(): Record<string, string | undefined> {
  return process.env;
}
