/** An item as the feed gives it: texts may hold markup; dates and links are not parsed. Missing values are empty. */
export interface RawItem {
  title: string;
  summary: string;
  link: string;
  /** The feed's own identifier of the item. */
  guid: string;
  /** Base of relative links. */
  base: string;
  published: string;
  updated: string;
}
