import { hash } from 'node:crypto';
import { canonicalJson } from '../../../contract/canonical-json.ts';
import type { Manifest } from './manifest.ts';

/** Everything that a snapshot serves, and what it was made from, as JSON by RFC 8785. Its SHA-256 is the identity. */
export const MANIFEST_FILE = 'manifest.json';
/** The files of a snapshot with their lengths and sums. The manifest states its SHA-256. */
export const FILES_FILE = 'files.json';
/** Times, names and addresses of the run, and the operator's words: no part of the identity. */
export const RUN_FILE = 'run.json';

/** The texts of the files of a snapshot that no list names. */
export interface OwnTexts {
  [MANIFEST_FILE]: string;
  [FILES_FILE]: string;
  [RUN_FILE]: string;
}
export const OWN_FILES: readonly (keyof OwnTexts)[] = [MANIFEST_FILE, FILES_FILE, RUN_FILE];

const RUN_OF_REGISTRY = ['degradedReason', 'lastSuccessAt', 'lastAttemptAt', 'inputs'];
const RUN_OF_FEED = ['lastSuccessAt', 'lastAttemptAt', 'reason', 'future'];

type Part = Record<string, unknown>;

/** The texts of a snapshot, which follow from it; its name and identity follow from them. */
export function ownTexts({ version: _version, identity: _identity, ...snapshot }: Draft): OwnTexts {
  const { createdAt, parent, acceptance, descriptions, registries, feeds, ...bound } = snapshot;
  const { proofs, payloadIndex, tables, storedChanges, superseded, serving, ...rest } = bound;
  const run = {
    ...{ createdAt, parent, acceptance, descriptions },
    registries: registries.map((one) => only(one, RUN_OF_REGISTRY)),
    feeds: feeds?.map((one) => only(one, RUN_OF_FEED)),
  };
  const parts = { storedChanges, superseded, serving };
  const inParts = (take: (part: Part, names: string[]) => Part): Part => {
    const each = (held: Part): Part =>
      Object.fromEntries(Object.entries(held).map(([name, one]) => [name, one && take(one as Part, ['files'])]));
    return { ...each(parts), tables: each(tables) };
  };
  const files = canonicalJson({ ...inParts(only), proofs, payloadIndex });
  const manifest = {
    ...{ ...rest, ...inParts(without) },
    registries: registries.map((one) => without(one, RUN_OF_REGISTRY)),
    feeds: feeds?.map((one) => without(one, RUN_OF_FEED)),
    ...{ inputs: inputsOf(registries), files: hash('sha256', files) },
  };
  return {
    [MANIFEST_FILE]: canonicalJson(manifest),
    [FILES_FILE]: files,
    [RUN_FILE]: `${JSON.stringify(run, null, 2)}\n`,
  };
}

/** A snapshot, which may have no name and identity yet. */
export type Draft = Omit<Manifest, 'version' | 'identity'> & Partial<Manifest>;

function only(whole: object, names: readonly string[]): Part {
  return Object.fromEntries(Object.entries(whole).filter(([name]) => names.includes(name)));
}

function without(whole: object, names: readonly string[]): Part {
  return Object.fromEntries(Object.entries(whole).filter(([name]) => !names.includes(name)));
}

/** What is bound of the inputs: a live run reads some 700 pages, which its record lists. */
export function inputsOf(registries: Manifest['registries']): { files: number; records: number; sha256: string } {
  const bound = registries.flatMap(({ registry, inputs }) =>
    inputs.map(({ sha256, records }) => ({ registry, sha256, records })),
  );
  const records = bound.reduce((sum, one) => sum + one.records, 0);
  return { files: bound.length, records, sha256: hash('sha256', canonicalJson(bound)) };
}

/** SHA-256 of the manifest, lower-case hex. */
export function identityOf({ [MANIFEST_FILE]: text }: Pick<OwnTexts, typeof MANIFEST_FILE>): string {
  return hash('sha256', text);
}

/** Two parts of one value: objects member by member, lists place by place. */
export function joined(one: unknown, other: unknown): unknown {
  if (Array.isArray(one) && Array.isArray(other)) return one.map((member, place) => joined(member, other[place]));
  if (!isPart(one) || !isPart(other)) return one === undefined ? other : one;
  const names = new Set([...Object.keys(one), ...Object.keys(other)]);
  return Object.fromEntries([...names].map((name) => [name, joined(one[name], other[name])]));
}

function isPart(value: unknown): value is Part {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}
