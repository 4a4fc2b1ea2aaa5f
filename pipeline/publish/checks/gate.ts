import type { RegistryId } from '../../../contract/ids.ts';
import { REGISTRY_IDS } from '../../../contract/ids.ts';
import type { Manifest, ManifestRegistry } from '../../../snapshot/format/versions/manifest.ts';
import type { RunGate } from '../../../snapshot/format/versions/run-log.ts';
import { acceptName, type CheckRules } from './check-rules.ts';
import { type Finding, percent } from './content-checks.ts';

/** A check with its verdict, `refused` where it stopped the publication. */
export type GateCheck = RunGate['checks'][number];

export interface Breach {
  /** What `--accept` takes. */
  name: string;
  /** The numbers, in words. */
  detail: string;
  /** Up to three ids of affected records. */
  examples: readonly string[];
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

/** The parts of a manifest that the gate checks. */
export type GateInput = Pick<Manifest, 'corpus' | 'registries' | 'counts'>;

/**
 * What the numbers of a snapshot say, compared with its parent if there is one. A sample corpus is not compared with
 * real data, but replacing real data with a sample is itself a breach. `keptBack` counts the records in quarantine that
 * can be read, but are older than what is published.
 */
export function checkNumbers(
  next: GateInput,
  parent: GateInput | null,
  rules: CheckRules,
  keptBack: Partial<Record<RegistryId, number>> = {},
): Finding[] {
  const findings = next.registries.map((registry) =>
    quarantineFinding(registry, keptBack[registry.registry] ?? 0, rules),
  );
  if (parent === null) return findings;
  findings.push(sampleFinding(next, parent));
  if (parent.corpus !== next.corpus) return findings;
  for (const registry of REGISTRY_IDS) {
    const [before, after] = [parent, next].map(({ registries }) => registries.find((one) => one.registry === registry));
    findings.push(...registryFindings(registry, before, after, rules));
  }
  return [...findings, mergeFinding(next, parent, rules)];
}

/** Throws PublicationRefused unless each breach is accepted by name; returns the names that were needed, sorted. */
export function assertAccepted(findings: readonly Finding[], accept: readonly string[]): string[] {
  const breaches = findings.filter(({ exceeded }) => exceeded);
  const open = breaches.filter(({ name }) => !accept.includes(name));
  if (open.length > 0)
    throw new PublicationRefused(
      open.map(({ name, detail, examples }) => ({ name, detail, examples })),
      findings.map((finding) => gateCheck(finding, accept)),
      accept,
    );
  return breaches.map(({ name }) => name).sort();
}

/** What the manifest states of each check; every breach among them was accepted. */
export function checkResults(findings: readonly Finding[], rules: CheckRules): NonNullable<Manifest['checks']> {
  const results = findings.map((finding) => ({
    ...gateCheck(finding, [finding.name]),
    verdict: passedVerdict(finding),
  }));
  return { rules: { id: rules.id, sha256: rules.sha256 }, results };
}

function gateCheck(finding: Finding, accept: readonly string[]): GateCheck {
  const { name, figure, affected, limit, exceeded } = finding;
  const isRefused = exceeded && !accept.includes(name);
  return { name, figure, affected, limit, verdict: isRefused ? 'refused' : passedVerdict(finding) };
}

function passedVerdict({ figure, exceeded }: Finding): Exclude<GateCheck['verdict'], 'refused'> {
  if (figure === null) return 'not-compared';
  return exceeded ? 'accepted' : 'passed';
}

function quarantineFinding(registry: ManifestRegistry, keptBack: number, rules: CheckRules): Finding {
  const [read, bad] = [registry.registrations ?? 0, (registry.quarantined ?? 0) - keptBack];
  const { limit, moreThan } = rules.checks.quarantine;
  const figure = read + bad === 0 ? 0 : bad / (read + bad);
  return {
    check: 'quarantine',
    name: acceptName('quarantine', registry.registry),
    figure: registry.state === 'unanswered' ? null : figure,
    affected: bad,
    limit,
    exceeded: figure > limit && bad > moreThan,
    detail: `${bad} of ${read + bad} records could not be read`,
    examples: [],
  };
}

function sampleFinding(next: GateInput, parent: GateInput): Finding {
  const exceeded = parent.corpus === 'registries' && next.corpus === 'sample';
  const detail = 'the sample corpus would replace real registry data';
  return { ...whether('sample', 'sample', exceeded), detail };
}

/** The option that gives a dump of the registry. */
const DUMP_OPTION: Record<RegistryId, string> = { clinicaltrials_gov: 'ctgov', isrctn: 'isrctn' };

function registryFindings(
  registry: RegistryId,
  before: ManifestRegistry | undefined,
  after: ManifestRegistry | undefined,
  rules: CheckRules,
): Finding[] {
  if (before === undefined || before.registrations === null) return [];
  const [was, is] = [before.registrations, after?.registrations ?? null];
  const lost: Finding = {
    ...whether('lost', acceptName('lost', registry), is === null),
    detail: `it had ${was} registrations and is now unanswered: DATA_DIR/raw holds no set of it; give --${DUMP_OPTION[registry]} FILE, or fetch it with --source live`,
  };
  if (is === null) return [lost];
  const { limit, moreThan } = rules.checks.shrink;
  const figure = was === 0 ? 0 : Math.max(0, was - is) / was;
  const shrink: Finding = {
    check: 'shrink',
    name: acceptName('shrink', registry),
    figure,
    affected: Math.max(0, was - is),
    limit,
    exceeded: was - is > was * limit && was - is > moreThan,
    detail: `registrations fall from ${was} to ${is} (${percent(figure)}, at most ${percent(limit)})`,
    examples: [],
  };
  return [lost, shrink];
}

function mergeFinding(next: GateInput, parent: GateInput, rules: CheckRules): Finding {
  const [was, is] = [parent.counts.inBoth, next.counts.inBoth];
  const { limit, moreThan } = rules.checks['merge-jump'];
  const risen = Math.max(0, is - was);
  return {
    check: 'merge-jump',
    name: 'merge-jump',
    figure: was === 0 ? risen : risen / was,
    affected: risen,
    limit,
    exceeded: risen > moreThan && is > was * (1 + limit),
    detail: `trials merged from both registries rise from ${was} to ${is}`,
    examples: [],
  };
}

/** A finding of a check that knows only yes and no. */
export function whether(check: Finding['check'], name: string, exceeded: boolean): Omit<Finding, 'detail'> {
  return { check, name, figure: exceeded ? 1 : 0, affected: null, limit: 0, exceeded, examples: [] };
}
