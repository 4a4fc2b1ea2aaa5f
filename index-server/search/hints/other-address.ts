/** A request as it was sent. */
export interface SentRequest {
  path: string;
  applied: Readonly<Record<string, string>>;
}

/** The path of the same request with other parameters; undefined leaves one out. It begins with its first page. */
export function otherAddress(
  { path, applied }: SentRequest,
  changed: Readonly<Record<string, string | undefined>>,
): string {
  const { page, ...same } = applied;
  const all = Object.entries({ ...same, ...changed }).filter((one): one is [string, string] => one[1] !== undefined);
  return all.length === 0 ? path : `${path}?${new URLSearchParams(all)}`;
}
