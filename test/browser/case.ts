import type { Page } from 'playwright-core';
import type { World } from './world.ts';

/** One page as a reader meets it. */
export interface PageCase {
  /** Its screenshots have this name too. */
  name: string;
  path: (world: World) => string;
  /** Texts that a reader sees, for a page whose text is not in test/pages/golden. */
  shows?: (world: World) => readonly string[];
  /** Set for pages of the reference, which may be larger than other pages. */
  reference?: true;
  /** Set for another state of a page that has its own case. One look at it is enough. */
  isState?: true;
  /** What a reader does on the page with keyboard or mouse. */
  act?: (page: Page, world: World) => Promise<void>;
}

/** Pages by name. */
export type PageCases = Readonly<Record<string, Omit<PageCase, 'name'>>>;
