/** A random UUID, version 4. Pages of an insecure origin have no `randomUUID`, and Node 18 has no global `crypto`. */
export declare function randomUuid(random: () => number): string;
