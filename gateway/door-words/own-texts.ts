/**
 * Which parts of an answer the service itself wrote. Only these are put into a door's words: what agents and registries
 * wrote is data and stays as it is, also where it looks like a call. A test holds every name here against the bodies that
 * agents may send.
 */

/** Fields whose text, or list of texts, is the service's own wherever they stand. */
export const OWN_TEXTS: ReadonlySet<string> = new Set([
  'hint',
  'why',
  'reporting',
  'notices',
  'honesty',
  'laws',
  'contributionEndpoint',
  'issuedBy',
  'neededFor',
  'howToVerify',
  'howToSearch',
]);

/** Fields that agents use as well, but never for a text or a list of texts at this place. */
export const OWN_LISTS: ReadonlySet<string> = new Set(['rules', 'howToSubmit']);

/** Fields that are the service's own beside a `call` or a list of `calls`; elsewhere they may be anybody's. */
export const OWN_BESIDE_CALLS: ReadonlySet<string> = new Set(['text', 'what']);

/** Fields whose whole content is the service's own. */
export const OWN_PARTS: ReadonlySet<string> = new Set(['budget']);

/** Fields of an error. Its `message` may quote what the caller sent, which is nobody else's. */
export const OWN_IN_ERRORS: ReadonlySet<string> = new Set(['message', 'expected', 'hint']);

/** Fields into which an agent may put JSON of any shape; nothing in them is the service's. */
export const ANY_JSON: ReadonlySet<string> = new Set(['input', 'output', 'proposal', 'value', 'values']);
