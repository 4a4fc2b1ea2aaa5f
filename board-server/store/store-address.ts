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

/** The address of a database as other programs take it, for a command that is shown. */
export function withoutPassword(store: string): string {
  const address = URL.parse(store);
  if (address === null) return 'postgres://…';
  address.password = '';
  return address.href;
}
