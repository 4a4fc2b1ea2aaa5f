import { barChart } from '../../../charts/bars.ts';
import type { CoverageRecord } from '../../../contract/schemas/counts.ts';
import { REGISTRY_NAMES } from '../../../contract/value-names.ts';
import { count } from '../kit/words.ts';
import { column, type DrawnPicture, NOTE, type Own, pathWith } from './picture.ts';

const HEIGHT_PX = 200;

const COLUMNS = [
  column('registry', 'Registry', 'for programs'),
  column('title', 'In words', 'the registry by its name'),
  column('only_here', 'Trials only there', 'that no other registry holds', 'integer'),
  column('in_both', 'Trials in both', 'the same trials in each row, never to be added', 'integer'),
  column('trials', 'Trials', 'that the registry holds: only there, and in both', 'integer'),
  column('registrations', 'Registrations', 'records of the registry; a trial may have several', 'integer'),
  column('data_day', 'Data of', 'the day up to which its data are'),
  NOTE,
];

/** Draws the registries that answered, each split by whether the other registry holds the trial too. */
export function coveragePicture(data: CoverageRecord, own: Own = {}): DrawnPicture {
  const { inBoth, registries } = data;
  const held = registries.filter(({ exclusive }) => exclusive !== null);
  const words = held.map(
    ({ registry, exclusive }) => `${REGISTRY_NAMES[registry]} holds ${count(exclusive)} that the other does not`,
  );
  const label = `Trials by registry. ${words.join('; ')}; in both: ${count(inBoth)}.`;
  return {
    name: 'coverage',
    own,
    title: 'Trials that each registry holds, and how many of them are in both',
    definition:
      'Each trial is counted once in each registry that holds it; the parts in both are the same trials, so the bars must not be added. A registration is one record of a registry: a trial can have several, so registrations have no list of trials behind them.',
    page: Object.keys(own).length === 0 ? '/' : pathWith('/trials', own),
    columns: COLUMNS,
    rows: registries.map(({ registry, state, exclusive, registrations, dataDay }) => ({
      ...{ registry, title: REGISTRY_NAMES[registry], only_here: exclusive, in_both: inBoth },
      trials: exclusive === null || inBoth === null ? null : exclusive + inBoth,
      ...{ registrations, data_day: dataDay },
      note:
        state === 'unanswered'
          ? `${REGISTRY_NAMES[registry]} never answered, so nothing is known of it`
          : inBoth === null
            ? 'the other registry never answered, so trials in both are not known'
            : null,
    })),
    draw:
      held.length === 0
        ? null
        : (width, id) =>
            barChart(
              {
                categories: held.map(({ registry }) => REGISTRY_NAMES[registry]),
                series: [
                  { name: 'in this registry only', values: held.map(({ exclusive }) => exclusive!) },
                  ...(inBoth === null ? [] : [{ name: 'in both', values: held.map(() => inBoth) }]),
                ],
                unit: 'trials',
                stacked: true,
                lying: true,
              },
              { id, width, height: HEIGHT_PX, label },
            ),
  };
}
