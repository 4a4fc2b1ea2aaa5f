import { networkError } from './answers.js';
/**
 * The lines of a body of text, each of which must have its end. Cancels the body when it is left early. Throws
 * NETWORK_ERROR where the body breaks off, or the service is silent for too long while a line is waited for.
 */
export async function* linesOf(body, deadline) {
    const reader = body.getReader();
    const decoder = new TextDecoder();
    let rest = '';
    let ended = false;
    try {
        for (;;) {
            const { done, value } = await deadline.within(() => reader.read());
            ended = done;
            if (done)
                break;
            const parts = (rest + decoder.decode(value, { stream: true })).split('\n');
            rest = parts.pop();
            yield* parts;
        }
        if (rest !== '')
            throw networkError(undefined, 'The answer broke off within a line.');
    }
    finally {
        // A body that failed has nothing to cancel.
        if (!ended)
            await reader.cancel().catch(() => undefined);
    }
}
