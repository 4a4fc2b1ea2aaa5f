import { canonicalJson } from '../../contract/canonical-json.ts';
import type { ProofBundle } from '../../contract/schemas/trials/proof.ts';
import { PROVEN_TABLES, type ProvenTable } from '../../snapshot/format/versions/proof-trees.ts';
import { identityOf } from '../../snapshot/format/versions/statement.ts';
import { signNote } from '../../snapshot/proof/note.ts';
import type { Random } from '../../tools/generator/random.ts';
import { bend, type Damage, OTHER_FORMS, otherHash, rewritten, unlogged } from './bending.ts';
import { CHANGES, DIFFERENCES, PARENT } from './change-damages.ts';
import { type Proof, STRANGER, statementFor, tableOf } from './worlds.ts';

function someRow({ bundle }: Proof, random: Random) {
  return random.pick(PROVEN_TABLES.flatMap((table) => bundle.tables[table].rows));
}

const ROWS: readonly Damage[] = [
  (proof, random) => {
    bend(someRow(proof, random).path, random);
    return 'rows';
  },
  (proof, random) => {
    someRow(proof, random).index += random.pick([1, -1, 2 ** 32]);
    return null;
  },
  (proof, random) => {
    const row = someRow(proof, random);
    row.row = rewritten(row.row, random);
    return 'rows';
  },
  (proof, random) => {
    const row = someRow(proof, random);
    const other = random.pick(OTHER_FORMS)(row.row);
    if (other === row.row) return null;
    row.row = other;
    return 'rows';
  },
  ({ bundle }, random) => {
    const swappable = PROVEN_TABLES.filter((table) => bundle.tables[table].rows.length > 1);
    if (swappable.length === 0) return null;
    bundle.tables[random.pick(swappable)].rows.reverse();
    return 'rows';
  },
  (proof, random) => {
    const row = someRow(proof, random);
    row.row = random.pick(['[]', '"text"', 'null', '{', '', '{"a":"\\ud800"}', '{"a":1e400}', '{"a":-0}', '{"a":NaN}']);
    return 'rows';
  },
  ({ bundle }, random) => {
    const table = bundle.tables[random.pick(PROVEN_TABLES)];
    if (table.rows.length === 0) return null;
    table.rows.push(table.rows[0]!);
    return 'rows';
  },
];

const TRIAL: readonly Damage[] = [
  ({ bundle }, random) => {
    bundle.tables.registrations.rows.splice(random.below(bundle.tables.registrations.rows.length), 1);
    return 'trial';
  },
  ({ bundle, world }, random) => {
    const held = bundle.tables.registrations.rows.map(({ index }) => index);
    const others = world.rows.registrations.map((_, index) => index).filter((index) => !held.includes(index));
    if (others.length === 0) return null;
    // One more, or one instead of another.
    const kept = random.chance(0.5) ? held : held.slice(1);
    const indexes = [...kept, random.pick(others)].toSorted((a, b) => a - b);
    bundle.tables.registrations = tableOf(world, 'registrations', indexes);
    return 'trial';
  },
  ({ bundle, world }, random) => {
    const own = bundle.tables.links.rows.map(({ index }) => index);
    const ids = bundle.tables.registrations.rows.map(({ row }) => JSON.parse(row).id as string);
    const strange = world.rows.links.flatMap((row, index) => (ids.some((id) => row.includes(id)) ? [] : [index]));
    if (strange.length === 0) return null;
    const indexes = [...own, random.pick(strange)].toSorted((a, b) => a - b);
    bundle.tables.links = tableOf(world, 'links', indexes);
    return 'trial';
  },
  ({ bundle, world }, random) => {
    const { index } = bundle.tables.trials.rows[0]!;
    const others = world.trials.map((trial) => trial.index).filter((other) => other !== index);
    if (random.chance(0.3) || others.length === 0) bundle.tables.trials = tableOf(world, 'trials', []);
    else {
      const indexes = random.chance(0.5) ? [index, random.pick(others)] : [random.pick(others)];
      bundle.tables.trials = tableOf(
        world,
        'trials',
        indexes.toSorted((a, b) => a - b),
      );
    }
    return 'trial';
  },
];

const SNAPSHOT: readonly Damage[] = [
  ({ bundle }, random) => {
    const table = bundle.tables[random.pick(PROVEN_TABLES)];
    if (random.chance(0.5)) table.root = otherHash(table.root, random);
    else table.size += random.pick([1, 2, 256]);
    return 'tables';
  },
  ({ bundle, wanted }, random) => {
    const statement = JSON.parse(bundle.statement) as Record<string, unknown>;
    bundle.statement = canonicalJson({
      ...statement,
      ...random.pick([{ asOf: '2026-10-02' }, { more: 1 }]),
    });
    return wanted.identity === undefined ? 'log' : 'identity';
  },
  ({ bundle }, random) => {
    const other = random.pick(OTHER_FORMS)(bundle.statement);
    if (other === bundle.statement) return null;
    bundle.statement = other;
    return 'statement';
  },
  ({ bundle: { tables } }, random) => {
    const { links } = tables;
    links.omitted = links.size - links.rows.length + random.pick([1, 2, 2 ** 52]);
    return 'tables';
  },
  ({ bundle }, random) => {
    const statement = JSON.parse(bundle.statement) as { tables: Record<string, unknown>; parent: unknown };
    const name = random.pick(PROVEN_TABLES);
    const { [name]: _, ...tables } = statement.tables;
    const other = random.pick([
      { ...statement, format: 'trial-board-snapshot/2' },
      { ...statement, asOf: random.pick(['2026-10-01 by NIH', '2026-13-01', '2026-10-1', null]) },
      { ...statement, corpus: random.pick(['none', 'registries, all true', null]) },
      { ...statement, parent: random.pick(['', 'A'.repeat(64), 7]) },
      { ...statement, changes: random.pick(['none', { root: identityOf('') }]) },
      (({ parent: _, ...rest }) => rest)(statement),
      { ...statement, tables },
      { ...statement, tables: { ...tables, [name]: null } },
      { ...statement, tables: { ...tables, [name]: { rows: '3', root: identityOf('') } } },
      { ...statement, tables: { ...tables, [name]: { rows: 1.5, root: identityOf('') } } },
    ]);
    bundle.statement = canonicalJson(other);
    return 'statement';
  },
  ({ wanted }, random) => {
    wanted.identity = wanted.identity === undefined ? identityOf('another') : otherHash(wanted.identity, random);
    return 'identity';
  },
];

/** The base64 of one flipped bit. */
function flipped(base64: string, random: Random, from = 0): string {
  const bytes = Buffer.from(base64, 'base64');
  bytes[from + random.below(bytes.length - from)]! ^= 1 << random.below(8);
  return bytes.toString('base64');
}

/** Base64 of the same bytes that no encoder writes: the last digit before the padding has bits of its own. */
function otherPadding(base64: string): string {
  const alphabet = 'ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/';
  const last = base64.length - 2;
  return `${base64.slice(0, last)}${alphabet[alphabet.indexOf(base64[last]!) + 1]}=`;
}

const LOG: readonly Damage[] = [
  ({ bundle: { log } }, random) => {
    if (log === null) return null;
    if (random.chance(0.5)) bend(log.path, random);
    else log.index = random.pick([log.size, log.size + 7, 2 ** 40]);
    return 'log';
  },
  ({ bundle: { log } }, random) => {
    if (log === null) return null;
    log.size += random.pick([1, 2]);
    return 'log';
  },
  ({ bundle: { log } }, random) => {
    if (log === null) return null;
    const [origin, size, root, ...rest] = log.checkpoint.split('\n');
    const lines = random.pick([
      [origin, size, flipped(root!, random)],
      [origin, `0${size}`, root],
      [origin, `${size}.0`, root],
      [origin, size, root!.slice(0, -1)],
      [origin, size, `${root} `],
      [origin, size, otherPadding(root!)],
      [origin, root],
      ['', size, root],
      [random.pick(['signed by NIH', 'a+b', 'a\u00a0b']), size, root],
    ]);
    log.checkpoint = [...lines, ...rest].join('\n');
    return 'log';
  },
  ({ bundle: { log }, world }, random) => {
    if (log === null || world.log.signers.length === 0) return null;
    log.checkpoint = random.pick([
      log.checkpoint.slice(0, -1),
      log.checkpoint.replace('\n\n', '\n\n\n'),
      log.checkpoint.replace('\n\n', '\nmore\u0001\n\n'),
      log.checkpoint.replace('— ', '- '),
      `${log.checkpoint}— a+b ${Buffer.alloc(68).toString('base64')}\n`,
      `${log.checkpoint}— a ${Buffer.alloc(4).toString('base64')}\n`,
      `${log.checkpoint}— a AB==\n`,
      `${log.checkpoint}${`— a ${Buffer.alloc(8).toString('base64')}\n`.repeat(64)}`,
    ]);
    return 'log';
  },
];

const SIGNATURE: readonly Damage[] = [
  ({ bundle: { log }, world }, random) => {
    if (log === null || world.log.signers.length === 0) return null;
    const lines = log.checkpoint.split('\n');
    const at = lines.findIndex((line) => line.startsWith('— '));
    const [dash, name, base64] = lines[at]!.split(' ');
    lines[at] = [dash, name, flipped(base64!, random, 4)].join(' ');
    log.checkpoint = lines.join('\n');
    return 'signature';
  },
  ({ bundle: { log }, world }) => {
    if (log === null || world.log.signers.length === 0) return null;
    log.checkpoint = log.checkpoint.replace('example.org/trials\n', 'example.org/other\n');
    return 'signature';
  },
  ({ bundle: { log } }, random) => {
    if (log === null || log.keys.length === 0) return null;
    const at = random.below(log.keys.length);
    const [name, id, ...material] = log.keys[at]!.split('+');
    const base64 = material.join('+');
    log.keys[at] = random.pick([
      `${name}+${id}+${flipped(base64, random)}`,
      `${name}+${otherHash(id!, random)}+${base64}`,
      `${name}x+${id}+${base64}`,
      `${name} +${id}+${base64}`,
      `${name}+${id}+${base64.slice(0, -4)}`,
      `${name}+${id}`,
      '',
    ]);
    return 'signature';
  },
  ({ wanted }, random) => {
    wanted.keys = random.pick([[STRANGER.verifier.vkey], [STRANGER.verifier.vkey, 'no key'], ['']]);
    return wanted.keys.length === 1 && wanted.keys[0] !== '' ? 'signature' : 'misuse';
  },
  ({ bundle: { log }, wanted, world }) => {
    if (log === null || world.log.signers.length === 0) return null;
    const [text] = log.checkpoint.split('\n\n');
    log.checkpoint = signNote(`${text}\n`, [STRANGER]);
    wanted.keys = world.log.signers.map(({ verifier }) => verifier.vkey);
    return 'signature';
  },
];

const CONSISTENCY: readonly Damage[] = [
  ({ bundle: { consistency } }, random) => {
    if (consistency === undefined) return null;
    const how = random.below(3);
    if (how === 0) bend(consistency.path, random);
    else if (how === 1) consistency.to += random.pick([1, 2]);
    else consistency.from += random.pick([1, 2]);
    return 'consistency';
  },
  ({ bundle: { consistency }, world }, random) => {
    if (consistency === undefined) return null;
    const [origin, size, root, ...rest] = consistency.checkpoint.split('\n');
    const isSigned = world.log.signers.length > 0;
    const lines = random.pick([
      [origin, size, flipped(root!, random)],
      [origin, `${Number(size) + 1}`, root],
      [isSigned ? `${origin}/x` : '', size, root],
    ]);
    consistency.checkpoint = [...lines, ...rest].join('\n');
    return 'consistency';
  },
  ({ bundle, wanted, world }, random) => {
    if (bundle.log === null) {
      wanted.checkpoint = random.pick([...world.log.checkpoints.values()]);
      return 'consistency';
    }
    const from = bundle.consistency?.from ?? bundle.log.size;
    const others = [...world.log.checkpoints].filter(([size]) => size !== from);
    const [origin, size, root] = bundle.log.checkpoint.split('\n');
    const forged = `${origin}\n${size}\n${flipped(root!, random)}\n`;
    const ofAnother = `example.org/another\n${size}\n${root}\n`;
    const longer = `${origin}\n${Number(size) + 1}\n${root}\n`;
    const rubbish = random.pick(['no checkpoint', `two words\n${size}\n${root}\n`]);
    wanted.checkpoint = random.pick([forged, ofAnother, longer, rubbish, ...others.map(([, content]) => content)]);
    return wanted.checkpoint === rubbish ? 'misuse' : 'consistency';
  },
  ({ bundle }) => {
    if (bundle.log === null || bundle.consistency !== undefined) return null;
    const { size, checkpoint } = bundle.log;
    bundle.consistency = { from: size, to: size, path: [identityOf('more')], checkpoint };
    return 'consistency';
  },
];

const OPTIONAL = ['consistency', 'omitted', 'changes', 'parent'];

/** What stands at a place of the bundle, which is changed into something of no such form. */
const FORM: readonly Damage[] = [
  ({ bundle }, random) => {
    const parts: Record<string, unknown>[] = [
      bundle,
      bundle.tables,
      bundle.tables.trials,
      bundle.tables.links,
      ...bundle.tables.registrations.rows,
      ...(bundle.log === null ? [] : [bundle.log]),
      ...[bundle.consistency, bundle.changes, bundle.parent].filter((part) => part !== undefined),
      ...(bundle.parent === undefined ? [] : [bundle.parent.tables, ...bundle.parent.tables.registrations.rows]),
    ];
    const part = random.pick(parts);
    const name = random.pick(Object.keys(part).filter((one) => !OPTIONAL.includes(one)));
    const how = random.below(3);
    if (how === 0) part.more = 1;
    else if (how === 1) delete part[name];
    else part[name] = random.pick([-1, 1.5, 2 ** 53, true, [1], [['AB']], {}, ...(name === 'log' ? [] : [null])]);
    return 'form';
  },
  (proof, random) => {
    const { path } = someRow(proof, random);
    path.push(random.pick(['A'.repeat(64), '0'.repeat(63), '0'.repeat(65), 'g'.repeat(64), `${'0'.repeat(64)}\n`]));
    return 'form';
  },
  ({ bundle }, random) => {
    bundle.tables.links.omitted = random.pick([0, -1, 0.5]);
    return 'form';
  },
  ({ bundle }, random) => {
    const half = '\ud800';
    if (random.chance(0.5)) bundle.statement += half;
    else bundle.tables.trials.rows[0]!.row += half;
    return 'form';
  },
];

function withByte(content: Buffer, at: number, byte: number): Buffer {
  return Buffer.concat([content.subarray(0, at), Buffer.of(byte), content.subarray(at)]);
}

/** Damages of the file itself. */
const BYTES: readonly ((content: Buffer, random: Random) => Buffer)[] = [
  (content) => content.subarray(0, -1),
  (content) => Buffer.concat([content, Buffer.from('}')]),
  (content) => Buffer.concat([Buffer.from([0xef, 0xbb, 0xbf]), content]),
  (content, random) => withByte(content, content.indexOf('asOf') + 1, 0x80 | random.below(128)),
  () => Buffer.alloc(0),
  (content) => Buffer.concat([content, Buffer.alloc(262_145 - content.length, ' ')]),
  (content) => Buffer.from(`{"data":${content},"meta":{}}`),
  (content) => Buffer.from(`{"data":{},"data":${content},"_meta":{}}`),
  (content) => Buffer.from(content.toString().replace('"row":', '"row":"{}", "row" :')),
  (content) => Buffer.from(content.toString().replace('"path":', '"p\\u0061th":[],"path":')),
  (content) => Buffer.from(`{"_meta":{},"data":[${content}]}`),
  (content) => Buffer.from(content.toString().replace('trial-board-proof/1', 'trial-board-proof/2')),
];

/** Members that are printed, with texts that are none of theirs. */
const OTHER_VALUES: readonly (readonly [ProvenTable, string, readonly unknown[]])[] = [
  ['trials', 'canonical_id', ['', 'wt_000000000000 is true', 'wt_0', null]],
  ['trials', 'ctgov_id', ['NCT1', 'NCT00000001 by NIH', '']],
  ['registrations', 'payload_sha256', ['', null, 'A'.repeat(64)]],
  ['links', 'link_id', ['ln_0', 'ln_000000000000\nPROVEN', null]],
  ['links', 'kind', ['sure', null]],
  ['links', 'verdict', ['accepted by NIH', null]],
  ['links', 'rule', ['the rule', 'a--b', '', null]],
  ['links', 'from_registry', ['nih', null]],
  ['links', 'to_id', ['NCT1', null]],
];

/** A row of the bundle's own, under roots, a statement and an identity that follow from it. */
function forge({ bundle, world, wanted }: Proof, table: ProvenTable, index: number, made: string): void {
  const rows = { ...world.rows, [table]: world.rows[table].with(index, made) };
  bundle.statement = statementFor(rows, 1);
  for (const name of PROVEN_TABLES) {
    const indexes = bundle.tables[name].rows.map((one) => one.index);
    bundle.tables[name] = tableOf({ ...world, rows }, name, indexes);
  }
  unlogged({ bundle, wanted });
}

/** What its maker could do: a row or a statement in another form, under roots and an identity that follow from it. */
const MAKER: readonly Damage[] = [
  ({ bundle, world, wanted }, random) => {
    const table = random.pick(PROVEN_TABLES.filter((name) => bundle.tables[name].rows.length > 0));
    const { index, row } = random.pick(bundle.tables[table].rows);
    const made = random.pick([
      ...OTHER_FORMS.map((form) => form(row)),
      row.replace('{', '{"A":"\\ud800",'),
      row.replace('{', '{"A":-0,'),
      row.replace('{', '{"A":1e400,'),
      row.replace('{', '{"A":1E3,'),
    ]);
    if (made === row) return null;
    forge({ bundle, world, wanted }, table, index, made);
    return 'rows';
  },
  ({ bundle, world, wanted }, random) => {
    const [table, name, values] = random.pick(OTHER_VALUES);
    if (bundle.tables[table].rows.length === 0) return null;
    const { index, row } = random.pick(bundle.tables[table].rows);
    forge(
      { bundle, world, wanted },
      table,
      index,
      canonicalJson({ ...JSON.parse(row), [name]: random.pick([...values, 7]) }),
    );
    return 'trial';
  },
  ({ bundle, wanted }, random) => {
    const made = random.pick([
      ...OTHER_FORMS.map((form) => form(bundle.statement)),
      bundle.statement.replace('{', '{"A":"\\udc00",'),
    ]);
    if (made === bundle.statement) return null;
    bundle.statement = made;
    unlogged({ bundle, wanted });
    return 'statement';
  },
];

/** What a verifier is told wrongly, or too little of. */
const CALLER: readonly Damage[] = [
  ({ wanted }) => {
    for (const name of ['identity', 'keys', 'checkpoint'] as const) delete wanted[name];
    wanted.requireOrigin = true;
    return 'origin';
  },
  ({ bundle, wanted }) => {
    if (bundle.tables.registrations.rows.length < 2) return null;
    bundle.tables.links.rows = [];
    wanted.requireLinks = true;
    return 'links';
  },
  ({ wanted }, random) => {
    wanted.identity = random.pick(['', 'abc', 'A'.repeat(64), `${'0'.repeat(64)}\n`]);
    return 'misuse';
  },
];

const KINDS: readonly (readonly Damage[])[] = [
  ROWS,
  TRIAL,
  SNAPSHOT,
  LOG,
  SIGNATURE,
  CONSISTENCY,
  FORM,
  MAKER,
  CALLER,
  CHANGES,
  PARENT,
  DIFFERENCES,
];

/** A damaged proof as the line that a verifier is asked, and the check that must fail; null where any may. */
export function damaged(
  copy: () => Proof,
  random: Random,
): { bundle: Buffer; wanted: Proof['wanted']; check: string | null } {
  for (;;) {
    const proof = copy();
    if (random.below(KINDS.length + 1) === 0) {
      const content = random.pick(BYTES)(Buffer.from(JSON.stringify(proof.bundle)), random);
      return { bundle: content, wanted: proof.wanted, check: 'form' };
    }
    const before = JSON.stringify([proof.bundle, proof.wanted]);
    const check = random.pick(random.pick(KINDS))(proof, random);
    if (JSON.stringify([proof.bundle, proof.wanted]) === before) continue;
    return { bundle: Buffer.from(JSON.stringify(proof.bundle)), wanted: proof.wanted, check };
  }
}

export function copyOf({ bundle, wanted, world }: Proof): Proof {
  return { bundle: JSON.parse(JSON.stringify(bundle)) as ProofBundle, wanted: { ...wanted }, world };
}
