import { isIP } from 'node:net';

/**
 * Every setting once: its name in the environment, its default, its meaning and its reader. `--help`, the docs and
 * `config.ts` loop over this table. A reader returns undefined for a value that it cannot use.
 */
export interface Setting<Value> {
  fallback: string;
  meaning: string;
  expected: string;
  read: (text: string) => Value | undefined;
  /** Never printed. */
  secret?: boolean;
}

function setting<Value>(value: Setting<Value>): Setting<Value> {
  return value;
}

const text = (value: string): string => value;

function whole(min: number, max: number): (value: string) => number | undefined {
  return (value) => {
    if (!/^\d{1,9}$/.test(value)) return undefined;
    const number = Number(value);
    return number >= min && number <= max ? number : undefined;
  };
}

function oneOf<const Value extends string>(values: readonly Value[]): (value: string) => Value | undefined {
  return (value) => values.find((candidate) => candidate === value);
}

/** An http(s) origin or base address, without a trailing slash; empty for none. */
function address(value: string): string | undefined {
  if (value === '') return '';
  const url = URL.parse(value);
  if (!url || !['http:', 'https:'].includes(url.protocol) || url.username || url.search || url.hash) return undefined;
  return `${url.origin}${url.pathname.replace(/\/+$/, '')}`;
}

/** Addresses of servers that answer alike, separated by commas; null for none. */
function addresses(value: string): string[] | null | undefined {
  if (value === '') return null;
  const read = value.split(',').map((part) => address(part.trim()) || undefined);
  const known = read.filter((one) => one !== undefined);
  return known.length === read.length && new Set(known).size === known.length ? known : undefined;
}

/** Null if the source is switched off. */
function addressOrOff(value: string): string | null | undefined {
  return value === 'off' ? null : address(value) || undefined;
}

function host(value: string): string | undefined {
  return isIP(value) > 0 || /^[A-Za-z0-9.-]{1,253}$/.test(value) ? value : undefined;
}

/** memory, or the address of a Redis or PostgreSQL server. */
function rateStore(value: string): string | undefined {
  if (value === 'memory') return value;
  const url = URL.parse(value);
  return url && ['redis:', 'rediss:', 'postgres:', 'postgresql:'].includes(url.protocol) ? value : undefined;
}

/** Empty, sqlite:<path>, or the address of a PostgreSQL server. */
function boardStore(value: string): string | undefined {
  if (value === '' || /^sqlite:./.test(value)) return value;
  const url = URL.parse(value);
  return url && ['postgres:', 'postgresql:'].includes(url.protocol) ? value : undefined;
}

/** `dir`, or a bucket and what the keys of its objects begin with. */
function snapshotStore(value: string): 'dir' | { bucket: string; prefix: string } | undefined {
  if (value === 'dir') return value;
  const [, bucket, rest = ''] =
    /^s3:\/\/([a-z0-9][a-z0-9.-]{1,61}[a-z0-9])((?:\/[A-Za-z0-9._-]{1,100}){0,8})\/?$/.exec(value) ?? [];
  return bucket === undefined ? undefined : { bucket, prefix: rest.slice(1) };
}

/** Addresses or ranges (CIDR), separated by commas. */
function ranges(value: string): string[] | undefined {
  const parts = value
    .split(',')
    .map((part) => part.trim())
    .filter((part) => part !== '');
  const usable = (part: string): boolean => {
    const [ip = '', bits, ...rest] = part.split('/');
    const width = isIP(ip) === 4 ? 32 : 128;
    return (
      isIP(ip) > 0 && rest.length === 0 && (bits === undefined || (/^\d{1,3}$/.test(bits) && Number(bits) <= width))
    );
  };
  return parts.every(usable) ? parts : undefined;
}

/** Host names without ports, separated by commas, or `*`; an IPv6 address with or without brackets. */
function hostNames(value: string): string[] | undefined {
  const parts = value
    .split(',')
    .map((part) => part.trim().toLowerCase())
    .filter((part) => part !== '');
  const usable = (part: string): boolean => part === '*' || /^[a-z0-9.-]{1,253}$/.test(part) || isIP(bare(part)) === 6;
  return parts.every(usable) ? parts.map((part) => (isIP(bare(part)) === 6 ? `[${bare(part)}]` : part)) : undefined;
}

function bare(part: string): string {
  return part.startsWith('[') && part.endsWith(']') ? part.slice(1, -1) : part;
}

const LOG_LEVELS = ['fatal', 'error', 'warn', 'info', 'debug', 'trace', 'silent'] as const;

const ADDRESS = 'an http(s) address without query';
const ADDRESSES = 'http(s) addresses without query, separated by commas, none twice';
const ADDRESS_OR_OFF = `${ADDRESS}, or off`;
const PATH = 'a path';

export const SETTINGS = {
  HOST: setting({
    fallback: '127.0.0.1',
    meaning: 'Address that the service listens on.',
    expected: 'an IP address or host name',
    read: host,
  }),
  PORT: setting({
    fallback: '3000',
    meaning: 'Port that the service listens on; 0 for any free one.',
    expected: 'a whole number from 0 to 65535',
    read: whole(0, 65_535),
  }),
  BASE_URL: setting({
    fallback: '',
    meaning: 'Public address of the service; empty uses the address of each request.',
    expected: ADDRESS,
    read: address,
  }),
  ALLOWED_HOSTS: setting({
    fallback: '',
    meaning:
      'Host names by which the service may be asked, and whose pages may write from the port that is asked or the default one, besides the host of BASE_URL, separated by commas; * allows any. With neither set, a server on a loopback address accepts local names only, and any other server accepts every name and writes of its own pages.',
    expected: 'host names without ports, separated by commas, or *',
    read: hostNames,
  }),
  DATA_DIR: setting({
    fallback: './data',
    meaning: 'Raw registry data and the working database of the pipeline.',
    expected: PATH,
    read: text,
  }),
  SNAPSHOTS_DIR: setting({
    fallback: './snapshots',
    meaning: 'Published snapshots and the CURRENT pointer.',
    expected: PATH,
    read: text,
  }),
  SNAPSHOT_STORE: setting({
    fallback: 'dir',
    meaning:
      'Where snapshots are shared between machines: dir keeps them in SNAPSHOTS_DIR alone; s3://bucket/prefix is filled by publish and followed by every service with this setting, which brings what it lacks into its own SNAPSHOTS_DIR.',
    expected: 'dir, or s3://bucket or s3://bucket/prefix in letters, digits, ., _ and -',
    read: snapshotStore,
  }),
  S3_ENDPOINT: setting({
    fallback: '',
    meaning:
      'Address of the S3 service of SNAPSHOT_STORE, whose buckets stand in the path; empty for Amazon S3 in S3_REGION.',
    expected: ADDRESS,
    read: address,
  }),
  S3_REGION: setting({
    fallback: 'us-east-1',
    meaning: 'Region that requests to S3 are signed for.',
    expected: 'letters, digits and -, at most 60',
    read: (value) => (/^[a-z0-9-]{1,60}$/.test(value) ? value : undefined),
  }),
  S3_ACCESS_KEY_ID: setting({
    fallback: '',
    meaning: 'Access key of S3. A service that only follows needs to read, and to write below replicas/ of the prefix.',
    expected: 'at most 200 characters without blanks',
    read: (value) => (/^[\x21-\x7e]{0,200}$/.test(value) ? value : undefined),
  }),
  S3_SECRET_ACCESS_KEY: setting({
    fallback: '',
    meaning: 'Secret of S3_ACCESS_KEY_ID.',
    expected: 'at most 200 characters without blanks',
    read: (value) => (/^[\x21-\x7e]{0,200}$/.test(value) ? value : undefined),
    secret: true,
  }),
  SIGNING_KEY_FILE: setting({
    fallback: '',
    meaning:
      'Private keys that sign the log of publications and the heads of the board, made by pipeline keygen; readable by its owner alone. Empty for signing.key in DATA_DIR. Without such a file nothing is signed.',
    expected: PATH,
    read: text,
  }),
  TRUSTED_KEYS_FILE: setting({
    fallback: '',
    meaning:
      'Public keys, one a line; one of them must have signed the log of publications. A server then refuses a snapshot that no such checkpoint holds, and pipeline verify names it. Empty trusts no key in particular.',
    expected: PATH,
    read: text,
  }),
  BOARD_DB: setting({
    fallback: '',
    meaning: 'File of the board where BOARD_STORE is empty; empty for board.sqlite in DATA_DIR.',
    expected: PATH,
    read: text,
  }),
  BOARD_STORE: setting({
    fallback: '',
    meaning:
      'Where the board lies: sqlite:<file>, or postgres://<user>:<password>@<server>/<database>, which any number of boards may share. Empty is the file of BOARD_DB.',
    expected: 'sqlite:<path>, or a postgres:// address',
    read: boardStore,
    secret: true,
  }),
  BOARD_KEY_FILE: setting({
    fallback: '',
    meaning:
      'Key of a board on PostgreSQL, with which it encrypts the secrets of webhooks and of kept answers; made at the first start, readable by its owner alone. All boards of one database need the same file. Empty for board.key in DATA_DIR. A board in a file has its key beside the file.',
    expected: PATH,
    read: text,
  }),
  INDEX_URL: setting({
    fallback: '',
    meaning: 'Addresses of separate index servers, separated by commas; empty serves the index in the gateway process.',
    expected: ADDRESSES,
    read: addresses,
  }),
  BOARD_URL: setting({
    fallback: '',
    meaning:
      'Addresses of separate board servers over one store, separated by commas; empty starts one beside the gateway.',
    expected: ADDRESSES,
    read: addresses,
  }),
  BOARD_PORT: setting({
    fallback: '0',
    meaning: 'Port that the board server listens on; 0 for any free one.',
    expected: 'a whole number from 0 to 65535',
    read: whole(0, 65_535),
  }),
  BOARD_SECRET: setting({
    fallback: '',
    meaning:
      'Secret that a separate board server and its gateway share: with it the board answers nobody else, and takes the addresses of clients from the gateway. Needed where the board listens beyond its own machine. `npm start` makes one at each start for the board that it starts.',
    expected: '22 to 200 letters, digits, - or _, such as `openssl rand -hex 32` prints',
    read: (value) => (/^(?:[A-Za-z0-9_-]{22,200})?$/.test(value) ? value : undefined),
    secret: true,
  }),
  DRAIN_NOTICE: setting({
    fallback: '0',
    meaning:
      'Seconds for which a server that is told to stop still takes requests while /readyz says that it drains, so that gateways or a proxy turn to others first.',
    expected: 'a whole number from 0 to 60',
    read: whole(0, 60),
  }),
  TRUST_PROXY: setting({
    fallback: '0',
    meaning:
      'Number of proxies in front of the service whose X-Forwarded-For is trusted. A board server does not read it: it trusts its gateway, by BOARD_SECRET.',
    expected: 'a whole number from 0 to 10',
    read: whole(0, 10),
  }),
  INDEPENDENCE: setting({
    fallback: '',
    meaning:
      'What a second voice needs where agreement counts: address, another name and another group of addresses (/24 or /48); name, another name only. Empty is name for a service on a loopback address without a proxy in front, else address.',
    expected: 'address or name',
    read: (value) => (value === '' ? '' : oneOf(['address', 'name'])(value)),
  }),
  RATE_LIMITS: setting({
    fallback: 'on',
    meaning:
      'Whether request rates are limited, and costly reads refused while the service is busier than it can keep up with.',
    expected: 'on or off',
    read: oneOf(['on', 'off']),
  }),
  RATE_STORE: setting({
    fallback: 'memory',
    meaning:
      'Where request rates are counted: memory, or a redis:// or postgres:// address, where several gateways count together.',
    expected: 'memory, or a redis:// or postgres:// address',
    read: rateStore,
    secret: true,
  }),
  OPERATOR: setting({
    fallback: '',
    meaning: 'Name of the person or organisation that runs the service, shown on its page /about.',
    expected: 'at most 200 characters on one line',
    read: (value) => (/^[^\p{Cc}]{0,200}$/u.test(value) ? value : undefined),
  }),
  OPERATOR_CONTACT: setting({
    fallback: '',
    meaning: 'Where people reach who runs the service, shown on its page /about.',
    expected: 'an e-mail address or an https:// address',
    read: (value) =>
      /^(?:[^\s@<>"]{1,64}@[^\s@<>"]{1,190}|https:\/\/[^\s<>"]{1,500})?$/.test(value) ? value : undefined,
  }),
  WEBHOOK_ALLOW: setting({
    fallback: '',
    meaning: 'Private addresses or ranges to which webhooks may be delivered, separated by commas.',
    expected: 'IP addresses or ranges such as 10.0.0.0/8, separated by commas',
    read: ranges,
  }),
  CTGOV_URL: setting({
    fallback: 'https://clinicaltrials.gov',
    meaning: 'Origin of the ClinicalTrials.gov API.',
    expected: ADDRESS,
    read: address,
  }),
  ISRCTN_URL: setting({
    fallback: 'https://www.isrctn.com',
    meaning: 'Origin of the ISRCTN API.',
    expected: ADDRESS,
    read: address,
  }),
  PUBMED_URL: setting({
    fallback: 'https://eutils.ncbi.nlm.nih.gov/entrez/eutils',
    meaning: 'Base address of the PubMed E-utilities; off sends PubMed no request.',
    expected: ADDRESS_OR_OFF,
    read: addressOrOff,
  }),
  EUROPEPMC_URL: setting({
    fallback: 'https://www.ebi.ac.uk/europepmc/webservices/rest',
    meaning: 'Base address of the Europe PMC REST service; off sends Europe PMC no request.',
    expected: ADDRESS_OR_OFF,
    read: addressOrOff,
  }),
  NCBI_API_KEY: setting({
    fallback: '',
    meaning: 'NCBI API key, which allows 10 requests a second instead of 3; empty sends no key.',
    expected: 'letters and digits, at most 64',
    read: (value) => (/^[A-Za-z0-9]{0,64}$/.test(value) ? value : undefined),
    secret: true,
  }),
  FEEDS_FILE: setting({
    fallback: './data/sources/feeds.json',
    meaning: 'List of the feeds that signals are read from.',
    expected: PATH,
    read: text,
  }),
  FETCH_RATE: setting({
    fallback: '1',
    meaning: 'Requests a second to each registry, and to all feeds together.',
    expected: 'a number above 0, at most 50',
    read: (value) =>
      /^\d{1,2}(\.\d{1,3})?$/.test(value) && Number(value) > 0 && Number(value) <= 50 ? Number(value) : undefined,
  }),
  CONTACT_EMAIL: setting({
    fallback: '',
    meaning: 'E-mail address sent to registries in the user agent, so that they can reach the operator.',
    expected: 'an e-mail address or nothing',
    read: (value) => (value === '' || /^[^\s@<>()]{1,64}@[^\s@<>()]{1,190}$/.test(value) ? value : undefined),
  }),
  CODE_COMMIT: setting({
    fallback: '',
    meaning:
      'Git commit of this program, which snapshots name; read only where the program is not in a Git checkout of its own.',
    expected: '40 or 64 hex digits in lower case, or nothing',
    read: (value) => (/^(?:[0-9a-f]{40}|[0-9a-f]{64})?$/.test(value) ? value : undefined),
  }),
  LOG_LEVEL: setting({
    fallback: 'info',
    meaning: 'Lowest level of the JSON log lines on standard output.',
    expected: `one of ${LOG_LEVELS.join(', ')}`,
    read: oneOf(LOG_LEVELS),
  }),
} as const;

export type SettingName = keyof typeof SETTINGS;
