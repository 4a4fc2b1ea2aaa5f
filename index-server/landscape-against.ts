import type { RegistryId } from '../contract/ids.ts';
import type { LandscapeAgainst } from '../contract/schemas/trials/landscape-against.ts';
import { registryStates } from '../snapshot/format/registry-answer.ts';
import type { Manifest } from '../snapshot/format/versions/manifest.ts';
import type { Mixes } from './search/counting/landscape.ts';

type Mix = { value: string; trials: number }[];

interface Side {
  manifest: Manifest;
  counts: Mixes;
}

/** `registries` are those that the query is narrowed to. */
export function againstReply(before: Side, now: Side, registries: readonly RegistryId[] | undefined): LandscapeAgainst {
  const states = registryStates(now.manifest);
  const earlier = new Map(registryStates(before.manifest).map((one) => [one.registry, one]));
  const sides = states.flatMap(({ registry, state, dataDay }) => {
    const then = earlier.get(registry);
    if (then === undefined) return [];
    return [{ registry, before: { state: then.state, dataDay: then.dataDay }, now: { state, dataDay } }];
  });
  const isComparable = sides.every(
    (side) =>
      registries?.includes(side.registry) === false ||
      (side.before.state === 'unanswered') === (side.now.state === 'unanswered'),
  );
  const change = (then: number, since: number) => ({
    ...{ before: then, now: since, change: isComparable ? since - then : null },
  });
  const changes = <Values extends Mix>(of: (counts: Mixes) => Values) =>
    of(now.counts).map(({ value, trials }, place) => ({
      value: value as Values[number]['value'],
      ...change(of(before.counts)[place]!.trials, trials),
    }));
  const { version, createdAt, asOf, rules } = before.manifest;
  return {
    ...{ version, createdAt, asOf, sameRules: rules.sha256 === now.manifest.rules.sha256, registries: sides },
    trials: change(before.counts.trials, now.counts.trials),
    phases: changes(({ phases }) => phases),
    statuses: changes(({ statuses }) => statuses),
    recruitmentStatuses: changes(({ recruitmentStatuses }) => recruitmentStatuses),
    studyTypes: changes(({ studyTypes }) => studyTypes),
    sponsorClasses: changes(({ sponsorClasses }) => sponsorClasses),
  };
}
