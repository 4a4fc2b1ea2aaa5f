#!/usr/bin/env node
// Checks a proof bundle of a trial (docs/proofs.md of the trial board), with nothing but this file: no network, no package.
//
//   node verify.mjs bundle.json [--keys FILE] [--identity HEX] [--checkpoint FILE]
//
//   --keys FILE        public keys that you trust, one a line: one of them must have signed
//   --identity HEX     the identity that the snapshot must have
//   --checkpoint FILE  a checkpoint that you kept: the log must go on from it
//
// Exit code 0: everything holds. 1: a check failed, and is named. 2: wrong usage, or a file that cannot be read.
// Runs in Node from 18 on and in a browser, where `verifyBundle` is imported.

const HASH = /^[0-9a-f]{64}$/;
const FORMAT = 'trial-board-proof/1';
const STATEMENT_FORMAT = 'trial-board-snapshot/3';
const TABLES = ['trials', 'registrations', 'links'];
const ED25519 = 1;
const MAX_SIGNATURES = 64;
const utf8 = new TextEncoder();

/** A check that failed; `check` is its name in docs/proofs.md. */
class Failure extends Error {
  constructor(check, message) {
    super(message);
    this.check = check;
  }
}

function expect(holds, check, message) {
  if (!holds) throw new Failure(check, message);
}

/**
 * Checks the bundle in `text`. `keys` are public keys that are trusted, `identity` and `checkpoint` what the bundle must agree with; each
 * may be left out. Resolves to what was proven, or to the first check that failed.
 *
 * @param {string | Uint8Array} content
 * @param {{ keys?: string[] | null, identity?: string | null, checkpoint?: string | null }} wanted
 */
export async function verifyBundle(content, { keys = null, identity = null, checkpoint = null } = {}) {
  if (!canVerify) throw new Error('there is no WebCrypto here: a page must come over https, or from this machine');
  try {
    const bundle = readBundle(content);
    const statement = readStatement(bundle.statement);
    const found = hex(await sha256(utf8.encode(bundle.statement)));
    expect(identity === null || identity === found, 'identity', `the snapshot is ${found}, not ${identity}`);
    checkTables(bundle.tables, statement.tables);
    const rows = await checkRows(bundle.tables);
    const trial = checkTrial(rows);
    const log = await checkLog(bundle, fromHex(found));
    const signed = await checkSignatures(bundle.log, keys);
    const consistency = await checkConsistency(bundle, signed.known, checkpoint, log);
    const { corpus, asOf } = statement;
    const omitted = bundle.tables.links.omitted ?? 0;
    return { ok: true, proven: { identity: found, corpus, asOf, ...trial, omitted, log, signed, consistency } };
  } catch (error) {
    if (error instanceof Failure) return { ok: false, check: error.check, message: error.message };
    throw error;
  }
}

// --- Form ---

const isObject = (value) => typeof value === 'object' && value !== null && !Array.isArray(value);
const isText = (value) => typeof value === 'string' && !/\p{Surrogate}/u.test(value);
const isCount = (value) => Number.isSafeInteger(value) && value >= 0;
const isHash = (value) => typeof value === 'string' && HASH.test(value);
const isPath = (value) => Array.isArray(value) && value.every(isHash);

/** Members that an object must and may have, each with its test; any other one is refused. */
function hasForm(value, must, may = {}) {
  if (!isObject(value)) return false;
  const all = { ...may, ...must };
  return (
    Object.keys(must).every((name) => Object.hasOwn(value, name)) &&
    Object.keys(value).every((name) => Object.hasOwn(all, name) && all[name](value[name]))
  );
}

const isRow = (value) => hasForm(value, { index: isCount, row: isText, path: isPath });
const isRows = (value) => Array.isArray(value) && value.every(isRow);
const TABLE = { size: isCount, root: isHash, rows: isRows };
const isLog = (value) =>
  value === null ||
  hasForm(value, {
    index: isCount,
    size: isCount,
    path: isPath,
    checkpoint: isText,
    keys: (keys) => Array.isArray(keys) && keys.every(isText),
  });
const isConsistency = (value) => hasForm(value, { from: isCount, to: isCount, path: isPath, checkpoint: isText });
const isTables = (value) =>
  hasForm(value, {
    trials: (table) => hasForm(table, TABLE),
    registrations: (table) => hasForm(table, TABLE),
    links: (table) => hasForm(table, TABLE, { omitted: (count) => isCount(count) && count > 0 }),
  });

/** The bundle, from a file of its own or from an answer of the service, which holds it as `data`. */
function readBundle(content) {
  let value;
  try {
    const text =
      typeof content === 'string'
        ? content
        : new TextDecoder('utf-8', { fatal: true, ignoreBOM: true }).decode(content);
    value = JSON.parse(text);
  } catch {
    throw new Failure('form', 'the bundle is not JSON in UTF-8');
  }
  if (isObject(value) && Object.hasOwn(value, 'data') && Object.hasOwn(value, '_meta')) value = value.data;
  expect(isObject(value) && value.format === FORMAT, 'form', `the bundle is not of the format ${FORMAT}`);
  const must = { format: isText, statement: isText, tables: isTables, log: isLog };
  const wrong = Object.entries(must).find(([name, holds]) => !Object.hasOwn(value, name) || !holds(value[name]));
  expect(wrong === undefined, 'form', `${wrong?.[0]} does not have the members and values that the format asks for`);
  expect(
    hasForm(value, must, { consistency: isConsistency }),
    'form',
    'consistency, or a further member, is not as the format asks',
  );
  return value;
}

/** JSON by RFC 8785. */
function canonical(value) {
  if (Array.isArray(value)) return `[${value.map(canonical).join(',')}]`;
  if (typeof value === 'string' && !isText(value)) throw new SyntaxError('half of a surrogate pair');
  if (!isObject(value)) return JSON.stringify(value);
  const members = Object.keys(value).sort();
  return `{${members.map((name) => `${canonical(name)}:${canonical(value[name])}`).join(',')}}`;
}

/** The object in a text that must be JSON by RFC 8785; null for any other text. */
function canonicalObject(text) {
  try {
    const value = JSON.parse(text);
    return isObject(value) && canonical(value) === text ? value : null;
  } catch {
    return null;
  }
}

// --- The snapshot ---

function readStatement(text) {
  const statement = canonicalObject(text);
  expect(statement !== null, 'statement', 'the statement is not an object in the canonical form of RFC 8785');
  expect(statement.format === STATEMENT_FORMAT, 'statement', `the statement is not of the format ${STATEMENT_FORMAT}`);
  const { tables } = statement;
  const isStated = (name) =>
    isObject(tables) &&
    Object.hasOwn(tables, name) &&
    isObject(tables[name]) &&
    isCount(tables[name].rows) &&
    isHash(tables[name].root);
  for (const name of TABLES) expect(isStated(name), 'statement', `the statement states no rows and root of ${name}`);
  return statement;
}

function checkTables(tables, stated) {
  for (const name of TABLES) {
    const { size, root } = tables[name];
    const { rows, root: expected } = stated[name];
    expect(
      size === rows && root === expected,
      'tables',
      `${name} has ${size} rows and the root ${root}, but the statement says ${rows} and ${expected}`,
    );
  }
}

/** The rows of each table as objects. */
async function checkRows(tables) {
  const found = {};
  for (const name of TABLES) {
    const { size, root, rows } = tables[name];
    found[name] = [];
    let last = -1;
    for (const { index, row, path } of rows) {
      const where = `row ${index} of ${name}`;
      const value = canonicalObject(row);
      expect(value !== null, 'rows', `${where} is not an object in the canonical form of RFC 8785`);
      expect(index > last, 'rows', `${where} does not come after row ${last}`);
      last = index;
      const leaf = await leafHash(utf8.encode(row));
      const reached = await rootByInclusion({ size, index, leaf }, path);
      expect(reached !== null && hex(reached) === root, 'rows', `${where} is not under the root of its table`);
      found[name].push(value);
    }
  }
  return found;
}

/** That the rows are those of one trial: all registrations that its row names and no other, and links of these. */
function checkTrial({ trials, registrations, links }) {
  expect(trials.length === 1, 'trial', `the bundle has ${trials.length} rows of trials, expected one`);
  const [trial] = trials;
  expect(
    typeof trial.canonical_id === 'string' && trial.canonical_id !== '',
    'trial',
    'the row of the trial has no canonical_id',
  );
  const named = [];
  for (const [registry, column] of [
    ['clinicaltrials_gov', 'ctgov_id'],
    ['isrctn', 'isrctn_id'],
  ]) {
    const id = Object.hasOwn(trial, column) ? trial[column] : undefined;
    expect(
      id === null || (typeof id === 'string' && id !== ''),
      'trial',
      `${column} of the trial is neither an id nor null`,
    );
    if (id !== null) named.push({ registry, id });
  }
  expect(named.length > 0, 'trial', 'the row of the trial names no registration');
  const isOf = (row, { registry, id }) => row.registry === registry && row.id === id;
  for (const one of named)
    expect(
      registrations.some((row) => isOf(row, one)),
      'trial',
      `the registration ${one.id} of the trial is missing`,
    );
  expect(
    registrations.length === named.length,
    'trial',
    `the bundle has ${registrations.length} registrations, but the trial names ${named.length}`,
  );
  for (const row of registrations)
    expect(isHash(row.payload_sha256), 'trial', `the registration ${row.id} has no payload_sha256`);
  for (const row of links) {
    const ends = [
      { registry: row.from_registry, id: row.from_id },
      { registry: row.to_registry, id: row.to_id },
    ];
    expect(
      ends.some((end) => named.some((one) => isOf(end, one))),
      'trial',
      `the link ${row.link_id} is of no registration of the trial`,
    );
  }
  return { trial, registrations, links };
}

// --- The log ---

async function checkLog({ log }, identity) {
  if (log === null) return null;
  const { text, isSigned } = textOf(log.checkpoint, 'log');
  const { origin, size, root } = readCheckpoint(text, 'log');
  expect(size === log.size, 'log', `the checkpoint counts ${size} identities, but the bundle says ${log.size}`);
  const reached = await rootByInclusion({ size, index: log.index, leaf: await leafHash(identity) }, log.path);
  expect(
    reached !== null && hex(reached) === root,
    'log',
    `the identity is not entry ${log.index} under the checkpoint`,
  );
  return { origin, index: log.index, size, root, isSigned };
}

async function checkSignatures(log, trustedLines) {
  const trusted = [];
  for (const line of trustedLines ?? []) trusted.push(await readKey(line));
  const listed = [];
  for (const line of log?.keys ?? []) listed.push(await readKey(line));
  const known = [...trusted, ...listed.filter((key) => !trusted.some((one) => one.vkey === key.vkey))];
  const by = log === null ? [] : await signersOf(log.checkpoint, known, 'signature');
  const isTrusted = by.filter((key) => trusted.includes(key));
  const what = log === null ? 'the log does not hold the snapshot, so' : 'of the checkpoint:';
  expect(trustedLines === null || isTrusted.length > 0, 'signature', `${what} none of the trusted keys has signed`);
  return { known, by: by.map(words), trusted: trustedLines === null ? null : isTrusted.map(words) };
}

async function checkConsistency({ log: inBundle, consistency }, known, kept, log) {
  const own = kept === null ? null : readCheckpoint(textOf(kept, 'consistency').text, 'consistency');
  if (consistency === undefined) {
    if (own === null) return null;
    const isSame = log !== null && own.size === log.size && own.root === log.root;
    expect(
      isSame,
      'consistency',
      `the bundle does not prove that the log goes on from the checkpoint over ${own.size}: ask for it with since=${own.size}`,
    );
    return { from: own.size, to: own.size, by: [], kept: true };
  }
  expect(inBundle !== null, 'consistency', 'the bundle has no checkpoint that could go on from another');
  const { from, to, path, checkpoint } = consistency;
  expect(to === log.size, 'consistency', `the path leads to ${to} identities, but the checkpoint counts ${log.size}`);
  const earlier = readCheckpoint(textOf(checkpoint, 'consistency').text, 'consistency');
  expect(
    earlier.size === from,
    'consistency',
    `the earlier checkpoint counts ${earlier.size} identities, but the bundle says ${from}`,
  );
  const by = await signersOf(checkpoint, known, 'consistency');
  const holds = await isConsistentPath({ size: from, root: earlier.root }, { size: to, root: log.root }, path);
  expect(holds, 'consistency', `the log does not go on from its checkpoint over ${from} identities`);
  const isSame = own === null || (own.size === earlier.size && own.root === earlier.root);
  expect(
    isSame,
    'consistency',
    `the checkpoint that was kept, over ${own?.size} identities, is not the one that the log goes on from`,
  );
  return { from, to, by: by.map(words), kept: own !== null };
}

/** The text of a checkpoint: a signed note, or where nothing signs the text alone. */
function textOf(content, check) {
  return content.includes('\n\n')
    ? { text: readNote(content, check).text, isSigned: true }
    : { text: content, isSigned: false };
}

/** C2SP tlog-checkpoint. */
function readCheckpoint(text, check) {
  const lines = text.split('\n');
  expect(
    lines.pop() === '' && lines.length >= 3 && !lines.includes(''),
    check,
    'a checkpoint is not three lines or more, none of them empty',
  );
  const [origin, size, root] = lines;
  const bytes = fromBase64(root);
  expect(
    /^(?:0|[1-9][0-9]*)$/.test(size) && Number.isSafeInteger(Number(size)),
    check,
    'the size of a checkpoint is not a whole number',
  );
  expect(bytes?.length === 32, check, 'the root of a checkpoint is not the base64 of 32 bytes');
  return { origin, size: Number(size), root: hex(bytes) };
}

const words = ({ name, id }) => `${name}+${id}`;
const isName = (name) => name !== '' && !/[\p{White_Space}\p{Cc}\p{Surrogate}+]/u.test(name);

/** C2SP signed-note: a text, an empty line, and a line for each signature. */
function readNote(note, check) {
  expect(!/[\u0000-\u0009\u000b-\u001f]/.test(note), check, 'a checkpoint has a control character');
  const split = note.lastIndexOf('\n\n');
  const lines = note.slice(split + 2).split('\n');
  expect(
    split >= 0 && lines.pop() === '' && lines.length > 0,
    check,
    'a checkpoint does not end in a line with a signature',
  );
  expect(lines.length <= MAX_SIGNATURES, check, `a checkpoint has more than ${MAX_SIGNATURES} signatures`);
  const signatures = lines.map((line) => {
    const [, name = '', base64 = ''] = /^— ([^ ]*) (.*)$/.exec(line) ?? [];
    const bytes = fromBase64(base64);
    expect(
      isName(name) && bytes !== null && bytes.length > 4,
      check,
      'a line of a signature is not a dash, a name and base64',
    );
    return { name, id: hex(bytes.subarray(0, 4)), signature: bytes.subarray(4) };
  });
  return { text: note.slice(0, split + 1), signatures };
}

/** A public key as C2SP writes it: name, id, and base64 of the type and the key. */
async function readKey(line) {
  const [, name = '', id = '', material = ''] = /^([^+]*)\+([0-9a-fA-F]{8})\+(.*)$/s.exec(line) ?? [];
  const typed = fromBase64(material);
  expect(
    isName(name) && typed?.length === 33 && typed[0] === ED25519,
    'signature',
    `${JSON.stringify(line)} is not a public key of Ed25519`,
  );
  const expected = hex((await sha256(join(utf8.encode(`${name}\n`), typed))).subarray(0, 4));
  expect(
    expected === id.toLowerCase(),
    'signature',
    `the public key of ${name} states the id ${id}, expected ${expected}`,
  );
  return { name, id: expected, vkey: `${name}+${expected}+${material}`, bytes: typed.subarray(1) };
}

/** The known keys that signed a checkpoint. Each signature under the name and id of a known key must hold; others are ignored. */
async function signersOf(content, known, check) {
  if (!content.includes('\n\n')) return [];
  const { text, signatures } = readNote(content, check);
  const by = new Set();
  for (const { name, id, signature } of signatures) {
    const key = known.find((one) => one.name === name && one.id === id);
    if (key === undefined) continue;
    const holds = signature.length === 64 && (await isSignature(key.bytes, signature, utf8.encode(text)));
    expect(holds, check, `the signature by ${name}+${id} does not hold`);
    by.add(key);
  }
  return [...by];
}

// --- Merkle trees of RFC 6962 and RFC 9162 ---

const leafHash = (data) => sha256(join(Uint8Array.of(0), data));
const nodeHash = (left, right) => sha256(join(Uint8Array.of(1), left, right));
const half = (value) => Math.floor(value / 2);

/** RFC 9162, section 2.1.3.2; null for a path that no such tree has. */
async function rootByInclusion({ size, index, leaf }, path) {
  if (index >= size) return null;
  let [fn, sn, root] = [index, size - 1, leaf];
  for (const node of path.map(fromHex)) {
    if (sn === 0) return null;
    if (fn % 2 === 1 || fn === sn) {
      root = await nodeHash(node, root);
      while (fn % 2 === 0 && fn !== 0) [fn, sn] = [half(fn), half(sn)];
    } else root = await nodeHash(root, node);
    [fn, sn] = [half(fn), half(sn)];
  }
  return sn === 0 ? root : null;
}

/** RFC 9162, section 2.1.4.2. */
async function isConsistentPath(from, to, path) {
  if (from.size < 1 || from.size > to.size) return false;
  if (from.size === to.size) return path.length === 0 && from.root === to.root;
  if (path.length === 0) return false;
  let [fn, sn] = [from.size - 1, to.size - 1];
  while (fn % 2 === 1) [fn, sn] = [half(fn), half(sn)];
  // The earlier tree is a complete subtree of the later one where its size is a power of two.
  const [first, ...rest] = (fn === 0 ? [from.root, ...path] : path).map(fromHex);
  let [fr, sr] = [first, first];
  for (const node of rest) {
    if (sn === 0) return false;
    if (fn % 2 === 1 || fn === sn) {
      [fr, sr] = [await nodeHash(node, fr), await nodeHash(node, sr)];
      while (fn % 2 === 0 && fn !== 0) [fn, sn] = [half(fn), half(sn)];
    } else sr = await nodeHash(sr, node);
    [fn, sn] = [half(fn), half(sn)];
  }
  return sn === 0 && hex(fr) === from.root && hex(sr) === to.root;
}

// --- Bytes ---

let subtle = globalThis.crypto?.subtle;
// Node 18 has no global crypto.
if (subtle === undefined && typeof process !== 'undefined') subtle = (await import('node:crypto')).webcrypto.subtle;

/** Whether this browser can check: pages that did not come over https or from this machine have no WebCrypto. */
export const canVerify = subtle !== undefined;

async function sha256(bytes) {
  return new Uint8Array(await subtle.digest('SHA-256', bytes));
}

async function isSignature(publicKey, signature, message) {
  let key;
  try {
    key = await subtle.importKey('raw', publicKey, { name: 'Ed25519' }, false, ['verify']);
  } catch (error) {
    if (error?.name === 'NotSupportedError')
      throw new Failure('signature', 'this browser cannot check Ed25519 signatures; Node can: node verify.mjs');
    return false;
  }
  return subtle.verify({ name: 'Ed25519' }, key, signature, message);
}

function join(...parts) {
  const bytes = new Uint8Array(parts.reduce((sum, part) => sum + part.length, 0));
  let at = 0;
  for (const part of parts) {
    bytes.set(part, at);
    at += part.length;
  }
  return bytes;
}

const hex = (bytes) => Array.from(bytes, (byte) => byte.toString(16).padStart(2, '0')).join('');
const fromHex = (text) => Uint8Array.from(text.match(/../g) ?? [], (pair) => Number.parseInt(pair, 16));

/** Bytes of standard base64 with its padding; null for any other text. */
function fromBase64(text) {
  if (!/^(?:[A-Za-z0-9+/]{4})*(?:[A-Za-z0-9+/]{2}==|[A-Za-z0-9+/]{3}=)?$/.test(text) || text === '') return null;
  const binary = atob(text);
  return btoa(binary) === text ? Uint8Array.from(binary, (character) => character.charCodeAt(0)) : null;
}

// --- Words ---

/** What `verifyBundle` found, as lines for people. */
export function report(result) {
  if (!result.ok) return ['NOT PROVEN', `check "${result.check}" failed: ${result.message}`].map(shown);
  const { identity, corpus, asOf, trial, registrations, links, omitted, log, signed, consistency } = result.proven;
  const lines = ['PROVEN', `snapshot ${identity}, as of ${asOf}`];
  if (corpus === 'sample') lines.push('  a synthetic sample: no record of it is a real trial');
  lines.push(`held the trial ${trial.canonical_id}${typeof trial.title === 'string' ? `: ${trial.title}` : ''}`);
  for (const { registry, id, payload_sha256 } of registrations)
    lines.push(`  registration ${id} (${registry}), payload SHA-256 ${payload_sha256}`);
  for (const { from_id, to_id, verdict, rule, link_id } of links)
    lines.push(`  link ${link_id}: ${from_id} to ${to_id}, ${verdict} by the rule ${rule}`);
  if (omitted > 0) lines.push(`  ${omitted} more links were left out of the bundle`);
  lines.push(...logLines(log, signed), ...consistencyLines(consistency));
  return lines.map(shown);
}

function logLines(log, { by, trusted }) {
  if (log === null) return ['not in the log of publications: nobody vouches for this snapshot by it'];
  const entry = `entry ${log.index} of the log ${log.origin}, whose checkpoint counts ${log.size}`;
  if (trusted !== null) return [entry, `signed by ${trusted.join(', ')}, which you trust`];
  if (by.length > 0)
    return [
      entry,
      `signed by ${by.join(', ')}; the key came with the bundle: compare it with one that you have another way (--keys)`,
    ];
  return [entry, 'unsigned: this notices accidents and careless changes, and says nothing about who wrote it'];
}

function consistencyLines(consistency) {
  if (consistency === null) return [];
  const { from, to, by, kept } = consistency;
  const signed = by.length === 0 ? '' : `, signed by ${by.join(', ')}`;
  return [
    `the log of ${to} goes on from ${kept ? 'the checkpoint that you kept' : 'its checkpoint'} over ${from}${signed}`,
  ];
}

/** Characters that hide or turn text are written out: the bundle is of others. */
function shown(line) {
  return line.replace(/[\p{Cc}\p{Cf}\u2028\u2029]/gu, (character) => `\\u{${character.codePointAt(0).toString(16)}}`);
}

/** Lines of a file of public keys: empty ones and those that begin with # are comments. */
export function keyLines(text) {
  return text
    .split('\n')
    .map((line) => line.trim())
    .filter((line) => line !== '' && !line.startsWith('#'));
}

// --- Command line ---

async function main(args, { readFileSync }) {
  const options = { '--keys': null, '--identity': null, '--checkpoint': null };
  const files = [];
  for (let at = 0; at < args.length; at += 1) {
    if (!Object.hasOwn(options, args[at])) files.push(args[at]);
    else if (options[args[at]] !== null || args[at + 1] === undefined) return usage(`${args[at]} needs one value`);
    else options[args[at]] = args[++at];
  }
  if (files.length !== 1 || files[0].startsWith('--')) return usage('name one bundle');
  const identity = options['--identity']?.toLowerCase() ?? null;
  if (identity !== null && !HASH.test(identity)) return usage('--identity is not 64 hex digits');
  let read;
  try {
    const text = (path) => (path === null ? null : readFileSync(path, 'utf8'));
    read = { bundle: readFileSync(files[0]), keys: text(options['--keys']), checkpoint: text(options['--checkpoint']) };
  } catch (error) {
    return usage(error.message);
  }
  const keys = read.keys === null ? null : keyLines(read.keys);
  if (keys?.length === 0) return usage(`${options['--keys']} holds no key, expected one a line`);
  const result = await verifyBundle(read.bundle, { keys, identity, checkpoint: read.checkpoint });
  console.log(report(result).join('\n'));
  return result.ok ? 0 : 1;
}

function usage(why) {
  console.error(`${why}\nusage: node verify.mjs bundle.json [--keys FILE] [--identity HEX] [--checkpoint FILE]`);
  return 2;
}

if (typeof process !== 'undefined' && process.argv?.[1] !== undefined) {
  const fs = await import('node:fs');
  const { pathToFileURL } = await import('node:url');
  const isMain =
    fs.existsSync(process.argv[1]) && pathToFileURL(fs.realpathSync(process.argv[1])).href === import.meta.url;
  if (isMain) process.exitCode = await main(process.argv.slice(2), fs);
}
