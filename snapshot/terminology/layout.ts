/**
 * The packed terminology as bytes: a line of JSON with the statements, the reviewed hints and the length of each part, then the
 * parts, each at a multiple of four. Numbers are read in place, so that a mapped file costs no memory of the process.
 */

export const NONE = 0xffffffff;

export interface Parts {
  /** Line per concept: id, tab, heading. */
  concepts: Uint8Array;
  /** First ancestor of each concept in `broader`, and the end. */
  broaderStart: Uint32Array;
  broader: Uint32Array;
  /** Terms one after the other, in the order of their concepts. */
  terms: Uint8Array;
  termStart: Uint32Array;
  /** First name of each concept, and the end. */
  conceptNames: Uint32Array;
  nameConcept: Uint32Array;
  /** Source of each name as its place in the statements, and CASE_SENSITIVE. */
  nameFlags: Uint8Array;
  /** Line per token. */
  vocabulary: Uint8Array;
  /** The tree of phrases. Node 0 is the root; the children of a node lie together, in the order of their tokens. */
  childStart: Uint32Array;
  nodeToken: Uint32Array;
  /** The name that ends at the node, or NONE. */
  nodeName: Uint32Array;
}

/** What the reviewed table says of words and concepts, apart from their names. */
export interface Hints {
  /** Words that are not read because they mean several things, each with queries that say what. */
  ambiguous: Readonly<Record<string, readonly string[]>>;
  /** Places of concepts that people take for one another. */
  related: readonly (readonly number[])[];
  /** Places of the reviewed cuts: what is below `without` is not below `parent`, though a registry may say so. */
  cuts: readonly { parent: number; without: readonly number[] }[];
}

export const CASE_SENSITIVE = 0x80;
const FORMAT = 2;
const NAMES: readonly (keyof Parts)[] = [
  'concepts',
  'broaderStart',
  'broader',
  'terms',
  'termStart',
  'conceptNames',
  'nameConcept',
  'nameFlags',
  'vocabulary',
  'childStart',
  'nodeToken',
  'nodeName',
];
const TEXTS: ReadonlySet<keyof Parts> = new Set(['concepts', 'terms', 'nameFlags', 'vocabulary']);

/** Throws for bytes that are no packed terminology of this format. */
export class PackedFault extends Error {
  constructor(message: string) {
    super(`the packed terminology cannot be read: ${message}`);
    this.name = 'PackedFault';
  }
}

export function writeParts(sources: readonly unknown[], hints: Hints, parts: Parts): Uint8Array {
  const lengths = NAMES.map((name) => parts[name].byteLength);
  const text = JSON.stringify({ format: FORMAT, sources, hints, lengths });
  const bytes = Buffer.byteLength(text);
  const head = Buffer.from(`${text}${' '.repeat(padding(bytes + 1))}\n`);
  const padded = NAMES.flatMap((name) => {
    const { buffer, byteOffset, byteLength } = parts[name];
    return [new Uint8Array(buffer, byteOffset, byteLength), new Uint8Array(padding(byteLength))];
  });
  return new Uint8Array(Buffer.concat([head, ...padded]));
}

export function readParts(packed: Uint8Array): { sources: unknown; hints: Hints; parts: Parts } {
  const bytes = packed.byteOffset % 4 === 0 ? packed : packed.slice();
  const headEnd = bytes.indexOf(0x0a) + 1;
  const { sources, hints, lengths } = headOf(bytes.subarray(0, headEnd));
  const found: Partial<Record<keyof Parts, Uint8Array | Uint32Array>> = {};
  let at = headEnd;
  NAMES.forEach((name, index) => {
    const length = lengths[index]!;
    if (at + length > bytes.length) throw new PackedFault('it ends early');
    const from = bytes.byteOffset + at;
    found[name] = TEXTS.has(name)
      ? bytes.subarray(at, at + length)
      : new Uint32Array(bytes.buffer as ArrayBuffer, from, length / 4);
    at += length + padding(length);
  });
  return { sources, hints, parts: found as unknown as Parts };
}

function headOf(line: Uint8Array): { sources: unknown; hints: Hints; lengths: number[] } {
  let head: { format?: number; sources?: unknown; hints?: Hints; lengths?: number[] };
  try {
    head = JSON.parse(Buffer.from(line).toString('utf8'));
  } catch {
    throw new PackedFault('it does not begin with its statement');
  }
  if (head.format !== FORMAT || head.hints === undefined || head.lengths?.length !== NAMES.length)
    throw new PackedFault(`it has format ${head.format}; expected ${FORMAT}`);
  return { sources: head.sources, hints: head.hints, lengths: head.lengths };
}

function padding(length: number): number {
  return (4 - (length % 4)) % 4;
}
