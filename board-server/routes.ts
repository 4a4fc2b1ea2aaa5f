import type { H3 } from 'h3';
import { BOARD_OPERATIONS } from '../contract/operations.ts';
import { type MountOptions, mount } from '../server-kit/mount.ts';
import type { BoardServices } from './services.ts';

/** Registers the operations of the board on an app. */
export function mountBoard(app: H3, options: MountOptions<BoardServices>): void {
  mount(app, BOARD_OPERATIONS, {}, options);
}
