import { REGISTRY_IDS, type RegistryId } from '../../../contract/ids.ts';
import type { Manifest, ManifestRegistry } from '../../../snapshot/format/versions/manifest.ts';
import type { CheckRules } from './check-rules.ts';
import { type Finding, finding, percent, whether } from './gate.ts';

/** The parts of a manifest whose numbers the gate checks. */
export type GateInput = Pick<Manifest, 'corpus' | 'registries' | 'counts'>;

/** The option that gives a dump of the registry. */
const DUMP_OPTION: Record<RegistryId, string> = { clinicaltrials_gov: 'ctgov', isrctn: 'isrctn' };

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
  const findings = next.registries.map((one) => quarantineFinding(one, keptBack[one.registry] ?? 0, rules));
  if (parent === null) return findings;
  const replaced = parent.corpus === 'registries' && next.corpus === 'sample';
  findings.push(whether('sample', replaced, 'the sample corpus would replace real registry data'));
  if (parent.corpus !== next.corpus) return findings;
  const heldIn = ({ registries }: GateInput, id: RegistryId): number | null =>
    registries.find(({ registry }) => registry === id)?.registrations ?? null;
  for (const registry of REGISTRY_IDS) {
    const [was, is] = [heldIn(parent, registry), heldIn(next, registry)];
    if (was === null) continue;
    const lost = `it had ${was} registrations and is now unanswered: DATA_DIR/raw holds no set of it; give --${DUMP_OPTION[registry]} FILE, or fetch it with --source live`;
    findings.push(whether('lost', is === null, lost, registry));
    if (is !== null) findings.push(shrinkFinding(registry, was, is, rules));
  }
  const [was, is] = [parent.counts.inBoth, next.counts.inBoth];
  const risen = Math.max(0, is - was);
  const detail = `trials merged from both registries rise from ${was} to ${is}`;
  return [...findings, finding(rules, 'merge-jump', {}, { figure: risen / (was || 1), affected: risen, detail })];
}

function quarantineFinding(
  { registry, state, registrations, quarantined }: ManifestRegistry,
  keptBack: number,
  rules: CheckRules,
): Finding {
  const [read, bad] = [registrations ?? 0, (quarantined ?? 0) - keptBack];
  return finding(
    rules,
    'quarantine',
    { registry },
    {
      figure: state === 'unanswered' ? null : bad / (read + bad || 1),
      affected: bad,
      detail: `${bad} of ${read + bad} records could not be read`,
    },
  );
}

function shrinkFinding(registry: RegistryId, was: number, is: number, rules: CheckRules): Finding {
  const fewer = Math.max(0, was - is);
  const figure = fewer / (was || 1);
  const most = percent(rules.checks.shrink.limit);
  const detail = `registrations fall from ${was} to ${is} (${percent(figure)}, at most ${most})`;
  return finding(rules, 'shrink', { registry }, { figure, affected: fewer, detail });
}
