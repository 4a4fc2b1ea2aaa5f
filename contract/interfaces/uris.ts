/** What `isSource` takes, in words. */
export const SOURCE_EXPECTED = 'an http or https address, or a DOI as doi:10.1000/182';

/**
 * Whether a text says where a source can be read: an absolute http(s) address or a DOI. Pages, answers and bundles pass it on to
 * readers, whose programs may open it, so that no other scheme (javascript:, data:, file:) is taken.
 */
export function isSource(text: string): boolean {
  return (
    /^(?:https?:\/\/[\w.~:[\]@!$&'()*+,;=%-]|doi:10\.\d{4,9}\/)[\w.~:/?#[\]@!$&'()*+,;=%-]*$/i.test(text) &&
    !/%(?![0-9a-f]{2})/i.test(text) &&
    URL.canParse(text)
  );
}
