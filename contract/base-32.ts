/** Characters of the ids that the service gives: Crockford's base 32, lower case: no i, l, o or u. */
export const BASE_32 = '0123456789abcdefghjkmnpqrstvwxyz';
