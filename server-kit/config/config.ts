import { join, resolve } from 'node:path';
import { SETTINGS, type SettingName } from './settings.ts';

/** Who runs the service; null where no name or no way to reach them is given. */
export interface Operator {
  name: string | null;
  contact: string | null;
}

/** A bucket of an S3 service, in which machines share snapshots. */
export interface SnapshotStoreConfig {
  bucket: string;
  /** What the keys begin with, without a slash at the end; may be empty. */
  prefix: string;
  /** Null for Amazon S3. */
  endpoint: string | null;
  region: string;
  accessKeyId: string;
  secretAccessKey: string;
}

export interface Config {
  operator: Operator;
  host: string;
  /** 0 asks for any free port. */
  port: number;
  /** Null takes the public address from each request. */
  baseUrl: string | null;
  /** Host names, beside that of `baseUrl`, under which the service may be asked; `*` for any. */
  allowedHosts: string[];
  dataDir: string;
  snapshotsDir: string;
  /** Null where snapshots stay in their directory. */
  snapshotStore: SnapshotStoreConfig | null;
  /** Private keys that sign; there need not be such a file. */
  signingKeyFile: string;
  /** Public keys; one of them must have signed. Null asks for none. */
  trustedKeysFile: string | null;
  /** `sqlite:` and an absolute path, or a postgres:// address, which may hold a password. */
  boardStore: string;
  /** Key of a board on PostgreSQL. */
  boardKeyFile: string;
  /** Whether gateways elsewhere may serve the same board, so that what callers must find at all of them lies there. */
  sharesBoard: boolean;
  /** Null serves the index in the gateway's own process. */
  indexUrls: string[] | null;
  /** Null starts a board server beside the gateway. */
  boardUrls: string[] | null;
  /** How long a server that is told to stop still takes requests. */
  drainNoticeMs: number;
  /** 0 asks for any free port. */
  boardPort: number;
  /** Shared by board server and gateway; null for none. */
  boardSecret: string | null;
  /** Number of proxies in front whose X-Forwarded-For is trusted. */
  trustProxy: number;
  /** What a second voice needs where agreement counts. */
  independence: 'address' | 'name';
  rateLimits: boolean;
  /** `memory`, or a redis:// or postgres:// address; may hold a password. */
  rateStore: string;
  /** Private addresses and ranges that webhooks may reach. */
  webhookAllow: string[];
  ctgovUrl: string;
  isrctnUrl: string;
  /** NLM's yearly file of MeSH descriptors; null for none. */
  /** Null switches PubMed off. */
  pubmedUrl: string | null;
  /** Null switches Europe PMC off. */
  europepmcUrl: string | null;
  ncbiApiKey: string | null;
  /** The reviewed list of feeds. */
  feedsFile: string;
  fetchRatePerSecond: number;
  contactEmail: string | null;
  /** Commit of this program where it is not in a checkout of its own; null where that is not known. */
  codeCommit: string | null;
  logLevel: string;
}

/** Thrown at start; lists all faulty settings at once. */
export class ConfigError extends Error {
  readonly faults: string[];
  constructor(faults: string[]) {
    super(`The configuration has ${faults.length} fault(s):\n${faults.map((fault) => `  ${fault}`).join('\n')}`);
    this.name = 'ConfigError';
    this.faults = faults;
  }
}

type Usable<Name extends SettingName> = Exclude<ReturnType<(typeof SETTINGS)[Name]['read']>, undefined>;

type ReadSetting = <Name extends SettingName>(name: Name) => Usable<Name>;

function snapshotStoreOf(read: ReadSetting, faults: string[]): SnapshotStoreConfig | null {
  const store = read('SNAPSHOT_STORE');
  const [accessKeyId, secretAccessKey] = [read('S3_ACCESS_KEY_ID'), read('S3_SECRET_ACCESS_KEY')];
  const [endpoint, region] = [read('S3_ENDPOINT') || null, read('S3_REGION')];
  if (store === undefined || store === 'dir') return null;
  if (accessKeyId === '' || secretAccessKey === '')
    faults.push('SNAPSHOT_STORE: expected S3_ACCESS_KEY_ID and S3_SECRET_ACCESS_KEY beside s3://');
  return { ...store, endpoint, region, accessKeyId, secretAccessKey };
}

/** Reads settings from `environment`; an unset or empty one takes its default. */
export function loadConfig(environment: Record<string, string | undefined>, root: string): Config {
  const faults: string[] = [];
  const read = <Name extends SettingName>(name: Name): Usable<Name> => {
    const setting = SETTINGS[name];
    const value = setting.read(environment[name] || setting.fallback);
    if (value === undefined) faults.push(`${name}: expected ${setting.expected}`);
    return value as Usable<Name>;
  };
  const dataDir = resolve(root, read('DATA_DIR'));
  const trustedKeys = read('TRUSTED_KEYS_FILE');
  const boardStore = boardStoreOf(root, read('BOARD_STORE'), read('BOARD_DB') || join(dataDir, 'board.sqlite'));
  const boardUrls = read('BOARD_URL');
  const config: Config = {
    host: read('HOST'),
    port: read('PORT'),
    baseUrl: read('BASE_URL') || null,
    allowedHosts: read('ALLOWED_HOSTS'),
    dataDir,
    snapshotsDir: resolve(root, read('SNAPSHOTS_DIR')),
    snapshotStore: snapshotStoreOf(read, faults),
    signingKeyFile: resolve(root, read('SIGNING_KEY_FILE') || join(dataDir, 'signing.key')),
    trustedKeysFile: trustedKeys ? resolve(root, trustedKeys) : null,
    boardStore,
    boardKeyFile: resolve(root, read('BOARD_KEY_FILE') || join(dataDir, 'board.key')),
    sharesBoard: boardUrls !== null || !boardStore.startsWith('sqlite:'),
    indexUrls: read('INDEX_URL'),
    boardUrls,
    drainNoticeMs: read('DRAIN_NOTICE') * 1000,
    boardPort: read('BOARD_PORT'),
    boardSecret: read('BOARD_SECRET') || null,
    trustProxy: read('TRUST_PROXY'),
    independence: read('INDEPENDENCE') || 'address',
    rateLimits: read('RATE_LIMITS') === 'on',
    rateStore: read('RATE_STORE'),
    operator: { name: read('OPERATOR') || null, contact: read('OPERATOR_CONTACT') || null },
    webhookAllow: read('WEBHOOK_ALLOW'),
    ctgovUrl: read('CTGOV_URL'),
    isrctnUrl: read('ISRCTN_URL'),
    pubmedUrl: read('PUBMED_URL'),
    europepmcUrl: read('EUROPEPMC_URL'),
    ncbiApiKey: read('NCBI_API_KEY') || null,
    feedsFile: resolve(root, read('FEEDS_FILE')),
    fetchRatePerSecond: read('FETCH_RATE'),
    contactEmail: read('CONTACT_EMAIL') || null,
    codeCommit: read('CODE_COMMIT') || null,
    logLevel: read('LOG_LEVEL'),
  };
  if (faults.length > 0) throw new ConfigError(faults);
  if (!environment.INDEPENDENCE && isOwnMachine(config)) config.independence = 'name';
  if (config.dataDir === config.snapshotsDir) {
    throw new ConfigError(['SNAPSHOTS_DIR: expected another directory than DATA_DIR']);
  }
  return config;
}

function boardStoreOf(root: string, store: string | undefined, file: string): string {
  const path = store ? /^sqlite:(.*)$/s.exec(store)?.[1] : file;
  return path === undefined ? store! : `sqlite:${resolve(root, path)}`;
}

/** Whether only this machine reaches the service: on a loopback address, and not behind a proxy or another's gateway. */
function isOwnMachine({ host, trustProxy, boardSecret }: Config): boolean {
  return trustProxy === 0 && boardSecret === null && /^(?:127\.\d{1,3}\.\d{1,3}\.\d{1,3}|::1|localhost)$/i.test(host);
}

/** The settings as lines for `--help`. */
export function settingsHelp(): string {
  const width = Math.max(...Object.keys(SETTINGS).map((name) => name.length));
  return Object.entries(SETTINGS)
    .map(([name, setting]) => `  ${name.padEnd(width)}  ${setting.meaning} Default: ${setting.fallback || 'none'}.`)
    .join('\n');
}
