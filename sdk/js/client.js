import { exportChanges, follow } from './changes.js';
import { TrialBoardError } from './error.js';
import { Methods } from './methods.js';
import { OPERATIONS } from './operations.js';
import { itemsIn, nextArguments } from './paging.js';
import { Transport } from './transport.js';
/** Client of a trial board. Holds no state between calls, so one can serve a whole program. */
export class TrialBoardClient extends Methods {
    #transport;
    /** Throws a TypeError for options that can never work. */
    constructor(options) {
        super();
        this.#transport = new Transport(options);
    }
    /** Calls an operation by the name of its method. Rejects with a TrialBoardError, or the reason of the signal. */
    async call(name, given, options = {}) {
        const prepared = this.#transport.prepare(name, OPERATIONS[name], given, options);
        return (await this.#transport.call(prepared));
    }
    /** Every page of a list from the one that the arguments ask for, each as its whole answer. */
    async *pages(name, given, options = {}) {
        let next = given;
        while (next !== null) {
            const answer = await this.call(name, next, options);
            yield answer;
            next = nextArguments(OPERATIONS[name], { ...next }, answer);
        }
    }
    /** Every item of a list, page after page. */
    async *items(name, given, options = {}) {
        for await (const answer of this.pages(name, given, options)) {
            yield* itemsIn(OPERATIONS[name], answer);
        }
    }
    /**
     * Every event of the change feed after a cursor, and then each new one as it is posted: none is skipped, none comes
     * twice, however old the cursor is. The `ts` of an event is the cursor after it. Goes on through failures that may
     * pass. Ends when it is left, or throws the reason of the signal.
     */
    follow(given = {}, options = {}) {
        return follow(this.#transport, given, options);
    }
    /** Every event of the board after a cursor, however old, up to the newest at the time of the call. */
    exportChanges(given = {}, options = {}) {
        return exportChanges(this.#transport, given, options);
    }
}
export { TrialBoardError };
