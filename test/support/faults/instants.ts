/**
 * Places of the checkpoints after which a kill leaves another state. Whether a file was synced makes no difference to a kill, and
 * files of a folder that has no name yet are written alike, so that one of a folder and an ending stands for all.
 */
export function oneOfEachKind(checkpoints: readonly string[]): number[] {
  const kinds = checkpoints.map((name) => name.replace(/[^:/]+(\.\w+)$/, '*$1'));
  const isSync = (name: string): boolean => /^synced:.*[^/]$|^synced:.+\/$|:synced$|:durable$/.test(name);
  return kinds.flatMap((kind, place) => (isSync(kind) || kinds.indexOf(kind) !== place ? [] : [place]));
}
