import type { TrialListItem } from '../../contract/schemas/trials/trial.ts';
import type { SnapshotImage } from '../snapshot/snapshot-image.ts';
import { endOfValue } from '../store/json-part.ts';

export type Intervention = TrialListItem['interventions'][number];

export interface Arm {
  label: string;
  /** The registry's own, in lower case: sham_comparator. */
  type: string | null;
  description: string | null;
  /** As the registry names them: "Drug: Aspirin". */
  interventionNames: string[];
}

/** What else of a trial says what it gives or does. */
export interface FurtherTexts {
  titles: string[];
  /** What the registries say of interventions that have a name. */
  descriptions: { names: string[]; description: string }[];
  arms: Arm[];
  /** MeSH terms that the registry attached for the interventions, with those above them. */
  mesh: string[];
}

export interface TrialTexts {
  interventions: readonly Intervention[];
  /** Read only where the names leave something open. */
  further: () => FurtherTexts;
}

/**
 * The texts of a trial, cut out of its finished JSON without parsing the rest. Quotation marks inside a text are escaped
 * there, so that the key of a member, with its quotation marks, cannot occur in one.
 */
export function textsAt(image: SnapshotImage, row: number): TrialTexts {
  const head = image.slice(row, 'head');
  const [interventions] = membersOf<Intervention[]>(head, 'interventions');
  if (interventions === undefined) throw new Error(`${image.directory}: trial ${row} shows no interventions`);
  let known: FurtherTexts | undefined;
  const further = (): FurtherTexts => {
    known ??= furtherTexts(head, image.slice(row, 'full'));
    return known;
  };
  return { interventions, further };
}

function furtherTexts(head: Buffer, full: Buffer): FurtherTexts {
  const titles = [...membersOf<string | null>(head, 'title'), ...membersOf<string | null>(full, 'officialTitle')];
  const terms = (key: string): string[] =>
    membersOf<{ term: string }[]>(full, key).flatMap((list) => list.map(({ term }) => term));
  return {
    titles: [...new Set(titles.filter((title) => title !== null))],
    descriptions: membersOf<FurtherTexts['descriptions']>(full, 'interventionDescriptions').flat(),
    arms: membersOf<Arm[]>(full, 'arms').flat(),
    mesh: [...terms('interventionMesh'), ...terms('interventionMeshAncestors')],
  };
}

/** The value of each member of this name in finished JSON, in order. */
export function membersOf<Value>(json: Buffer, name: string): Value[] {
  const key = `"${name}":`;
  const found: Value[] = [];
  for (let at = json.indexOf(key); at >= 0; at = json.indexOf(key, at + 1)) {
    const begin = at + key.length;
    found.push(JSON.parse(json.toString('utf8', begin, endOfValue(json, begin))) as Value);
  }
  return found;
}
