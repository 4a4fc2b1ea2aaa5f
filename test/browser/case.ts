import type { Page } from 'playwright-core';
import type { World } from './world.ts';

/** One page as a reader meets it. */
export interface PageCase {
  /** Also the name of its screenshots. */
  name: string;
  path: (world: World) => string;
  /** Texts that a reader sees. */
  shows: (world: World) => readonly string[];
  /** The reference, whole on one page so that it can be searched as one text, may be larger than a page. */
  reference?: true;
  /** Another state of a page that has a case of its own: one look at it is enough. */
  isState?: true;
  /** What a reader does there with the keyboard or the mouse, beside looking. */
  act?: (page: Page, world: World) => Promise<void>;
}
