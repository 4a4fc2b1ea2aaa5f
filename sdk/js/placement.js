import { argumentError } from './error.js';
const PRINTABLE = /^[\x20-\x7e]+$/;
/** Half of a character, which UTF-8 cannot carry. */
const LONE_SURROGATE = /\p{Surrogate}/u;
/**
 * Puts arguments where the operation wants them. Null and undefined count as left out, except null in a body. Arguments
 * that the operation does not know are sent along, and its answer names them in `_meta.ignored`.
 * Throws a TrialBoardError for what no request can carry; a value that is merely wrong is refused by the service.
 */
export function placementOf(operation, given) {
    const usual = operation.hasBody ? 'body' : 'query';
    const query = new URLSearchParams();
    const headers = {};
    const body = {};
    const path = new Map();
    for (const [name, value] of underOneName(operation, given)) {
        const { place, target } = placedAt(operation, name) ?? { place: usual, target: name };
        if (place === 'body') {
            if (value !== undefined)
                body[target] = value;
        }
        else if (value !== null && value !== undefined) {
            const text = textOf(name, value);
            if (place === 'query')
                query.append(target, text);
            else if (place === 'path')
                path.set(target, text);
            else if (PRINTABLE.test(text))
                headers[target] = text;
            else
                throw argumentError(name, 'printable ASCII characters');
        }
    }
    const search = query.toString();
    return {
        path: `${filledPath(operation, path)}${search === '' ? '' : `?${search}`}`,
        headers,
        body: operation.hasBody ? body : undefined,
    };
}
function placedAt({ placed }, name) {
    return placed && Object.hasOwn(placed, name) ? placed[name] : undefined;
}
/** Each argument under the first of its names. A second value under another name is refused: either may be meant. */
function underOneName(operation, given) {
    const values = new Map();
    for (const [name, value] of Object.entries(given)) {
        const names = placedAt(operation, name)?.names;
        const first = names?.[0] ?? name;
        const earlier = values.get(first);
        if (earlier === null || earlier === undefined) {
            values.delete(first);
            values.set(first, value);
        }
        else if (value !== null && value !== undefined && JSON.stringify(value) !== JSON.stringify(earlier)) {
            throw argumentError(name, `one value under all of its names: ${names?.join(', ')}`);
        }
    }
    return [...values];
}
function filledPath(operation, values) {
    return operation.path.replace(/\{([A-Za-z]+)\}/g, (_, target) => {
        const value = values.get(target);
        // A dot segment would be resolved away and lead to another path.
        if (value !== undefined && value !== '' && value !== '.' && value !== '..')
            return encodeURIComponent(value);
        const entry = Object.entries(operation.placed ?? {}).find(([, placed]) => placed.target === target);
        throw argumentError(entry?.[0] ?? target, entry?.[1].expected ?? 'a value');
    });
}
/** One text, as a query or a path carries it; a list is separated by commas. */
function textOf(name, value) {
    if (Array.isArray(value))
        return value.map((item) => textOf(name, item)).join(',');
    if (typeof value === 'number' || typeof value === 'boolean')
        return String(value);
    if (typeof value === 'string' && !LONE_SURROGATE.test(value))
        return value;
    throw argumentError(name, 'text, a number, true or false, or a list of these');
}
