import { type ChangeEvent, exportChanges, type FollowArguments, follow } from './changes.ts';
import { TrialBoardError } from './error.ts';
import { Methods } from './methods.ts';
import { OPERATIONS } from './operations.ts';
import type { CallOptions, ClientOptions, Item, ListName, PagedName } from './options.ts';
import { itemsIn, nextArguments } from './paging.ts';
import { Transport } from './transport.ts';
import type { Operations } from './types.ts';

/** Client of a trial board. Holds no state between calls, so one can serve a whole program. */
export class TrialBoardClient extends Methods {
  readonly #transport: Transport;

  /** Throws a TypeError for options that can never work. */
  constructor(options: ClientOptions) {
    super();
    this.#transport = new Transport(options);
  }

  /** Calls an operation by the name of its method. Rejects with a TrialBoardError, or the reason of the signal. */
  override async call<Name extends keyof Operations>(
    name: Name,
    given: Operations[Name]['arguments'],
    options: CallOptions = {},
  ): Promise<Operations[Name]['answer']> {
    const prepared = this.#transport.prepare(name, OPERATIONS[name], given, options);
    return (await this.#transport.call(prepared)) as Operations[Name]['answer'];
  }

  /** Every page of a list from the one that the arguments ask for, each as its whole answer. */
  async *pages<Name extends PagedName>(
    name: Name,
    given: Operations[Name]['arguments'],
    options: CallOptions = {},
  ): AsyncGenerator<Operations[Name]['answer'], void, undefined> {
    let next: Operations[Name]['arguments'] | null = given;
    while (next !== null) {
      const answer: Operations[Name]['answer'] = await this.call(name, next, options);
      yield answer;
      next = nextArguments(OPERATIONS[name], { ...next }, answer) as Operations[Name]['arguments'] | null;
    }
  }

  /** Every item of a list, page after page. */
  async *items<Name extends ListName>(
    name: Name,
    given: Operations[Name]['arguments'],
    options: CallOptions = {},
  ): AsyncGenerator<Item<Name>, void, undefined> {
    for await (const answer of this.pages(name, given, options)) {
      yield* itemsIn(OPERATIONS[name], answer) as Item<Name>[];
    }
  }

  /**
   * Every event of the change feed after a cursor, and then each new one as it is posted: none is skipped, none comes
   * twice, however old the cursor is. The `ts` of an event is the cursor after it. Goes on through failures that may
   * pass. Ends when it is left, or throws the reason of the signal.
   */
  follow(given: FollowArguments = {}, options: CallOptions = {}): AsyncGenerator<ChangeEvent, void, undefined> {
    return follow(this.#transport, given, options);
  }

  /** Every event of the board after a cursor, however old, up to the newest at the time of the call. */
  exportChanges(
    given: { since?: string | undefined } = {},
    options: CallOptions = {},
  ): AsyncGenerator<ChangeEvent, void, undefined> {
    return exportChanges(this.#transport, given, options);
  }
}

// The entry of the package has every type that a caller may want to name.
export type * from './types.ts';
export type { CallOptions, ChangeEvent, ClientOptions, FollowArguments };
export { TrialBoardError };
