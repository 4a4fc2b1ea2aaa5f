/** A random UUID, version 4. Pages of an insecure origin have no `randomUUID`, and Node 18 has no global `crypto`. */
export function randomUuid(random) {
    const source = globalThis.crypto;
    if (source?.randomUUID)
        return source.randomUUID();
    const bytes = Uint8Array.from({ length: 16 }, () => Math.floor(random() * 256));
    source?.getRandomValues?.(bytes);
    bytes[6] = (bytes[6] & 0x0f) | 0x40;
    bytes[8] = (bytes[8] & 0x3f) | 0x80;
    const hex = [...bytes].map((byte) => byte.toString(16).padStart(2, '0')).join('');
    return hex.replace(/^(.{8})(.{4})(.{4})(.{4})(.{12})$/, '$1-$2-$3-$4-$5');
}
