import { canonicalJson } from '../../contract/canonical-json.ts';
import { sha256 } from '../../server-kit/hashing.ts';
import type { Random } from '../../tools/generator/random.ts';
import type { Proof } from './worlds.ts';

const DIGITS = '0123456789abcdef';

/** Another text of one changed hex digit. */
export function otherHash(hash: string, random: Random): string {
  const at = random.below(hash.length);
  const digit = DIGITS[(DIGITS.indexOf(hash[at]!) + 1 + random.below(15)) % 16];
  return `${hash.slice(0, at)}${digit}${hash.slice(at + 1)}`;
}

/** The base64 of one flipped bit. */
export function flipped(base64: string, random: Random, from = 0): string {
  const bytes = Buffer.from(base64, 'base64');
  bytes[from + random.below(bytes.length - from)]! ^= 1 << random.below(8);
  return bytes.toString('base64');
}

/** Base64 of the same bytes that no encoder writes: the last digit before the padding has bits of its own. */
export function otherPadding(base64: string): string {
  const alphabet = 'ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/';
  const last = base64.length - 2;
  return `${base64.slice(0, last)}${alphabet[alphabet.indexOf(base64[last]!) + 1]}=`;
}

/** Changes, drops or repeats a node, or adds one to an empty path. */
export function bend(path: string[], random: Random): void {
  const at = random.below(path.length);
  const how = path.length === 0 ? 3 : random.below(3);
  if (how === 0) path[at] = otherHash(path[at]!, random);
  else if (how === 1) path.splice(at, 1);
  else path.splice(at, 0, path[at] ?? sha256('more'));
}

/** A row with a member changed, in canonical form. */
export function rewritten(row: string, random: Random): string {
  const value = JSON.parse(row) as Record<string, unknown>;
  const [name, old] = random.pick(Object.entries(value));
  return canonicalJson({ ...value, [name]: typeof old === 'number' ? old + 1 : `${old} ` });
}

/** Texts of the same JSON in another form. */
export const OTHER_FORMS: readonly ((text: string) => string)[] = [
  (text) => text.replace('{', '{ '),
  (text) => `${text}\n`,
  (text) =>
    text.replace(/([{,])"([a-z])/, (_, before, letter) => `${before}"\\u00${letter.charCodeAt(0).toString(16)}`),
  (text) => text.replace('{', '{"a":0,"a":1,'),
  (text) => text.replace(/:(\d+)([,}])/, ':$1.0$2').replace(/:null/, ': null'),
  (text) => {
    const members = text.slice(1, -1).split(/,(?="[a-z_]+":(?:"|null|-?\d|\[))/);
    return `{${members.toReversed().join(',')}}`;
  },
];

/** Changes a proof that holds so that one check must fail; leaves a proof as it is to which it does not apply. */
export type Damage = (proof: Proof, random: Random) => unknown;
export const idIn = ({ bundle }: Proof): string => JSON.parse(bundle.tables.trials.rows[0]!.row).canonical_id;
export const withMembers = (text: string, members: object): string =>
  canonicalJson({ ...JSON.parse(text), ...members });

/** Takes out what would speak against another statement: its place in the log, and what is known from elsewhere. */
export function unlogged({ bundle, wanted }: Proof): void {
  bundle.log = null;
  delete bundle.consistency;
  for (const name of ['identity', 'keys', 'checkpoint'] as const) delete wanted[name];
}

/** Other members in the statement, as its maker could write it. */
export function restate(proof: Proof, members: object): void {
  proof.bundle.statement = withMembers(proof.bundle.statement, members);
  unlogged(proof);
}
