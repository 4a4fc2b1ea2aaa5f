import type { Deadline } from './waiting.ts';
/**
 * The lines of a body of text, each of which must have its end. Cancels the body when it is left early. Throws
 * NETWORK_ERROR where the body breaks off, or the service is silent for too long while a line is waited for.
 */
export declare function linesOf(body: ReadableStream<Uint8Array>, deadline: Deadline): AsyncGenerator<string, void, undefined>;
