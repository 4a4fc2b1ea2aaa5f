import type { RegistryId } from '../../contract/ids.ts';
import { REGISTRY_NAMES } from '../pages/trials/words.ts';

interface Answer {
  registry: RegistryId;
  state: string;
}

/** Says which registries that a query covers never answered, so that a count of none is not known; null where all did. */
export function unansweredNote(registries: readonly Answer[], asked: string | undefined): string | null {
  const covered = asked?.split(',');
  const silent = registries.filter(
    ({ registry, state }) => state === 'unanswered' && (covered === undefined || covered.includes(registry)),
  );
  return silent.length === 0
    ? null
    : `${silent.map(({ registry }) => REGISTRY_NAMES[registry]).join(' and ')} never answered`;
}
