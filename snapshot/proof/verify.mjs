#!/usr/bin/env node
// Checks a proof bundle of a trial as docs/proofs.md of the trial board describes it, with nothing but this file: in Node from 18.3 on,
// where `--help` explains the options, and in a browser, where a page imports `verifyBundle`. Exit code 0: every check holds. 1: a
// check failed and is named. 2: wrong usage, or an unreadable file.

const TABLES = ['trials', 'registrations', 'links'];
/** A bundle has at most 64 KiB without blanks; its file has room for blanks and for the rest of an answer of the service. */
export const MAX_FILE_BYTES = 262_144;
/** A row has the SHA-256 of the JSON of these columns in their place. */
const LIST_COLUMN = /^(?:arms|intervention_descriptions|(?:other|primary|secondary)_outcomes|sites)$/;
const COLUMN_CHANGE = /^(?:trial|registration)-changed$/;
const utf8 = new TextEncoder();
const UNJOINED = "no accepted link of the bundle joins the registrations: only the trial's row makes them one";

/** A check that failed, under its name in docs/proofs.md. */
export class Failure extends Error {
  constructor(what, message) {
    super(message);
    this.what = what;
  }
}
/** An option of the caller is not of its form, which says nothing about the bundle. */
export class Misuse extends Failure {}

function need(holds, check, message) {
  if (!holds) throw new Failure(check, message);
}

/**
 * Checks the bundle in `content`, a text or bytes, against trusted public `keys`, an `identity` and a kept `checkpoint`.
 * `requireOrigin` asks that one of these proves where it comes from, `requireLinks` that its links join all registrations. Resolves to
 * what was proven, or to the first check that failed. Throws Misuse where an option is not of its form.
 */
export async function verifyBundle(content, { keys, identity, checkpoint, ...required } = {}) {
  if (!canVerify) throw new Error('there is no WebCrypto here: a page must come over https, or from this machine');
  const asMisuse = (what) => (error) => Promise.reject(new Misuse(what, error.message));
  if (typeof identity === 'string' && !HASH.test(identity)) throw new Misuse('identity', 'it is not 64 hex digits');
  const trusted = keys ? await Promise.all(keys.map(readKey)).catch(asMisuse('keys')) : null;
  const isKept = typeof checkpoint === 'string';
  const kept = isKept ? await readCheckpoint(checkpoint, 'log').catch(asMisuse('checkpoint')) : null;
  try {
    return { ok: true, proven: await prove(content, { ...required, identity: identity ?? null, trusted, kept }) };
  } catch (error) {
    if (error instanceof Failure) return { ok: false, check: error.what, message: error.message };
    throw error;
  }
}

/** All checks, in the order of docs/proofs.md. */
async function prove(content, { identity, trusted, kept, requireOrigin, requireLinks }) {
  const { bundle, isAnswer } = readBundle(content);
  const statement = readStatement(bundle.statement);
  const found = hex(await sha256(utf8.encode(bundle.statement)));
  need((identity ?? found) === found, 'identity', `the snapshot is ${found}, not ${identity}`);
  const rows = await checkTables(bundle.tables, statement);
  need(!requireLinks || isJoined(rows), 'links', UNJOINED);
  const changed = await checkChanges(bundle.changes, statement.storedChanges?.root ?? null, rows);
  const log = await checkLog(bundle.log, found);
  const signed = await checkSignatures(log, trusted);
  const consistency = await checkConsistency(bundle.consistency, { known: signed.known, kept, log });
  // Anybody can continue a log from a checkpoint, so a kept one proves the origin of the entries that it counts only.
  const isOriginProven = identity !== null || trusted !== null || (kept !== null && log.index < kept.size);
  need(isOriginProven || !requireOrigin, 'origin', `the bundle agrees with itself, but ${NO_ORIGIN}`);
  const since = { changed, log, signed, consistency, isOriginProven };
  return { identity: found, statement, ...rows, omitted: bundle.tables.links.omitted ?? 0, isAnswer, ...since };
}

// --- Forms ---
const isObject = (value) => typeof value === 'object' && value !== null && !Array.isArray(value);
const own = (value, name) => (isObject(value) && Object.hasOwn(value, name) ? value[name] : undefined);

/** Whether a value has a form: a test, an expression for a text, or an object of forms. A member named `?` may be absent. */
function fits(value, form) {
  if (form instanceof RegExp) return typeof value === 'string' && form.test(value);
  if (typeof form === 'function') return form(value);
  const isKnown = (name) => Object.hasOwn(form, name) || Object.hasOwn(form, `${name}?`);
  return isObject(value) && Object.keys(value).every(isKnown) && misfit(value, form) === undefined;
}

/** The first member of `form` that `value` does not have in its form; further members do not count. */
function misfit(value, form) {
  return Object.keys(form).find((member) => {
    const name = member.replace('?', '');
    return own(value, name) === undefined ? name === member : !fits(value[name], form[member]);
  });
}

const orNull = (form) => (value) => value === null || fits(value, form);
const listOf = (form) => (value) => Array.isArray(value) && value.every((one) => fits(one, form));
const text = (value) => typeof value === 'string' && !/\p{Surrogate}/u.test(value);
const count = (value) => Number.isSafeInteger(value) && value >= 0;
const HASH = /^[0-9a-f]{64}$/;
const CANONICAL_ID = /^wt_[0-9a-z]{12,}$/;
const REGISTRY = /^(?:clinicaltrials_gov|isrctn)$/;
const REGISTRATION_ID = /^(?:NCT|ISRCTN)[0-9]{8}$/;
const path = listOf(HASH);
const TABLE = { size: count, root: HASH, rows: listOf({ index: count, row: text, path }) };
const LINKS = { ...TABLE, 'omitted?': (value) => count(value) && value > 0 };
const BUNDLE_TABLES = { trials: TABLE, registrations: TABLE, links: LINKS };
const BUNDLE = {
  ...{ format: /^trial-board-proof\/1$/, statement: text, tables: BUNDLE_TABLES },
  log: orNull({ index: count, size: count, path, checkpoint: text, keys: listOf(text) }),
  'changes?': { size: count, first: count, rows: listOf(text), path },
  'consistency?': { from: count, to: count, path, checkpoint: text },
};
// Statements, rows and changes may have further members.
const STATED_TABLE = (value) => misfit(value, { rows: count, root: HASH }) === undefined;
const STATEMENT = {
  formatVersion: (value) => value === 6,
  corpus: /^(?:registries|sample)$/,
  bound: (value) => misfit(value, { parent: orNull(HASH) }) === undefined,
  storedChanges: (value) => value === null || STATED_TABLE(value),
  asOf: /^[0-9]{4}-(?:0[1-9]|1[0-2])-(?:0[1-9]|[12][0-9]|3[01])$/,
  tables: (value) => TABLES.every((name) => STATED_TABLE(own(value, name))),
};
const [NCT, ISRCTN] = [/^NCT[0-9]{8}$/, /^ISRCTN[0-9]{8}$/].map(orNull);
const ROWS = {
  trials: { canonical_id: CANONICAL_ID, ctgov_id: NCT, isrctn_id: ISRCTN },
  registrations: { registry: REGISTRY, id: REGISTRATION_ID, payload_sha256: HASH },
  links: {
    ...{ link_id: /^ln_[0-9a-z]{12,}$/, rule: /^[a-z0-9]+(?:-[a-z0-9]+)*$/, verdict: /^(?:accepted|rejected)$/ },
    ...{ from_registry: REGISTRY, from_id: REGISTRATION_ID, to_registry: REGISTRY, to_id: REGISTRATION_ID },
    kind: /^(?:explicit-cross-reference|shared-identifier)$/,
  },
};
const CHANGE = {
  ...{ item: orNull(text), field: orNull(text), registration_id: orNull(REGISTRATION_ID) },
  ...{ old_sha256: orNull(HASH), new_sha256: orNull(HASH) },
  kind: /^(?:trial|registration|link|identifier|publication)-(?:added|changed|removed|merged|split|gained|lost)$/,
};

/** The bundle, from a file of its own or from an answer of the service, which holds it as `data`. */
function readBundle(content) {
  const bytes = typeof content === 'string' ? utf8.encode(content) : content;
  need(bytes.length <= MAX_FILE_BYTES, 'form', `a file of a bundle has at most ${MAX_FILE_BYTES} bytes: this has more`);
  let [value, read, written] = [undefined, 0, 0];
  try {
    const json = new TextDecoder('utf-8', { fatal: true, ignoreBOM: true }).decode(bytes);
    value = JSON.parse(json, (_, one) => {
      read += isObject(one) ? Object.keys(one).length : 0;
      return one;
    });
    for (const [, colon] of json.matchAll(/"[^"\\]*(?:\\.[^"\\]*)*"[ \t\n\r]*(:)?/g)) written += colon ? 1 : 0;
  } catch {
    const why = bytes.length === 0 ? 'it is empty' : 'it was cut, or it is another file';
    need(false, 'form', `the bundle is not JSON in UTF-8: ${why}`);
  }
  // JSON.parse keeps the last of equal members, so two readers could see two bundles in one file.
  need(read === written, 'form', 'an object of the bundle has a member twice');
  const isAnswer = own(value, 'data') !== undefined && own(value, '_meta') !== undefined;
  if (isAnswer) value = value.data;
  const refusal = JSON.stringify(own(own(value, 'error'), 'message'));
  need(!refusal, 'form', `the file is a refusal of the service and no proof: ${refusal}`);
  const wrong = misfit(value, BUNDLE)?.replace('?', '');
  need(!wrong, 'form', `${wrong} does not have the members and values that the format asks for`);
  need(fits(value, BUNDLE), 'form', 'the bundle has a further member');
  return { bundle: value, isAnswer };
}

/** JSON by RFC 8785. */
function canonical(value) {
  if (Array.isArray(value)) return `[${value.map(canonical).join(',')}]`;
  if (typeof value === 'string' && !text(value)) throw new SyntaxError('half of a surrogate pair');
  if (!isObject(value)) return JSON.stringify(value);
  const members = Object.keys(value).sort();
  return `{${members.map((name) => `${canonical(name)}:${canonical(value[name])}`).join(',')}}`;
}

/** The object that a text in canonical form holds. */
function readCanonical(json, check, what) {
  try {
    const value = JSON.parse(json);
    if (isObject(value) && canonical(value) === json) return value;
  } catch {}
  throw new Failure(check, `${what} is not an object in the canonical form of RFC 8785`);
}

// --- The snapshot and the trial ---
function readStatement(json) {
  const statement = readCanonical(json, 'statement', 'the statement');
  const wrong = misfit(statement, STATEMENT);
  need(!wrong, 'statement', `${wrong} of the statement is missing or not of its form`);
  return statement;
}

/** The rows of a trial, after checking that they are rows of the tables that the statement names. */
async function checkTables(tables, statement) {
  for (const name of TABLES) {
    const [{ size, root }, stated] = [tables[name], statement.tables[name]];
    const differ = `${name} has ${size} rows and the root ${root}, the statement says ${stated.rows} and ${stated.root}`;
    need(size === stated.rows && root === stated.root, 'tables', differ);
  }
  const rows = {};
  for (const name of TABLES) rows[name] = await checkRows(name, tables[name]);
  const { size, omitted = 0 } = tables.links;
  const held = `links has ${size} rows, but the bundle has ${rows.links.length}`;
  need(omitted <= size - rows.links.length, 'tables', `${held} and says that it leaves out ${omitted}`);
  return checkTrial(rows);
}

async function checkRows(name, { size, root, rows }) {
  const found = [];
  for (const [place, { index, row, path }] of rows.entries()) {
    const what = `row ${index} of ${name}`;
    found.push(readCanonical(row, 'rows', what));
    need(place === 0 || index > rows[place - 1].index, 'rows', `${what} does not come after the one before it`);
    const reached = await rootByInclusion({ size, index, leaf: await leafHash(row) }, path);
    need(reached === root, 'rows', `${what} is not under the root of its table`);
  }
  return found;
}

/** Checks that the rows are one trial, all registrations that it names and no other, and links of these. */
function checkTrial(rows) {
  const { trials, registrations, links } = rows;
  need(trials.length === 1, 'trial', `the bundle has ${trials.length} rows of trials, expected one`);
  for (const name of TABLES) {
    const wrong = rows[name].map((row) => misfit(row, ROWS[name])).find((member) => member !== undefined);
    need(!wrong, 'trial', `${wrong} of a row of ${name} is missing or not of its form`);
  }
  const [trial] = trials;
  const ids = { clinicaltrials_gov: trial.ctgov_id, isrctn: trial.isrctn_id };
  const named = Object.entries(ids).flatMap(([registry, id]) => (id === null ? [] : [`${registry} ${id}`]));
  const held = registrations.map(({ registry, id }) => `${registry} ${id}`);
  need(named.length > 0, 'trial', 'the row of the trial names no registration');
  const isSame = held.length === named.length && named.every((one) => held.includes(one));
  need(isSame, 'trial', `the trial names the registrations ${named.join(', ')}, but the bundle has ${held.join(', ')}`);
  for (const { link_id, from_registry, from_id, to_registry, to_id } of links) {
    const isOwn = [`${from_registry} ${from_id}`, `${to_registry} ${to_id}`].some((end) => named.includes(end));
    need(isOwn, 'trial', `the link "${link_id}" is of no registration of the trial`);
  }
  return { trial, registrations, links };
}

/** Whether accepted links lead from each registration to every other one, perhaps over a record that one of them superseded. */
function isJoined({ registrations, links }) {
  const reached = new Set(registrations.slice(0, 1).map(({ id }) => id));
  const accepted = links.filter(({ verdict }) => verdict === 'accepted');
  for (let size = 0; size < reached.size; ) {
    size = reached.size;
    for (const { from_id, to_id } of accepted)
      if (reached.has(from_id) || reached.has(to_id)) reached.add(from_id).add(to_id);
  }
  return registrations.every(({ id }) => reached.has(id));
}

// --- The changes since the parent ---
/** The changes of the trial: neighbours under the root, with one row of another trial before and after, so that none is left out. */
async function checkChanges(changes, root, now) {
  if (changes === undefined) return null;
  const { size, first, rows, path } = changes;
  need(root !== null, 'changes', 'the statement names no changes');
  const read = rows.map((row) => readCanonical(row, 'changes', 'a change'));
  const reached = await rootByRange({ size, first, leaves: await Promise.all(rows.map(leafHash)) }, path);
  need(reached === root, 'changes', `the changes are not under the root ${root}`);
  const id = now.trial.canonical_id;
  const [before, after] = [read[0], read.at(-1)].map((row) => own(row, 'canonical_id'));
  const hasBefore = fits(before, CANONICAL_ID) && before < id;
  const hasAfter = after === null || (fits(after, CANONICAL_ID) && after > id);
  const isWhole = (hasBefore || first === 0) && (hasAfter || first + rows.length === size);
  need(isWhole, 'changes', 'the rows before and after the changes are not those of other trials: some may be left out');
  const ofTrial = read.slice(hasBefore ? 1 : 0, hasAfter ? -1 : undefined);
  for (const change of ofTrial) await checkChange(change, now);
  return ofTrial;
}

/** Checks that a change is of the trial and of its form, and that the new value which it names is that of the row. */
async function checkChange(change, now) {
  const isOwn = own(change, 'canonical_id') === now.trial.canonical_id && !misfit(change, CHANGE);
  need(isOwn, 'changes', 'a change is of another trial, or not of its form');
  const { kind, field, registration_id, new_sha256 } = change;
  const isNamed = registration_id !== null;
  const isAllowed = kind.startsWith('registration-') ? isNamed : !kind.startsWith('trial-') || !isNamed;
  need(isAllowed, 'changes', `a change of the kind ${kind} names ${isNamed ? 'a' : 'no'} registration`);
  if (!COLUMN_CHANGE.test(kind)) return;
  need(field !== null, 'changes', `a change of the kind ${kind} names no column`);
  const row = registration_id === null ? now.trial : now.registrations.find(({ id }) => id === registration_id);
  const sum = await sumIn(row, field, new_sha256);
  need(sum === new_sha256, 'changes', `the row has another value than the change: ${changeLine(change)}`);
}

/** SHA-256 of the JSON of a column's value. `stated` where that is not known: there is no row, or it has the sum of a text. */
async function sumIn(row, field, stated) {
  const digest = own(row, `${field}_sha256`) ?? null;
  if (row === undefined || (digest !== null && !LIST_COLUMN.test(field))) return stated;
  const value = field.startsWith('origins.') ? own(own(row, 'origins'), field.slice(8)) : own(row, field);
  return digest ?? hex(await sha256(utf8.encode(canonical(value ?? null))));
}

// --- The log of publications ---
async function checkLog(log, identity) {
  if (log === null) return null;
  const checkpoint = await readCheckpoint(log.checkpoint, 'log');
  const { size, root } = checkpoint;
  need(size === log.size, 'log', `the checkpoint counts ${size} identities, but the bundle says ${log.size}`);
  const reached = await rootByInclusion({ size, index: log.index, leaf: await leafHash(fromHex(identity)) }, log.path);
  need(reached === root, 'log', `the identity is not entry ${log.index} under the checkpoint`);
  return { ...checkpoint, index: log.index, keys: log.keys };
}

async function checkSignatures(log, trusted) {
  const listed = [];
  for (const line of log?.keys ?? []) listed.push(await readKey(line));
  const isTrusted = (key) => trusted?.some(({ vkey }) => vkey === key.vkey) ?? false;
  const known = [...(trusted ?? []), ...listed.filter((key) => !isTrusted(key))];
  const signers = await signersOf(log, known, 'signature');
  const trustedSigners = trusted && signers.by.filter(isTrusted);
  need(trustedSigners?.length !== 0, 'signature', 'of the checkpoint: none of the trusted keys has signed');
  return { known, ...signers, trusted: trustedSigners };
}

async function checkConsistency(consistency, { known, kept, log }) {
  const check = 'consistency';
  if (kept === null && consistency === undefined) return null;
  need(log !== null, check, 'the bundle has no checkpoint that could go on from another');
  const over = `the kept checkpoint over ${kept?.size}`;
  const ask = `ask for it with since=${kept?.size}`;
  if (kept !== null) {
    need(kept.origin === log.origin, check, `${over} is of another log: of "${kept.origin}", not of "${log.origin}"`);
    const shorter = `the log is shorter than the one that was kept (${log.size} < ${kept.size})`;
    need(kept.size <= log.size, check, `${shorter}: it was rolled back, or the bundle is older; ask for a new one`);
    const histories = `two histories: ${over} has another root than the bundle's log of the same size`;
    need(kept.size < log.size || kept.root === log.root, check, histories);
    const isProven = consistency !== undefined || kept.size === log.size;
    need(isProven, check, `the bundle does not prove that the log goes on from ${over}: ${ask}`);
    if (consistency === undefined) return { from: kept.size, by: [], isKept: true };
  }
  const { from, to, path } = consistency;
  need(to === log.size, check, `the path leads to ${to} identities, but the checkpoint counts ${log.size}`);
  const earlier = await readCheckpoint(consistency.checkpoint, check);
  need(earlier.size === from, check, `the earlier checkpoint counts ${earlier.size} identities, not ${from}`);
  const { by } = await signersOf(earlier, known, check);
  const holds = await isConsistentPath(earlier, log, path);
  need(holds, check, `the log does not go on from its checkpoint over ${from} identities`);
  const { size, root } = kept ?? earlier;
  need(size === from, check, `the bundle goes on from a checkpoint over ${from}, not from ${over}: ${ask}`);
  need(root === earlier.root, check, `two histories: ${over} has another root than the bundle's earlier checkpoint`);
  return { from, by, isKept: kept !== null };
}

/** C2SP tlog-checkpoint: a signed note, or its text alone where nothing signs. */
export async function readCheckpoint(content, check) {
  const { text, signatures } = content.includes('\n\n') ? readNote(content, check) : { text: content, signatures: [] };
  const lines = text.split('\n');
  const isWhole = lines.pop() === '' && lines.length >= 3 && !lines.includes('');
  need(isWhole, check, 'a checkpoint is not three lines or more, none of them empty');
  const [origin, digits, base64] = lines;
  const [size, root] = [/^(?:0|[1-9][0-9]*)$/.test(digits) ? Number(digits) : null, fromBase64(base64)];
  need(isName(origin), check, 'the name of the log in a checkpoint is not a text without white space and +');
  need(Number.isSafeInteger(size), check, 'the size of a checkpoint is not a whole number');
  need(root?.length === 32, check, 'the root of a checkpoint is not the base64 of 32 bytes');
  return { origin, size, root: hex(root), text, signatures };
}

const isName = (name) => name !== '' && !/[\p{White_Space}\p{Cc}\p{Surrogate}+]/u.test(name);
/** C2SP signed-note: a text, an empty line, and a line for each signature. */
export function readNote(note, check) {
  need(!/[\u0000-\u0009\u000b-\u001f]/.test(note), check, 'a checkpoint has a control character');
  const split = note.lastIndexOf('\n\n');
  const lines = note.slice(split + 2).split('\n');
  const isSigned = lines.pop() === '' && lines.length > 0 && lines.length <= 64;
  need(isSigned, check, 'a checkpoint does not end in 1 to 64 lines of signatures');
  const signatures = lines.map((line) => {
    const [, name = '', base64 = ''] = /^— ([^ ]*) (.*)$/.exec(line) ?? [];
    const bytes = fromBase64(base64);
    need(isName(name) && bytes?.length > 4, check, 'a line of a signature is not a dash, a name and base64');
    return { name, id: hex(bytes.subarray(0, 4)), signature: bytes.subarray(4) };
  });
  return { text: note.slice(0, split + 1), signatures };
}

/** A public key as C2SP writes it: name, id, and base64 of the type (1 for Ed25519) and the key. */
export async function readKey(line) {
  const [, name = '', id = '', material = ''] = /^([^+]*)\+([0-9a-fA-F]{8})\+(.*)$/s.exec(line) ?? [];
  const typed = fromBase64(material);
  const isKey = isName(name) && typed?.length === 33 && typed[0] === 1;
  need(isKey, 'signature', `${JSON.stringify(line)} is not a public key of Ed25519`);
  const found = hex(await sha256(join(utf8.encode(`${name}\n`), typed))).slice(0, 8);
  need(found === id.toLowerCase(), 'signature', `the public key of "${name}" states the id ${id}, expected ${found}`);
  return { name, id: found, vkey: `${name}+${found}+${material}`, bytes: typed.subarray(1) };
}

/** The signers of a checkpoint: `by` known keys, whose signatures must hold, and `others`, which prove nothing. */
export async function signersOf(checkpoint, known, check) {
  const [by, others] = [new Set(), []];
  for (const { name, id, signature } of checkpoint?.signatures ?? []) {
    const key = known.find((one) => one.name === name && one.id === id);
    const message = utf8.encode(checkpoint.text);
    const holds = !key || (signature.length === 64 && (await isSignature(key.bytes, signature, message)));
    need(holds, check, `the signature by ${keyNames([{ name, id }])} does not hold`);
    if (key) by.add(key);
    else others.push({ name, id });
  }
  return { by: [...by], others };
}

// --- Merkle trees of RFC 6962 and RFC 9162; a path that no such tree has gives null ---
const leafHash = (data) => sha256(join(Uint8Array.of(0), typeof data === 'string' ? utf8.encode(data) : data));
const nodeHash = (left, right) => sha256(join(Uint8Array.of(1), left, right));

/** The largest power of two below `size`. */
function leftSize(size) {
  let left = 1;
  while (left * 2 < size) left *= 2;
  return left;
}

/** RFC 9162, section 2.1.3: the last hash of the path is that of the other half of the tree. */
export async function rootByInclusion({ size, index, leaf }, path) {
  if (index >= size || (size === 1 ? path.length > 0 : path.length === 0)) return null;
  if (size === 1) return hex(leaf);
  const [left, node, rest] = [leftSize(size), fromHex(path.at(-1)), path.slice(0, -1)];
  const isLeft = index < left;
  const half = isLeft ? { size: left, index, leaf } : { size: size - left, index: index - left, leaf };
  const below = await rootByInclusion(half, rest);
  return below && hex(await (isLeft ? nodeHash(fromHex(below), node) : nodeHash(node, fromHex(below))));
}

/** The root over neighbouring leaves from `first` on, and over the roots of what is before and after them, from left to right. */
export async function rootByRange({ size, first, leaves }, path) {
  const end = first + leaves.length;
  if (size === 0) return end === 0 && path.length === 0 ? hex(await sha256(new Uint8Array())) : null;
  if (leaves.length === 0 || end > size) return null;
  const nodes = path.map(fromHex).values();
  const rootOf = async (start, stop) => {
    if (stop <= first || start >= end) return nodes.next().value ?? null;
    if (stop - start === 1) return leaves[start - first];
    const middle = start + leftSize(stop - start);
    const left = await rootOf(start, middle);
    const right = left && (await rootOf(middle, stop));
    return left && right && nodeHash(left, right);
  };
  const root = await rootOf(0, size);
  return root && nodes.next().done ? hex(root) : null;
}

/** RFC 9162, section 2.1.4: whether the path gives both roots. It lacks that of an earlier tree which is a complete subtree. */
async function isConsistentPath(from, to, path) {
  if (from.size < 1 || from.size > to.size) return false;
  const climb = async (size, of, nodes) => {
    if (size === of) return nodes.length === 1 ? [nodes[0], nodes[0]] : null;
    if (nodes.length < 2) return null;
    const [node, rest, left] = [nodes.at(-1), nodes.slice(0, -1), leftSize(of)];
    const below = await (size > left ? climb(size - left, of - left, rest) : climb(size, left, rest));
    const [old, fresh] = below ?? [];
    if (size <= left) return below && [old, await nodeHash(fresh, node)];
    return below && [await nodeHash(node, old), await nodeHash(node, fresh)];
  };
  const isComplete = from.size === to.size || leftSize(from.size * 2) === from.size;
  const roots = await climb(from.size, to.size, [...(isComplete ? [from.root] : []), ...path].map(fromHex));
  return roots !== null && hex(roots[0]) === from.root && hex(roots[1]) === to.root;
}

// --- Bytes ---
let subtle = globalThis.crypto?.subtle;
// Node 18 has no global crypto.
if (subtle === undefined && typeof process !== 'undefined') subtle = (await import('node:crypto')).webcrypto.subtle;
/** False in a page that came neither over https nor from this machine: it has no WebCrypto. */
export const canVerify = subtle !== undefined;
const sha256 = async (bytes) => new Uint8Array(await subtle.digest('SHA-256', bytes));
const join = (...parts) => Uint8Array.from(parts.flatMap((part) => [...part]));
const hex = (bytes) => Array.from(bytes, (byte) => byte.toString(16).padStart(2, '0')).join('');
const fromHex = (digits) => Uint8Array.from(digits.match(/../g) ?? [], (pair) => Number.parseInt(pair, 16));

async function isSignature(publicKey, signature, message) {
  const key = await subtle.importKey('raw', publicKey, { name: 'Ed25519' }, false, ['verify']).catch((error) => {
    if (error?.name !== 'NotSupportedError') return null;
    throw new Failure('signature', 'this browser cannot check Ed25519 signatures; Node can: node verify.mjs');
  });
  return key !== null && subtle.verify({ name: 'Ed25519' }, key, signature, message);
}

/** Bytes of standard base64 with its padding; null for any other text. */
function fromBase64(base64) {
  if (!/^(?:[A-Za-z0-9+/]{4})*(?:[A-Za-z0-9+/]{2}==|[A-Za-z0-9+/]{3}=)?$/.test(base64) || base64 === '') return null;
  const bytes = Uint8Array.from(atob(base64), (character) => character.charCodeAt(0));
  return btoa(String.fromCharCode(...bytes)) === base64 ? bytes : null;
}

// --- Report ---
const NO_ORIGIN =
  'nothing here proves where it comes from; one of these would: a key that you trust (--keys), ' +
  'the identity (--identity), or a kept checkpoint that counts its entry (--checkpoint)';
const NOT_PROVEN = `not proven: that this is the newest snapshot, or the one that is served
not proven: that the trial has no further links
not proven: that a registry sent these records, or when the snapshot was published
not proven: prose and long lists themselves: a row has their SHA-256, against which a text can be held`.split('\n');

/** The result of `verifyBundle` as lines for people. */
export function report({ ok, check, message, proven }) {
  if (!ok) return ['NOT PROVEN', `check "${check}" failed: ${message}`].map(withoutHidden);
  const { statement, trial, registrations, links, omitted } = proven;
  const title = typeof trial.title === 'string' ? `: ${JSON.stringify(trial.title)}` : '';
  const link = (row) => `${row.from_id} to ${row.to_id}, ${row.verdict} by the rule "${row.rule}"`;
  const lines = [
    ...(proven.isOriginProven ? ['PROVEN'] : ['CONSISTENT IN ITSELF, origin not proven', NO_ORIGIN]),
    `snapshot ${proven.identity}, as of ${statement.asOf}`,
    statement.corpus === 'sample' && '  a synthetic sample: no record of it is a real trial',
    `held the trial "${trial.canonical_id}"${title}`,
    ...registrations.map((row) => `  registration ${row.id} (${row.registry}), payload SHA-256 ${row.payload_sha256}`),
    ...links.map((row) => `  link "${row.link_id}": ${link(row)}`),
    omitted > 0 && `  the bundle says, and does not prove, that it leaves out ${omitted} more links`,
    !isJoined(proven) && `  ${UNJOINED}`,
    ...parentLines(proven),
    ...logLines(proven),
    proven.isAnswer && 'the file is an answer of the service: its other members, such as _meta, were not looked at',
    ...NOT_PROVEN,
  ];
  return lines.filter((line) => line !== false).map(withoutHidden);
}

/** The parent that the statement names, and what the bundle proves of it. */
function parentLines({ statement: { bound, storedChanges }, changed }) {
  const { parent } = bound;
  if (parent === null) return ['the statement names no parent'];
  const ofTrial = changed?.length === 0 ? 'none of them is of this trial' : 'of this trial are these and no other:';
  const since = `the root ${storedChanges?.root} of the changes since; ${changed ? ofTrial : 'these are not in the bundle'}`;
  return [
    `the statement names the parent ${parent}, and ${storedChanges === null ? 'no stored changes' : since}`,
    ...(changed ?? []).map((change) => `  ${changeLine(change)}`),
    changed !== null && 'not proven: that the table of changes is in its order, and has no more of this trial',
  ];
}

const changeLine = ({ kind, registration_id, item, field }) =>
  [kind, registration_id, item && quoted(item), field && quoted(field)].filter((word) => word !== null).join(' ');
/** Text of the bundle in quotation marks, cut where it is long. */
const quoted = (value) => JSON.stringify(value.length > 80 ? `${value.slice(0, 80)}…` : value);
const keyNames = (keys) => keys.map(({ name, id }) => `"${name}+${id}"`).join(', ');
function logLines({ log, signed: { by, others, trusted }, consistency }) {
  if (log === null) return ['not in the log of publications: nobody vouches for this snapshot by it'];
  const signers = consistency?.by.length ? `, signed by ${keyNames(consistency.by)}` : '';
  const start = `${consistency?.isKept ? 'the checkpoint that you kept' : 'its checkpoint'} over ${consistency?.from}`;
  return [
    `entry ${log.index} of the log "${log.origin}", whose checkpoint counts ${log.size}`,
    trusted !== null && `signed by ${keyNames(trusted)}, which you trust`,
    trusted === null && by.length > 0 && `signed by ${keyNames(by)}; compare the key with one from elsewhere (--keys)`,
    others.length > 0 && `has a signature by ${keyNames(others)}, whose key is not given: nothing follows from it`,
    log.signatures.length === 0 && 'unsigned: this notices accidents, and says nothing about who wrote it',
    consistency !== null && `the log of ${log.size} goes on from ${start}${signers}`,
  ];
}

/** Writes out characters that hide or turn text: the bundle may be hostile. */
function withoutHidden(line) {
  return line.replace(/[\p{Cc}\p{Cf}\u2028\u2029]/gu, (character) => `\\u{${character.codePointAt(0).toString(16)}}`);
}

/** Lines of a file of public keys; lines that are empty or begin with # are comments. */
export function keyLines(content) {
  const lines = content.split('\n').map((line) => line.trim());
  return lines.filter((line) => !/^(?:#|$)/.test(line));
}

// --- Command line ---
const USAGE = `usage: node verify.mjs bundle.json [--keys FILE] [--identity HEX] [--checkpoint FILE] [--require-origin]
                       [--require-links]
  --keys FILE        public keys that you trust, one a line: one of them must have signed
  --identity HEX     the identity that the snapshot must have
  --checkpoint FILE  a checkpoint that you kept: the log must go on from it
  --require-origin   fail unless one of the three proves where the bundle comes from
  --require-links    fail unless accepted links of the bundle join all registrations of the trial
  --help             print this
Exit code 0: every check holds. 1: a check failed. 2: wrong usage, or a file that cannot be read.`;
const [VALUE, FLAG] = [{ type: 'string' }, { type: 'boolean' }];
const SWITCHES = { 'require-origin': FLAG, 'require-links': FLAG, help: FLAG };
const OPTIONS = { keys: VALUE, identity: VALUE, checkpoint: VALUE, ...SWITCHES };

async function main(args, { readFileSync }) {
  const { parseArgs } = await import('node:util');
  try {
    const { values, positionals } = parseArgs({ args, options: OPTIONS, allowPositionals: true });
    if (values.help) return console.log(USAGE) ?? 0;
    if (positionals.length !== 1) throw new Misuse('bundle', 'name one file');
    const read = (name) => (name === undefined ? undefined : readFileSync(name, 'utf8'));
    const [keyFile, checkpoint] = [read(values.keys), read(values.checkpoint)];
    const keys = keyFile === undefined ? undefined : keyLines(keyFile);
    if (keys?.length === 0) throw new Misuse('keys', `${values.keys} holds no key, expected one a line`);
    const [requireOrigin, requireLinks] = [values['require-origin'], values['require-links']];
    const wanted = { keys, identity: values.identity?.toLowerCase(), checkpoint, requireOrigin, requireLinks };
    const result = await verifyBundle(readFileSync(positionals[0]), wanted);
    console.log(report(result).join('\n'));
    return result.ok ? 0 : 1;
  } catch (error) {
    // An unknown option and a file that cannot be read have a code, and a message that names them.
    if (!(error instanceof Misuse) && error.code === undefined) throw error;
    const option = error.what === 'bundle' ? 'the bundle: ' : `--${error.what}: `;
    console.error(`${withoutHidden(`${error.what ? option : ''}${error.message}`)}\n${USAGE}`);
    return 2;
  }
}

if (typeof process !== 'undefined' && process.argv?.[1] !== undefined) {
  const [fs, { pathToFileURL }] = [await import('node:fs'), await import('node:url')];
  const file = process.argv[1];
  const isMain = fs.existsSync(file) && pathToFileURL(fs.realpathSync(file)).href === import.meta.url;
  if (isMain) process.exitCode = await main(process.argv.slice(2), fs);
}
