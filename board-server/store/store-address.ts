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

/** Settings of an address that may be shown. Of any other one nobody here knows whether it is a secret. */
const SHOWN_SETTINGS: ReadonlySet<string> = new Set([
  ...['host', 'hostaddr', 'port', 'user', 'dbname', 'options', 'application_name', 'connect_timeout'],
  ...['sslmode', 'sslrootcert', 'sslcert', 'sslkey', 'channel_binding', 'target_session_attrs', 'client_encoding'],
]);

/** The address of a database as other programs take it, for a command that is shown: without password and unknown settings. */
export function withoutSecrets(store: string): string {
  const address = URL.parse(store);
  if (address === null) return 'postgres://…';
  address.password = '';
  for (const name of [...address.searchParams.keys()]) {
    if (!SHOWN_SETTINGS.has(name)) address.searchParams.delete(name);
  }
  address.hash = '';
  return address.href;
}
