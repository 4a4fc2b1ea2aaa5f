/** What tells two voices apart where agreement counts; an addition to the interface, whose arithmetic stays as it is. */
export type Independence = 'address' | 'name';

const NAMES =
  'Names that differ only in case, width, repeated blanks, unseen characters or characters that look alike (UTS 39) are one.';

/** The gate in the words of the answers that publish it. */
export const INDEPENDENCE_RULE: Readonly<Record<Independence, string>> = {
  address: `Independence (an addition to the interface): where agreement counts, a second voice needs another name and another group of addresses (/24 of IPv4, /48 of IPv6). What is no second voice is stored and not counted. ${NAMES}`,
  name: `Independence (an addition to the interface): where agreement counts, a second voice needs another name. Groups of addresses (/24 of IPv4, /48 of IPv6) are counted and shown, and not required, because this service serves its own machine. ${NAMES}`,
};
