/** `METHOD /path?query` as it stands in the service's texts: in hints, in next calls, in rules. */
// Ends on a letter, digit, bracket or brace, so that a full stop behind a call stays outside of it.
export const CALL_IN_TEXT =
  /\b(GET|POST|PUT|PATCH|DELETE) (\/[A-Za-z0-9/_{}.-]*[A-Za-z0-9}])(\?[A-Za-z0-9=&%{},._-]*[A-Za-z0-9}])?/g;
