import { pageOf } from '../../../contract/interfaces/pages.ts';
import type { Operation } from '../../../contract/operation.ts';
import { OPERATIONS } from '../../../contract/operations.ts';
import { topicOf } from '../../description/groups.ts';

/** The areas of the reference, each with its operations in the order of the contract. */
export const AREAS: ReadonlyMap<string, readonly Operation[]> = Map.groupBy(OPERATIONS, (operation) =>
  topicOf(operation, OPERATIONS),
);

/** Areas of the reference that hold no operations. */
export const OTHER_AREAS = {
  doors: 'Other protocols, files and texts',
  limits: 'How much may be asked',
  pages: 'Pages for people',
} as const;
export type OtherArea = keyof typeof OTHER_AREAS;

export function areaAddress(area: string): string {
  return pageOf('page-docs-area').path.replace('{area}', area);
}

/** Where people read about an operation. */
export function docsAddress(operation: Operation): string {
  return `${areaAddress(topicOf(operation, OPERATIONS))}#${operation.id}`;
}

/** Where people read about the operation of this id. */
export function docsAddressOf(id: string): string {
  return docsAddress(OPERATIONS.find((operation) => operation.id === id)!);
}
