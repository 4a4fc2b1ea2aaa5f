#!/usr/bin/env node
// Checks a proof bundle of a trial (docs/proofs.md of the trial board), with nothing but this file: no network, no package.
//
//   node verify.mjs bundle.json [--keys FILE] [--identity HEX] [--checkpoint FILE] [--require-origin] [--require-links]
//
// `--help` says what each option is. Exit code 0: every check holds. 1: a check failed, and is named. 2: wrong usage, or a file that
// cannot be read. What comes from the bundle and can hold words is printed in quotation marks: only the rest is said by this program.
// Runs in Node from 18 on and in a browser, where `verifyBundle` is imported.

const HASH = /^[0-9a-f]{64}$/;
const FORMAT = 'trial-board-proof/1';
const STATEMENT_FORMAT = 'trial-board-snapshot/3';
const TABLES = ['trials', 'registrations', 'links'];
const ED25519 = 1;
const MAX_SIGNATURES = 64;
/** A bundle has at most 64 KiB without blanks; a file of one has room for blanks and for what an answer has beside it. */
export const MAX_FILE_BYTES = 262_144;
const REGISTRIES = [
  { registry: 'clinicaltrials_gov', column: 'ctgov_id', form: /^NCT[0-9]{8}$/ },
  { registry: 'isrctn', column: 'isrctn_id', form: /^ISRCTN[0-9]{8}$/ },
];
/** Columns of long lists, which a row has as the SHA-256 of their JSON. */
const LISTS = [
  'arms',
  'intervention_descriptions',
  'other_outcomes',
  'primary_outcomes',
  'secondary_outcomes',
  'sites',
];
/** Characters of a value that are printed. */
const SHOWN_CHARACTERS = 64;
const CANONICAL_ID = /^wt_[0-9a-z]{12,}$/;
const DATE = /^[0-9]{4}-(?:0[1-9]|1[0-2])-(?:0[1-9]|[12][0-9]|3[01])$/;
const utf8 = new TextEncoder();

/** A check that failed; `check` is its name in docs/proofs.md. */
class Failure extends Error {
  constructor(check, message) {
    super(message);
    this.check = check;
  }
}

/** What the caller gave is not of its form; `option` names it. It says nothing about the bundle. */
export class Misuse extends Error {
  constructor(option, message) {
    super(message);
    this.option = option;
  }
}

function expect(holds, check, message) {
  if (!holds) throw new Failure(check, message);
}

/**
 * Checks the bundle in `content`. `keys` are public keys that are trusted, `identity` and `checkpoint` what the bundle must agree with;
 * each may be left out, and with `requireOrigin` one of them must prove where the bundle comes from. With `requireLinks` accepted links of
 * the bundle must join all registrations of the trial. Resolves to what was proven, or to the first check that failed. Throws Misuse where
 * an option is not of its form.
 *
 * @param {string | Uint8Array} content
 * @param {{ keys?: string[] | null, identity?: string | null, checkpoint?: string | null, requireOrigin?: boolean,
 *   requireLinks?: boolean }} wanted
 */
export async function verifyBundle(content, wanted = {}) {
  if (!canVerify) throw new Error('there is no WebCrypto here: a page must come over https, or from this machine');
  const { identity, trusted, kept } = await readWanted(wanted);
  try {
    const { bundle, isAnswer } = readBundle(content);
    const statement = readStatement(bundle.statement);
    const found = hex(await sha256(utf8.encode(bundle.statement)));
    expect(identity === null || identity === found, 'identity', `the snapshot is ${found}, not ${identity}`);
    checkTables(bundle.tables, statement.tables);
    const rows = await checkRows(bundle.tables);
    checkOmitted(bundle.tables.links);
    const trial = checkTrial(rows);
    expect(wanted.requireLinks !== true || isJoined(trial), 'links', UNJOINED);
    const changed = await checkChanges(bundle.changes, statement.changes, trial);
    const before = await checkParent(bundle.parent, statement.parent, trial.trial);
    if (changed !== null && before !== null) await checkDifferences(changed, trial, before);
    const log = await checkLog(bundle, fromHex(found));
    const signed = await checkSignatures(bundle.log, trusted);
    const consistency = await checkConsistency(bundle, signed.known, kept, log);
    // Anybody can go on from a checkpoint, so one that was kept vouches only for the entries that it counts.
    const isKept = kept !== null && log.index < kept.size;
    const isOriginProven = identity !== null || trusted !== null || isKept;
    expect(isOriginProven || wanted.requireOrigin !== true, 'origin', `the bundle agrees with itself, but ${ORIGIN}`);
    const { corpus, asOf, parent, changes } = statement;
    const omitted = bundle.tables.links.omitted ?? 0;
    const since = { parent, changes, changed, before };
    const read = { identity: found, corpus, asOf, ...since, ...trial, omitted, log, signed, consistency };
    return { ok: true, proven: { ...read, isOriginProven, isAnswer } };
  } catch (error) {
    if (error instanceof Failure) return { ok: false, check: error.check, message: error.message };
    throw error;
  }
}

/** What the caller knows from elsewhere. */
async function readWanted({ keys = null, identity = null, checkpoint = null }) {
  const reading = async (option, read) => {
    try {
      return await read();
    } catch (error) {
      throw error instanceof Failure ? new Misuse(option, error.message) : error;
    }
  };
  if (identity !== null && !isHash(identity)) throw new Misuse('identity', 'it is not 64 hex digits');
  const trusted = await reading('keys', async () => (keys === null ? null : await Promise.all(keys.map(readKey))));
  const kept = await reading('checkpoint', async () =>
    checkpoint === null ? null : readCheckpoint(textOf(checkpoint, 'checkpoint').text, 'checkpoint'),
  );
  return { identity, trusted, kept };
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

const isChanges = (value) =>
  hasForm(value, {
    size: isCount,
    first: isCount,
    rows: (rows) => Array.isArray(rows) && rows.every(isText),
    path: isPath,
  });
const isParent = (value) => hasForm(value, { statement: isText, tables: isTables });
const MAY = { changes: isChanges, parent: isParent, consistency: isConsistency };

/**
 * Whether an object in a text of JSON has a member twice: of these JSON.parse drops all but the last, so that two readers could see two
 * bundles in one file.
 */
function hasDoubledMember(text) {
  const open = [];
  for (const [token, name, colon] of text.matchAll(/("[^"\\]*(?:\\.[^"\\]*)*")[ \t\n\r]*(:)?|[{}[\]]/g)) {
    if (token === '{' || token === '[') open.push(new Set());
    else if (token === '}' || token === ']') open.pop();
    else if (colon !== undefined) {
      const members = open.at(-1);
      const read = JSON.parse(name);
      if (members.has(read)) return true;
      members.add(read);
    }
  }
  return false;
}

/** The bundle, from a file of its own or from an answer of the service, which holds it as `data`. */
function readBundle(content) {
  const { length } = typeof content === 'string' ? utf8.encode(content) : content;
  expect(length <= MAX_FILE_BYTES, 'form', `a file of a bundle has at most ${MAX_FILE_BYTES} bytes, and this has more`);
  let value;
  let isDoubled;
  try {
    const text =
      typeof content === 'string'
        ? content
        : new TextDecoder('utf-8', { fatal: true, ignoreBOM: true }).decode(content);
    value = JSON.parse(text);
    isDoubled = hasDoubledMember(text);
  } catch {
    throw new Failure(
      'form',
      `the bundle is not JSON in UTF-8: ${content.length === 0 ? 'it is empty' : 'it was cut, or it is another file'}`,
    );
  }
  expect(!isDoubled, 'form', 'an object of the bundle has a member twice');
  const isAnswer = isObject(value) && Object.hasOwn(value, 'data') && Object.hasOwn(value, '_meta');
  if (isAnswer) value = value.data;
  const refusal = isObject(value) && isObject(value.error) ? value.error.message : undefined;
  expect(
    refusal === undefined,
    'form',
    `the file is a refusal of the service and no proof: ${JSON.stringify(refusal)}`,
  );
  expect(isObject(value) && value.format === FORMAT, 'form', `the bundle is not of the format ${FORMAT}`);
  const must = { format: isText, statement: isText, tables: isTables, log: isLog };
  const given = { ...must, ...Object.fromEntries(Object.entries(MAY).filter(([name]) => Object.hasOwn(value, name))) };
  const wrong = Object.entries(given).find(([name, holds]) => !Object.hasOwn(value, name) || !holds(value[name]));
  expect(wrong === undefined, 'form', `${wrong?.[0]} does not have the members and values that the format asks for`);
  expect(hasForm(value, must, MAY), 'form', 'the bundle has a further member');
  return { bundle: value, isAnswer };
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
  const { tables, corpus, asOf } = statement;
  expect(typeof asOf === 'string' && DATE.test(asOf), 'statement', 'asOf of the statement is not a date YYYY-MM-DD');
  expect(
    corpus === 'registries' || corpus === 'sample',
    'statement',
    'corpus of the statement is neither registries nor sample',
  );
  for (const name of ['parent', 'changes'])
    expect(
      Object.hasOwn(statement, name) && (statement[name] === null || isHash(statement[name])),
      'statement',
      `${name} of the statement is neither 64 hex digits nor null`,
    );
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

/** For rows that were checked, so that each is counted once. */
function checkOmitted({ size, rows, omitted = 0 }) {
  expect(
    omitted <= size - rows.length,
    'tables',
    `links has ${size} rows, but the bundle has ${rows.length} and says that it leaves out ${omitted}`,
  );
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

const REGISTRY = /^(?:clinicaltrials_gov|isrctn)$/;
const REGISTRATION_ID = /^(?:NCT|ISRCTN)[0-9]{8}$/;
/** Members of a link that are printed, each by its form. */
const LINK = {
  link_id: /^ln_[0-9a-z]{12,}$/,
  from_registry: REGISTRY,
  from_id: REGISTRATION_ID,
  to_registry: REGISTRY,
  to_id: REGISTRATION_ID,
  kind: /^(?:explicit-cross-reference|shared-identifier)$/,
  verdict: /^(?:accepted|rejected)$/,
  rule: /^[a-z0-9]+(?:-[a-z0-9]+)*$/,
};
const hasText = (row, name, form) => Object.hasOwn(row, name) && typeof row[name] === 'string' && form.test(row[name]);

/** That the rows are those of one trial: all registrations that its row names and no other, and links of these. */
function checkTrial({ trials, registrations, links }) {
  expect(trials.length === 1, 'trial', `the bundle has ${trials.length} rows of trials, expected one`);
  const [trial] = trials;
  expect(hasText(trial, 'canonical_id', CANONICAL_ID), 'trial', 'the row of the trial has no canonical_id of its form');
  const named = [];
  for (const { registry, column, form } of REGISTRIES) {
    const isNull = Object.hasOwn(trial, column) && trial[column] === null;
    expect(isNull || hasText(trial, column, form), 'trial', `${column} of the trial is neither such an id nor null`);
    if (!isNull) named.push({ registry, id: trial[column] });
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
    for (const [name, form] of Object.entries(LINK))
      expect(hasText(row, name, form), 'trial', `${name} of a link is not of its form`);
    const ends = [
      { registry: row.from_registry, id: row.from_id },
      { registry: row.to_registry, id: row.to_id },
    ];
    expect(
      ends.some((end) => named.some((one) => isOf(end, one))),
      'trial',
      `the link "${row.link_id}" is of no registration of the trial`,
    );
  }
  return { trial, registrations, links };
}

const UNJOINED =
  'no accepted link of the bundle joins the registrations: that they are one trial stands in its row alone';

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

const CHANGE_KIND =
  /^(?:trial|registration|link|identifier|publication)-(?:added|changed|removed|merged|split|gained|lost)$/;
/** Kinds of changes that name one column of a row that both snapshots have. */
const COLUMN_CHANGES = ['trial-changed', 'registration-changed'];
const ownOf = (value, name) => (isObject(value) && Object.hasOwn(value, name) ? value[name] : undefined);

/**
 * The changes of the trial: the rows lie side by side under the root, and are all of the trial but one before and one after them, which may
 * be missing where the table begins or ends.
 */
async function checkChanges(changes, root, { trial, registrations }) {
  if (changes === undefined) return null;
  const { size, first, rows, path } = changes;
  expect(root !== null, 'changes', 'the statement names no changes');
  const read = rows.map((row) => canonicalObject(row));
  expect(!read.includes(null), 'changes', 'a change is not an object in the canonical form of RFC 8785');
  const leaves = await Promise.all(rows.map((row) => leafHash(utf8.encode(row))));
  const reached = await rootByRange({ size, first, leaves }, path);
  expect(reached !== null && hex(reached) === root, 'changes', `the changes are not under the root ${root}`);
  const id = trial.canonical_id;
  const isId = (value) => typeof value === 'string' && CANONICAL_ID.test(value);
  const idOf = (row) => (row === undefined ? undefined : ownOf(row, 'canonical_id'));
  const [before, after] = [idOf(read[0]), idOf(read.at(-1))];
  const hasBefore = isId(before) && before < id;
  const hasAfter = after === null || (isId(after) && after > id);
  expect(hasBefore || first === 0, 'changes', 'no row of an earlier trial is before the changes: some may be left out');
  const isWhole = hasAfter || first + rows.length === size;
  expect(isWhole, 'changes', 'no row of a later trial is after the changes: some may be left out');
  const own = read.slice(hasBefore ? 1 : 0, hasAfter ? -1 : undefined);
  for (const change of own) await checkChange(change, id, { trial, registrations });
  return own;
}

/** That a change is of the trial and of its form, and that the new value which it names is that of the row. */
async function checkChange(change, id, rows) {
  const isNull = (name) => ownOf(change, name) === null;
  const isKnown =
    ownOf(change, 'canonical_id') === id &&
    hasText(change, 'kind', CHANGE_KIND) &&
    (isNull('registration_id') || hasText(change, 'registration_id', REGISTRATION_ID)) &&
    ['item', 'field'].every((name) => isNull(name) || isText(ownOf(change, name))) &&
    ['old_sha256', 'new_sha256'].every((name) => isNull(name) || isHash(ownOf(change, name)));
  expect(isKnown, 'changes', 'a change is of another trial, or not of its form');
  const { kind, field, registration_id, new_sha256 } = change;
  expect(
    kind.startsWith('registration-') === !isNull('registration_id') || !/^(?:trial|registration)-/.test(kind),
    'changes',
    `a change of the kind ${kind} names ${isNull('registration_id') ? 'no' : 'a'} registration`,
  );
  if (!COLUMN_CHANGES.includes(kind)) return;
  expect(field !== null, 'changes', `a change of the kind ${kind} names no column`);
  const row = rowOf(rows, registration_id);
  const sum = row === undefined ? null : await sumIn(row, field);
  const what = `${registration_id ?? 'the trial'}, ${quoted(field)}`;
  expect(sum === null || sum === new_sha256, 'changes', `the row has another value than the change of ${what}`);
}

/** The row of a registration, or of the trial where none is named. */
const rowOf = ({ trial, registrations }, id) => (id === null ? trial : registrations.find((row) => row.id === id));

/** Value of a column, or of a member of origins; null where the row lacks it, as one of before the column was added. */
function valueIn(row, field) {
  const [, member] = /^origins\.(.*)$/s.exec(field) ?? [];
  return (member === undefined ? ownOf(row, field) : ownOf(ownOf(row, 'origins'), member)) ?? null;
}

/** SHA-256 of the JSON of a column's value; null where it is prose: a row has another sum of that. */
async function sumIn(row, field) {
  const digest = ownOf(row, `${field}_sha256`) ?? null;
  if (digest !== null) return LISTS.includes(field) ? digest : null;
  return hex(await sha256(utf8.encode(canonical(valueIn(row, field)))));
}

/** The trial in the snapshot that the statement names as parent. */
async function checkParent(parent, named, trial) {
  if (parent === undefined) return null;
  const found = hex(await sha256(utf8.encode(parent.statement)));
  expect(found === named, 'parent', `the statement names the parent ${named}, but the bundle has ${found}`);
  try {
    const { asOf, tables } = readStatement(parent.statement);
    checkTables(parent.tables, tables);
    const held = checkTrial(await checkRows(parent.tables));
    checkOmitted(parent.tables.links);
    expect(held.trial.canonical_id === trial.canonical_id, 'trial', `it has the trial "${held.trial.canonical_id}"`);
    return { asOf, ...held };
  } catch (error) {
    throw error instanceof Failure ? new Failure('parent', `of the parent: ${error.message}`) : error;
  }
}

/**
 * That the changes name each column in which the rows of the trial differ, and those of each registration that it had before and after,
 * with its old value, and no other column.
 */
async function checkDifferences(changes, now, before) {
  const both = now.registrations.map(({ id }) => id).filter((id) => rowOf(before, id) !== undefined);
  for (const id of [null, ...both]) {
    const [old, fresh] = [rowOf(before, id), rowOf(now, id)];
    const what = id ?? 'the trial';
    const [kind, prefix] = id === null ? ['trial-changed', 'trial-'] : ['registration-changed', 'registration-'];
    const named = changes.filter((change) => change.kind.startsWith(prefix) && change.registration_id === id);
    const columns = differing(old, fresh);
    const lacks = columns.find((column) => !named.some((change) => change.kind === kind && change.field === column));
    expect(lacks === undefined, 'differences', `no change names ${quoted(String(lacks))}, which differs in ${what}`);
    expect(named.length === columns.length, 'differences', `a change names what does not differ in ${what}`);
    for (const { field, old_sha256 } of named) {
      const sum = await sumIn(old, field);
      const isSame = sum === null || sum === old_sha256;
      expect(isSame, 'differences', `the parent has another value than the change of ${what}, ${quoted(field)}`);
    }
  }
}

/** Columns in which two rows of one key differ, as changes name them; the first days beside dates follow from these. */
function differing(old, fresh) {
  const isSame = (a, b) => canonical(a ?? null) === canonical(b ?? null);
  const members = Object.keys(fresh).filter(
    (name) => name !== 'origins' && !(name.endsWith('_day') && Object.hasOwn(fresh, name.replace(/_day$/, '_date'))),
  );
  const columns = members
    .filter((name) => !isSame(ownOf(old, name), fresh[name]))
    .map((name) => (name === 'payload_sha256' ? name : name.replace(/_sha256$/, '')));
  const [was, is] = [old, fresh].map((row) => ownOf(row, 'origins'));
  // Between programs that merge other columns, origins are not compared.
  if (!isObject(was) || !isObject(is) || !isSame(Object.keys(was).sort(), Object.keys(is).sort())) return columns;
  const origins = Object.keys(is).filter((name) => !isSame(was[name], is[name]));
  return [...columns, ...origins.map((name) => `origins.${name}`)];
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

async function checkSignatures(log, trusted) {
  const listed = [];
  for (const line of log?.keys ?? []) listed.push(await readKey(line));
  const own = trusted ?? [];
  const known = [...own, ...listed.filter((key) => !own.some((one) => one.vkey === key.vkey))];
  const { by, others } = log === null ? { by: [], others: [] } : await signersOf(log.checkpoint, known, 'signature');
  const isTrusted = by.filter((key) => own.includes(key));
  const what = log === null ? 'the log does not hold the snapshot, so' : 'of the checkpoint:';
  expect(trusted === null || isTrusted.length > 0, 'signature', `${what} none of the trusted keys has signed`);
  return {
    known,
    by: by.map(words),
    others: others.map(words),
    trusted: trusted === null ? null : isTrusted.map(words),
  };
}

async function checkConsistency({ log: inBundle, consistency }, known, kept, log) {
  if (kept !== null) checkKept(kept, log);
  if (consistency === undefined) {
    if (kept === null) return null;
    expect(
      kept.size === log.size,
      'consistency',
      `the bundle does not prove that the log goes on from the checkpoint over ${kept.size}: ask for it with since=${kept.size}`,
    );
    return { from: kept.size, to: kept.size, by: [], kept: true };
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
  const { by } = await signersOf(checkpoint, known, 'consistency');
  const holds = await isConsistentPath({ size: from, root: earlier.root }, { size: to, root: log.root }, path);
  expect(holds, 'consistency', `the log does not go on from its checkpoint over ${from} identities`);
  expect(
    kept === null || kept.size === from,
    'consistency',
    `the checkpoint that was kept counts ${kept?.size} identities, but the bundle goes on from one over ${from}: ask for it with since=${kept?.size}`,
  );
  expect(
    kept === null || kept.root === earlier.root,
    'consistency',
    `two histories: the kept checkpoint over ${from} has another root than the bundle's earlier checkpoint of the same size`,
  );
  return { from, to, by: by.map(words), kept: kept !== null };
}

/** Name of a log that no key has signed yet. */
const UNSIGNED_ORIGIN = 'unsigned.invalid/trial-board';

/** That the log of the bundle can be the one that a kept checkpoint is of. */
function checkKept(kept, log) {
  expect(log !== null, 'consistency', 'the bundle has no checkpoint that could go on from the one that was kept');
  expect(
    kept.origin === log.origin,
    'consistency',
    `the kept checkpoint is of another log: of "${kept.origin}", and the bundle's of "${log.origin}"${kept.origin === UNSIGNED_ORIGIN ? '; a log takes a name when its first key signs it: keep one of its signed checkpoints instead' : ''}`,
  );
  expect(
    kept.size <= log.size,
    'consistency',
    `the log is shorter than the one that was kept (${log.size} < ${kept.size}): it was rolled back, or the bundle is older; ask for a new one`,
  );
  expect(
    kept.size < log.size || kept.root === log.root,
    'consistency',
    `two histories: the kept checkpoint over ${kept.size} has another root than the bundle's log of the same size`,
  );
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
  expect(isName(origin), check, 'the name of the log in a checkpoint is not a text without white space and +');
  expect(
    /^(?:0|[1-9][0-9]*)$/.test(size) && Number.isSafeInteger(Number(size)),
    check,
    'the size of a checkpoint is not a whole number',
  );
  expect(bytes?.length === 32, check, 'the root of a checkpoint is not the base64 of 32 bytes');
  return { origin, size: Number(size), root: hex(bytes) };
}

const words = ({ name, id }) => `"${name}+${id}"`;
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
    `the public key of "${name}" states the id ${id}, expected ${expected}`,
  );
  return { name, id: expected, vkey: `${name}+${expected}+${material}`, bytes: typed.subarray(1) };
}

/** Who signed a checkpoint: `by` known keys, whose signatures must hold, and `others`, from whose signatures nothing follows. */
async function signersOf(content, known, check) {
  if (!content.includes('\n\n')) return { by: [], others: [] };
  const { text, signatures } = readNote(content, check);
  const by = new Set();
  const others = [];
  for (const { name, id, signature } of signatures) {
    const key = known.find((one) => one.name === name && one.id === id);
    if (key === undefined) {
      others.push({ name, id });
      continue;
    }
    const holds = signature.length === 64 && (await isSignature(key.bytes, signature, utf8.encode(text)));
    expect(holds, check, `the signature by ${words({ name, id })} does not hold`);
    by.add(key);
  }
  return { by: [...by], others };
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

/** The largest power of two below `size`. */
function leftSize(size) {
  let left = 1;
  while (left * 2 < size) left *= 2;
  return left;
}

/**
 * The root over leaves that lie side by side from `first` on and the roots of what is before and after them, from left to right; null
 * for nodes that no such tree has. RFC 9162, section 2.1.1, with the rest of the tree in its nodes.
 */
async function rootByRange({ size, first, leaves }, path) {
  const end = first + leaves.length;
  if (size === 0) return end === 0 && path.length === 0 ? sha256(new Uint8Array()) : null;
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
  return nodes.next().done ? root : null;
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

const ORIGIN =
  'nothing here proves where it comes from; one of these would: a key that you trust (--keys), the identity (--identity), or a kept checkpoint that counts its entry (--checkpoint)';

/** What `verifyBundle` found, as lines for people. */
export function report(result) {
  if (!result.ok) return ['NOT PROVEN', `check "${result.check}" failed: ${result.message}`].map(shown);
  const { identity, corpus, asOf, trial, registrations, links, omitted } = result.proven;
  const { log, signed, consistency, isOriginProven, isAnswer } = result.proven;
  const lines = isOriginProven ? ['PROVEN'] : ['CONSISTENT IN ITSELF, origin not proven', ORIGIN];
  lines.push(`snapshot ${identity}, as of ${asOf}`);
  if (corpus === 'sample') lines.push('  a synthetic sample: no record of it is a real trial');
  const title = typeof trial.title === 'string' ? `: ${JSON.stringify(trial.title)}` : '';
  lines.push(`held the trial "${trial.canonical_id}"${title}`);
  for (const { registry, id, payload_sha256 } of registrations)
    lines.push(`  registration ${id} (${registry}), payload SHA-256 ${payload_sha256}`);
  for (const { from_id, to_id, verdict, rule, link_id } of links)
    lines.push(`  link "${link_id}": ${from_id} to ${to_id}, ${verdict} by the rule "${rule}"`);
  if (omitted > 0) lines.push(`  the bundle says, and does not prove, that it leaves out ${omitted} more links`);
  if (!isJoined(result.proven)) lines.push(`  ${UNJOINED}`);
  lines.push(...parentLines(result.proven));
  lines.push(...logLines(log, signed), ...consistencyLines(consistency));
  if (isAnswer)
    lines.push('the file is an answer of the service: what stands beside its data, such as _meta, was not looked at');
  lines.push(...NOT_PROVEN);
  return lines.map(shown);
}

/** What the statement says of the snapshot before, and what the bundle has of it. */
function parentLines(proven) {
  const { parent, changed, before } = proven;
  if (parent === null) return ['the statement names no parent'];
  const lines = [changesLine(proven)];
  for (const change of changed ?? []) lines.push(`  ${changeLine(change, proven)}`);
  if (before !== null) lines.push(`the parent, as of ${before.asOf}, held the trial too`);
  if (before !== null && changed !== null) {
    lines.push(
      changed.length === 0
        ? '  with equal rows'
        : '  these changes name each value in which its rows differ, and no other',
    );
    for (const id of registrationsOfOne(proven))
      lines.push(`  not compared: registration ${id}, which the trial had in one of both snapshots only`);
  }
  if (changed !== null) lines.push(ORDER);
  return lines;
}

function changesLine({ parent, changes, changed }) {
  if (changes === null) return `the statement names the parent ${parent}, and no stored changes`;
  const names = `the statement names the parent ${parent}, and the root ${changes} of the changes since`;
  if (changed === null) return `${names}; these are not in the bundle`;
  if (changed.length === 0) return `${names}; none of them is of this trial`;
  return `${names}; of this trial are these and no other:`;
}

const ORDER =
  'not proven: that the whole table of changes is in its order, without which more of this trial could stand elsewhere in it';

/** One change in words; values are those of the rows, where these have them. */
function changeLine({ kind, field, item, registration_id }, { before, ...now }) {
  const of = registration_id === null ? '' : ` ${registration_id}`;
  const what = [item, field].flatMap((name) => (name === null ? [] : [` ${quoted(name)}`])).join('');
  const values = COLUMN_CHANGES.includes(kind)
    ? valueWords(field, rowOf(now, registration_id), before && rowOf(before, registration_id))
    : '';
  return `${kind}${of}${what}${values}`;
}

function valueWords(field, fresh, old) {
  if (fresh === undefined || ownOf(fresh, `${field}_sha256`) !== undefined) return '';
  const word = (row) => {
    const value = valueIn(row, field);
    return value === null ? 'nothing' : quoted(typeof value === 'string' ? value : canonical(value));
  };
  return old === null || old === undefined ? `: now ${word(fresh)}` : `: from ${word(old)} to ${word(fresh)}`;
}

/** Words of a bundle in quotation marks, cut where they are long. */
function quoted(text) {
  const characters = [...text];
  const cut = characters.length > SHOWN_CHARACTERS;
  return `${JSON.stringify(characters.slice(0, SHOWN_CHARACTERS).join(''))}${cut ? '…' : ''}`;
}

function registrationsOfOne({ registrations, before }) {
  const [is, was] = [registrations, before.registrations].map((rows) => rows.map(({ id }) => id));
  return [...is.filter((id) => !was.includes(id)), ...was.filter((id) => !is.includes(id))].sort();
}

const NOT_PROVEN = [
  'not proven: that this is the newest snapshot, or the one that is served',
  'not proven: that the trial has no further links',
  'not proven: that a registry sent these records, or when the snapshot was published',
  'not proven: prose and long lists themselves: a row has their SHA-256, against which a text can be held',
];

function logLines(log, { by, others, trusted }) {
  if (log === null) return ['not in the log of publications: nobody vouches for this snapshot by it'];
  const lines = [`entry ${log.index} of the log "${log.origin}", whose checkpoint counts ${log.size}`];
  if (trusted !== null) lines.push(`signed by ${trusted.join(', ')}, which you trust`);
  else if (by.length > 0)
    lines.push(
      `signed by ${by.join(', ')}; the key came with the bundle: compare it with one that you have another way (--keys)`,
    );
  if (others.length > 0)
    lines.push(`has a signature by ${others.join(', ')}, whose key is not given: nothing follows from it`);
  if (!log.isSigned)
    lines.push('unsigned: this notices accidents and careless changes, and says nothing about who wrote it');
  return lines;
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

const USAGE = `usage: node verify.mjs bundle.json [--keys FILE] [--identity HEX] [--checkpoint FILE] [--require-origin] [--require-links]

  --keys FILE        public keys that you trust, one a line: one of them must have signed
  --identity HEX     the identity that the snapshot must have
  --checkpoint FILE  a checkpoint that you kept: the log must go on from it
  --require-origin   fail unless one of the three proves where the bundle comes from
  --require-links    fail unless accepted links of the bundle join all registrations of the trial
  --help             print this

Exit code 0: every check holds. 1: a check failed. 2: wrong usage, or a file that cannot be read.`;

async function main(args, { readFileSync }) {
  if (args.includes('--help')) {
    console.log(USAGE);
    return 0;
  }
  try {
    const { file, options } = readWords(args);
    const read = (what, path, encoding) => {
      try {
        return readFileSync(path, encoding);
      } catch (error) {
        throw new Misuse(what, error.message);
      }
    };
    const text = (option) => (options[option] === undefined ? null : read(option, options[option], 'utf8'));
    const keyFile = text('keys');
    const keys = keyFile === null ? null : keyLines(keyFile);
    if (keys?.length === 0) throw new Misuse('keys', `${options.keys} holds no key, expected one a line`);
    const result = await verifyBundle(read('bundle', file), {
      keys,
      identity: options.identity?.toLowerCase() ?? null,
      checkpoint: text('checkpoint'),
      requireOrigin: options['require-origin'] ?? false,
      requireLinks: options['require-links'] ?? false,
    });
    console.log(report(result).join('\n'));
    return result.ok ? 0 : 1;
  } catch (error) {
    if (!(error instanceof Misuse)) throw error;
    const option = error.option === 'bundle' ? 'the bundle' : `--${error.option}`;
    console.error(shown(`${option}: ${error.message}`));
    console.error(USAGE);
    return 2;
  }
}

/** Options without a value. */
const SWITCHES = ['require-origin', 'require-links'];

/** The bundle's file and the options of a command line. */
function readWords(args) {
  const options = {};
  const files = [];
  for (let at = 0; at < args.length; at += 1) {
    const word = args[at];
    const name = word.slice(2);
    if (!word.startsWith('--')) files.push(word);
    else if (!['keys', 'identity', 'checkpoint', ...SWITCHES].includes(name))
      throw new Misuse(name, 'there is no such option');
    else if (Object.hasOwn(options, name)) throw new Misuse(name, 'it was given twice');
    else if (SWITCHES.includes(name)) options[name] = true;
    else {
      at += 1;
      if (args[at] === undefined || args[at].startsWith('--')) throw new Misuse(name, 'it needs one value');
      options[name] = args[at];
    }
  }
  if (files.length !== 1) throw new Misuse('bundle', 'name one file');
  return { file: files[0], options };
}

if (typeof process !== 'undefined' && process.argv?.[1] !== undefined) {
  const fs = await import('node:fs');
  const { pathToFileURL } = await import('node:url');
  const isMain =
    fs.existsSync(process.argv[1]) && pathToFileURL(fs.realpathSync(process.argv[1])).href === import.meta.url;
  if (isMain) process.exitCode = await main(process.argv.slice(2), fs);
}
