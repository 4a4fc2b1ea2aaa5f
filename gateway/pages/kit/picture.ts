import { REGISTRY_NAMES } from '../../../contract/fields/value-names.ts';
import type { RegistryId } from '../../../contract/ids.ts';
import type { ChartName } from '../../../contract/interfaces/charts.ts';
import type { Cell, FileColumn } from '../../../server-kit/answer/csv.ts';
import { pathWith } from './address.ts';

/** A picture as a page draws it and as its files hold it. */
export interface DrawnPicture {
  name: ChartName;
  /** Parameters of its address. */
  own: Own;
  /** What it shows, in a line. */
  title: string;
  /** What exactly is counted, in words. */
  definition: string;
  /** Path and query of the page that shows it. */
  page: string;
  /** Registries that it counts; all where it does not say. */
  counts?: readonly RegistryId[];
  /** The numbers of the picture, zeros among them. A number that is not known is null, and `note` says why. */
  columns: readonly FileColumn<PictureRow>[];
  rows: readonly PictureRow[];
  /** SVG of this width in pixels. Null where there is nothing to draw. */
  draw: ((width: number) => string) | null;
}

/** Parameters of an address. */
export type Own = Readonly<Record<string, string>>;

export type PictureRow = Readonly<Record<string, Cell>>;

export function column(
  name: string,
  heading: string,
  meaning: string,
  type: FileColumn<PictureRow>['type'] = 'text',
): FileColumn<PictureRow> {
  return { name, heading, meaning, type, cell: (row) => row[name] ?? null };
}

/** Says of a number that is not known why it is not. */
export const NOTE = column('note', 'Note', 'why a number is not known; empty: every number of the row is known');

/** Where a file of the picture is. */
export function pictureAddress({ name, own }: Pick<DrawnPicture, 'name' | 'own'>, ending: 'svg' | 'csv'): string {
  return pathWith(`/charts/${name}.${ending}`, own);
}

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
