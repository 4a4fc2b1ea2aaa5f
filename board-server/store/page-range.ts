/** Which rows of a list are read: at most `limit`, after `offset` of them, or beyond the one whose key is `after`. */
export interface PageRange {
  limit: number;
  offset: number;
  /** Key (`seq`, or `id` of a delivery) of the last row of the page before; null for a page that is not continued. */
  after: number | null;
}
