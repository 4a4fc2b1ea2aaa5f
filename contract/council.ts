/** Ids of objectives and questions that the council added: the prefix and the letters of their amendment's id. */
const COUNCIL_ADDED_ID = /^council-[0-9a-hjkmnp-tv-z]{18}$/;

/** Whether a text has the form of an id that the council gives; only the board knows whether it is in effect. */
export function hasCouncilForm(id: string): boolean {
  return COUNCIL_ADDED_ID.test(id);
}
