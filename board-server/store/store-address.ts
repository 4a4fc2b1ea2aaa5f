/** Whether a store is a database server, which several boards may share. */
export function isServer(store: string): boolean {
  return /^postgres(?:ql)?:/.test(store);
}

/** What a store is called in a message: its path, or server and database without the password. */
export function placeOf(store: string): string {
  if (!isServer(store)) return fileOf(store);
  const address = URL.parse(store);
  return address === null ? 'the database' : `${address.host}${address.pathname}`;
}

/** The path of a store that is a file. */
export function fileOf(store: string): string {
  return store.replace(/^sqlite:/, '');
}
