import type { RegistryId } from '../../../contract/ids.ts';
import type { Manifest } from '../../../snapshot/format/versions/manifest.ts';
import type { RunGate } from '../../../snapshot/format/versions/run-log.ts';
import { acceptName, type CheckName, type CheckRules } from './check-rules.ts';

/** What one check found. */
export interface Finding {
  check: CheckName;
  /** What `--accept` takes. */
  name: string;
  /** In the unit of the check; null where nothing could be compared. */
  figure: number | null;
  /** How many records are affected. */
  affected: number | null;
  limit: number;
  exceeded: boolean;
  /** The numbers, in words. */
  detail: string;
  /** Up to three ids of affected records. */
  examples: string[];
}

/** A check with its verdict, `refused` where it stopped the publication. */
export type GateCheck = RunGate['checks'][number];
export type Breach = Pick<Finding, 'name' | 'detail' | 'examples'>;

/** The finding of a check that has a limit; without a word on it, it is exceeded above the limit and the number of records that are never too many. */
export function finding(
  rules: CheckRules,
  check: CheckName,
  subject: { registry?: RegistryId; column?: string },
  found: Pick<Finding, 'figure' | 'affected' | 'detail'> & Partial<Finding>,
): Finding {
  const { limit: stated, moreThan } = rules.checks[check];
  const { figure, affected, limit = stated } = found;
  const exceeded = (figure ?? 0) > limit && (affected === null || affected > moreThan);
  const name = acceptName(check, subject.registry, subject.column);
  return { check, name, limit, exceeded, examples: [], ...found };
}

/** The finding of a check that knows only yes and no. */
export function whether(check: CheckName, exceeded: boolean, detail: string, registry?: RegistryId): Finding {
  const name = acceptName(check, registry);
  return { check, name, figure: exceeded ? 1 : 0, affected: null, limit: 0, exceeded, detail, examples: [] };
}

/** The publication gate stopped a snapshot; nothing was published. */
export class PublicationRefused extends Error {
  readonly breaches: readonly Breach[];
  /** What every check found that was carried out. */
  readonly checks: readonly GateCheck[];

  /** `accepted` are the names that the operator had accepted already, which the next command must name again. */
  constructor(breaches: readonly Breach[], checks: readonly GateCheck[] = [], accepted: readonly string[] = []) {
    const lines = breaches.map(({ name, detail, examples }) => {
      const shown = examples.length === 0 ? '' : `, for example ${examples.join(', ')}`;
      return `  ${name}: ${detail}${shown}`;
    });
    const names = [...new Set([...accepted, ...breaches.map(({ name }) => name)])];
    const accept = `--accept ${names.join(' ')} --reason "who accepts it and why"`;
    const last = breaches.length === 1 ? `; to publish anyway: ${accept}` : `\nTo accept all: ${accept}`;
    super(`not published; the served snapshot stays:\n${lines.join('\n')}${last}`);
    this.name = 'PublicationRefused';
    this.breaches = breaches;
    this.checks = checks;
  }
}

/** Throws PublicationRefused unless each breach is accepted by name; returns the names that were needed, sorted. */
export function assertAccepted(findings: readonly Finding[], accept: readonly string[]): string[] {
  const breaches = findings.filter(({ exceeded }) => exceeded);
  const open = breaches.filter(({ name }) => !accept.includes(name));
  if (open.length > 0)
    throw new PublicationRefused(
      open.map(({ name, detail, examples }) => ({ name, detail, examples })),
      findings.map((one) => ({ ...statedOf(one), verdict: open.includes(one) ? 'refused' : passedVerdict(one) })),
      accept,
    );
  return breaches.map(({ name }) => name).sort();
}

/** What the manifest states of each check; every breach among them was accepted. */
export function checkResults(findings: readonly Finding[], rules: CheckRules): NonNullable<Manifest['checks']> {
  const results = findings.map((one) => ({ ...statedOf(one), verdict: passedVerdict(one) }));
  return { rules: { id: rules.id, sha256: rules.sha256 }, results };
}

function statedOf({ name, figure, affected, limit }: Finding): Omit<GateCheck, 'verdict'> {
  return { name, figure, affected, limit };
}

function passedVerdict({ figure, exceeded }: Finding): Exclude<GateCheck['verdict'], 'refused'> {
  if (figure === null) return 'not-compared';
  return exceeded ? 'accepted' : 'passed';
}

export function percent(share: number): string {
  return `${Number((share * 100).toFixed(2))} %`;
}

export function daysWords(days: number): string {
  return `${days} ${days === 1 ? 'day' : 'days'}`;
}
