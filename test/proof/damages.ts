import { canonicalJson } from '../../contract/canonical-json.ts';
import { sha256 } from '../../server-kit/hashing.ts';
import { PROVEN_TABLES, type ProvenTable } from '../../snapshot/format/versions/proof-trees.ts';
import { signNote } from '../../snapshot/proof/note.ts';
import type { Random } from '../../tools/generator/random.ts';
import {
  bend,
  type Damage,
  flipped,
  OTHER_FORMS,
  otherHash,
  otherPadding,
  rewritten,
  unlogged,
  withMembers,
} from './bending.ts';
import { CHANGES } from './change-damages.ts';
import { type Proof, STRANGER, statementFor, tableOf } from './worlds.ts';

type Json = Record<string, unknown>;

const someRow = ({ bundle }: Proof, random: Random) =>
  random.pick(PROVEN_TABLES.flatMap((table) => bundle.tables[table].rows));
/** A row of the bundle's own, under roots, a statement and an identity that follow from it. */
function forge(proof: Proof, table: ProvenTable, index: number, made: string): void {
  const { bundle, world } = proof;
  const rows = { ...world.rows, [table]: world.rows[table].with(index, made) };
  bundle.statement = statementFor(rows, 1);
  for (const name of PROVEN_TABLES) {
    const indexes = bundle.tables[name].rows.map((one) => one.index);
    bundle.tables[name] = tableOf({ ...world, rows }, name, indexes);
  }
  unlogged(proof);
}

/** A checkpoint with other first lines. */
function withHead(content: string, change: (origin: string, size: string, root: string) => string[]): string {
  const [origin = '', size = '', root = '', ...rest] = content.split('\n');
  return [...change(origin, size, root), ...rest].join('\n');
}

const ROWS: readonly Damage[] = [
  (proof, random) => bend(someRow(proof, random).path, random),
  (proof, random) => (someRow(proof, random).index += random.pick([1, 2 ** 32])),
  (proof, random) =>
    Object.assign(someRow(proof, random), { row: random.pick(['[]', 'null', '{', '', '{"a":1e400}']) }),
  ({ bundle }, random) => bundle.tables[random.pick(PROVEN_TABLES)].rows.reverse(),
  ({ bundle }) => bundle.tables.registrations.rows.push(bundle.tables.registrations.rows[0]!),
  (proof, random) => {
    const row = someRow(proof, random);
    row.row = rewritten(row.row, random);
  },
  // A row in another form, under roots that follow from it.
  (proof, random) => {
    const table = random.pick(PROVEN_TABLES.filter((name) => proof.bundle.tables[name].rows.length > 0));
    const { index, row } = random.pick(proof.bundle.tables[table].rows);
    const odd = ['"A":"\\ud800",', '"A":-0,', '"A":1e400,', '"A":1E3,'].map((member) => row.replace('{', `{${member}`));
    const made = random.pick([...OTHER_FORMS.map((form) => form(row)), ...odd]);
    if (made !== row) forge(proof, table, index, made);
  },
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

const TRIAL: readonly Damage[] = [
  ({ bundle }, random) =>
    bundle.tables.registrations.rows.splice(random.below(bundle.tables.registrations.rows.length), 1),
  // One more registration, or one instead of another.
  ({ bundle, world }, random) => {
    const held = bundle.tables.registrations.rows.map(({ index }) => index);
    const others = [...world.rows.registrations.keys()].filter((index) => !held.includes(index));
    if (others.length === 0) return;
    const indexes = [...(random.chance(0.5) ? held : held.slice(1)), random.pick(others)];
    bundle.tables.registrations = tableOf(world, 'registrations', indexes);
  },
  // A link of other registrations.
  ({ bundle, world }, random) => {
    const own = bundle.tables.links.rows.map(({ index }) => index);
    const ids = bundle.tables.registrations.rows.map(({ row }) => JSON.parse(row).id as string);
    const strange = world.rows.links.flatMap((row, index) => (ids.some((id) => row.includes(id)) ? [] : [index]));
    if (strange.length > 0) bundle.tables.links = tableOf(world, 'links', [...own, random.pick(strange)]);
  },
  // No trial, another one, or one more.
  ({ bundle, world }, random) => {
    const { index } = bundle.tables.trials.rows[0]!;
    const others = [...world.rows.trials.keys()].filter((other) => other !== index);
    const other = others.length === 0 ? [] : [random.pick(others)];
    bundle.tables.trials = tableOf(
      world,
      'trials',
      random.pick([[], other, others.length === 0 ? [] : [index, ...other]]),
    );
  },
  (proof, random) => {
    const [table, name, values] = random.pick(OTHER_VALUES);
    const { rows } = proof.bundle.tables[table];
    if (rows.length === 0) return;
    const { index, row } = random.pick(rows);
    forge(proof, table, index, withMembers(row, { [name]: random.pick([...values, 7]) }));
  },
];

const STATEMENT: readonly Damage[] = [
  ({ bundle }, random) => {
    const statement = JSON.parse(bundle.statement) as { tables: Json; bound: Json };
    const name = random.pick(PROVEN_TABLES);
    const { [name]: _, ...tables } = statement.tables;
    const { bound: __, ...orphan } = statement;
    const table = (value: unknown) => ({ ...statement, tables: { ...tables, [name]: value } });
    const other = random.pick([
      { ...statement, formatVersion: random.pick([5, '6', null]) },
      { ...statement, asOf: random.pick(['2026-10-01 by NIH', '2026-13-01', '2026-10-1', null]) },
      { ...statement, corpus: random.pick(['none', 'registries, all true', null]) },
      { ...statement, bound: random.pick([{}, { parent: '' }, { parent: 'A'.repeat(64) }, { parent: 7 }, null]) },
      { ...statement, storedChanges: random.pick(['none', { root: sha256('') }, { rows: 1, root: 'none' }]) },
      orphan,
      ...[{ ...statement, tables }, table(null), table({ rows: '3', root: sha256('') })],
      table({ rows: 1.5, root: sha256('') }),
    ]);
    bundle.statement = canonicalJson(other);
  },
  (proof, random) => {
    const { statement } = proof.bundle;
    const forms = OTHER_FORMS.map((form) => form(statement));
    proof.bundle.statement = random.pick([...forms, statement.replace('{', '{"A":"\\udc00",')]);
    if (proof.bundle.statement !== statement && random.chance(0.5)) unlogged(proof);
  },
];

const otherStatement = ({ bundle }: Proof, random: Random) =>
  (bundle.statement = withMembers(bundle.statement, random.pick([{ asOf: '2026-10-02' }, { more: 1 }])));

const LOG: readonly Damage[] = [
  (proof, random) => proof.wanted.identity === undefined && otherStatement(proof, random),
  ({ bundle: { log } }, random) => log && bend(log.path, random),
  ({ bundle: { log } }, random) => {
    if (log) log.index = random.pick([log.size, log.size + 7, 2 ** 40]);
  },
  ({ bundle: { log } }, random) => {
    if (log) log.size += random.pick([1, 2]);
  },
  ({ bundle: { log } }, random) => {
    if (log === null) return;
    log.checkpoint = withHead(log.checkpoint, (origin, size, root) =>
      random.pick([
        [origin, size, flipped(root, random)],
        [origin, `0${size}`, root],
        [origin, `${size}.0`, root],
        [origin, size, root.slice(0, -1)],
        [origin, size, `${root} `],
        [origin, size, otherPadding(root)],
        [origin, root],
        ['', size, root],
        [random.pick(['signed by NIH', 'a+b', 'a\u00a0b']), size, root],
      ]),
    );
  },
  ({ bundle: { log }, world }, random) => {
    if (log === null || world.log.signers.length === 0) return;
    const base64 = (length: number) => Buffer.alloc(length).toString('base64');
    log.checkpoint = random.pick([
      log.checkpoint.slice(0, -1),
      log.checkpoint.replace('\n\n', '\n\n\n'),
      log.checkpoint.replace('\n\n', '\nmore\u0001\n\n'),
      log.checkpoint.replace('— ', '- '),
      `${log.checkpoint}— a+b ${base64(68)}\n`,
      `${log.checkpoint}— a ${base64(4)}\n`,
      `${log.checkpoint}— a AB==\n`,
      `${log.checkpoint}${`— a ${base64(8)}\n`.repeat(64)}`,
    ]);
  },
];

const SIGNATURE: readonly Damage[] = [
  ({ wanted }) => (wanted.keys = [STRANGER.verifier.vkey]),
  ({ bundle: { log }, world }, random) => {
    if (log === null || world.log.signers.length === 0) return;
    const [line, dash, name, base64] = /^(—) (\S+) (\S+)$/m.exec(log.checkpoint)!;
    const bent = `${dash} ${name} ${flipped(base64!, random, 4)}`;
    log.checkpoint = log.checkpoint.replace(
      ...random.pick<[string, string]>([
        [line, bent],
        ['/trials\n', '/other\n'],
      ]),
    );
  },
  ({ bundle: { log } }, random) => {
    if (log === null || log.keys.length === 0) return;
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
  },
  ({ bundle: { log }, wanted, world }) => {
    if (log === null || world.log.signers.length === 0) return;
    log.checkpoint = signNote(`${log.checkpoint.split('\n\n')[0]}\n`, [STRANGER]);
    wanted.keys = world.log.signers.map(({ verifier }) => verifier.vkey);
  },
];

const CONSISTENCY: readonly Damage[] = [
  ({ bundle: { consistency } }, random) => consistency && bend(consistency.path, random),
  ({ bundle: { consistency } }, random) => {
    if (consistency) consistency[random.pick(['to', 'from'] as const)] += 1;
  },
  ({ bundle: { consistency }, world }, random) => {
    if (consistency === undefined) return;
    const isSigned = world.log.signers.length > 0;
    consistency.checkpoint = withHead(consistency.checkpoint, (origin, size, root) =>
      random.pick([
        [origin, size, flipped(root, random)],
        [origin, `${Number(size) + 1}`, root],
        [isSigned ? `${origin}/x` : '', size, root],
      ]),
    );
  },
  ({ bundle, wanted, world }, random) => {
    const kept = [...world.log.checkpoints].filter(([size]) => size !== (bundle.consistency?.from ?? bundle.log?.size));
    const [origin, size, root] = (bundle.log?.checkpoint ?? kept[0]![1]).split('\n');
    const ofAnother = `example.org/another\n${size}\n${root}\n`;
    const forged = `${origin}\n${size}\n${flipped(root!, random)}\n`;
    const longer = `${origin}\n${Number(size) + 1}\n${root}\n`;
    wanted.checkpoint = random.pick([forged, ofAnother, longer, ...kept.map(([, content]) => content)]);
  },
  ({ bundle }) => {
    if (bundle.log === null || bundle.consistency !== undefined) return;
    const { size, checkpoint } = bundle.log;
    bundle.consistency = { from: size, to: size, path: [sha256('more')], checkpoint };
  },
];

/** Members that a bundle may lack. */
const OPTIONAL = ['consistency', 'omitted', 'changes'];

/** A member of the bundle becomes something of no such form. */
const FORM: readonly Damage[] = [
  ({ bundle }, random) => {
    const { tables, log, consistency, changes } = bundle;
    const parts = [
      bundle,
      tables,
      tables.trials,
      tables.links,
      ...tables.registrations.rows,
      log,
      consistency,
      changes,
    ];
    const part = random.pick(parts.filter((one) => one != null)) as unknown as Json;
    const name = random.pick(Object.keys(part).filter((one) => !OPTIONAL.includes(one)));
    const how = random.below(3);
    if (how === 0) part.more = 1;
    else if (how === 1) delete part[name];
    else part[name] = random.pick([-1, 1.5, 2 ** 53, true, [1], [['AB']], {}, ...(name === 'log' ? [] : [null])]);
  },
  (proof, random) =>
    someRow(proof, random).path.push(
      random.pick(['A'.repeat(64), '0'.repeat(63), '0'.repeat(65), 'g'.repeat(64), `${'0'.repeat(64)}\n`]),
    ),
  ({ bundle }, random) => (bundle.tables.links.omitted = random.pick([0, -1, 0.5])),
  ({ bundle }) => (bundle.statement += '\ud800'),
  (proof, random) => (someRow(proof, random).row += '\ud800'),
];

/** Damages of the file itself, which is not of its form then. */
const BYTES: readonly ((content: Buffer, random: Random) => Buffer | string)[] = [
  (content) => content.subarray(0, -1),
  (content) => `${content}}`,
  (content) => `\ufeff${content}`,
  (content, random) => {
    const at = content.indexOf('asOf') + 1;
    return Buffer.concat([content.subarray(0, at), Buffer.of(0x80 | random.below(128)), content.subarray(at)]);
  },
  () => '',
  (content) => `${content}`.padEnd(262_145),
  (content) => `{"data":${content},"meta":{}}`,
  (content) => `{"data":{},"data":${content},"_meta":{}}`,
  (content) => `${content}`.replace('"row":', '"row":"{}", "row" :'),
  (content) => `${content}`.replace('"path":', '"p\\u0061th":[],"path":'),
  (content) => `{"_meta":{},"data":[${content}]}`,
  (content) => `${content}`.replace('trial-board-proof/1', 'trial-board-proof/2'),
];

/** Damages by the check that must fail. */
const DAMAGES: Record<string, readonly Damage[]> = {
  rows: ROWS,
  trial: TRIAL,
  tables: [
    ({ bundle }, random) => {
      const table = bundle.tables[random.pick(PROVEN_TABLES)];
      if (random.chance(0.5)) table.root = otherHash(table.root, random);
      else table.size += random.pick([1, 2, 256]);
    },
    ({ bundle: { tables } }, random) =>
      (tables.links.omitted = tables.links.size - tables.links.rows.length + random.pick([1, 2, 2 ** 52])),
  ],
  statement: STATEMENT,
  identity: [
    (proof, random) => proof.wanted.identity !== undefined && otherStatement(proof, random),
    ({ wanted }, random) => (wanted.identity = otherHash(wanted.identity ?? sha256('another'), random)),
  ],
  log: LOG,
  signature: SIGNATURE,
  consistency: CONSISTENCY,
  form: FORM,
  changes: CHANGES,
  origin: [
    ({ wanted }) => {
      for (const name of ['identity', 'keys', 'checkpoint'] as const) delete wanted[name];
      wanted.requireOrigin = true;
    },
  ],
  links: [
    ({ bundle, wanted }) => {
      if (bundle.tables.registrations.rows.length < 2) return;
      bundle.tables.links.rows = [];
      wanted.requireLinks = true;
    },
  ],
  misuse: [
    ({ wanted }, random) => (wanted.identity = random.pick(['', 'abc', 'A'.repeat(64), `${'0'.repeat(64)}\n`])),
    ({ wanted }, random) => (wanted.keys = random.pick([[STRANGER.verifier.vkey, 'no key'], ['']])),
    ({ wanted }, random) => (wanted.checkpoint = random.pick(['no checkpoint', 'two words\n1\nroot\n'])),
  ],
};

/** A damaged proof as the file and what its verifier knows, and the check that must fail. */
export function damaged(copy: () => Proof, random: Random): { file: Buffer; wanted: Proof['wanted']; check: string } {
  for (;;) {
    const proof = copy();
    const before = JSON.stringify([proof.bundle, proof.wanted]);
    const check = random.pick(Object.keys(DAMAGES));
    const isOfFile = check === 'form' && random.chance(0.5);
    if (!isOfFile) random.pick(DAMAGES[check]!)(proof, random);
    if (!isOfFile && JSON.stringify([proof.bundle, proof.wanted]) === before) continue;
    const file = Buffer.from(JSON.stringify(proof.bundle));
    return { file: isOfFile ? Buffer.from(random.pick(BYTES)(file, random)) : file, wanted: proof.wanted, check };
  }
}
