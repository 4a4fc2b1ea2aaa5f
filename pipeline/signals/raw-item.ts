/** An item as a feed states it: texts may hold markup, dates and links are unread. Empty where nothing is stated. */
export interface RawItem {
  title: string;
  summary: string;
  link: string;
  /** The feed's own identifier of the item. */
  guid: string;
  /** What relative links are resolved against. */
  base: string;
  published: string;
  updated: string;
}
