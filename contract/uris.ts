/**
 * Whether a text is a URI with a scheme (RFC 3986), such as https://example.org/a, doi:10.1000/a or urn:isbn:9780000000000. It
 * says nothing of where it leads: whoever shows one as a link takes http and https alone.
 */
export function isUri(text: string): boolean {
  return (
    /^[a-z][a-z0-9+.-]*:[\w.~:/?#[\]@!$&'()*+,;=%-]+$/i.test(text) &&
    !/%(?![0-9a-f]{2})/i.test(text) &&
    URL.canParse(text)
  );
}
