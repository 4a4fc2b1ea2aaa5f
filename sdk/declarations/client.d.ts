import type { ChangeEvent, FollowArguments } from './changes.ts';
import { TrialBoardError } from './error.ts';
import { Methods } from './methods.ts';
import type { CallOptions, ClientOptions, Item, ListName, PagedName } from './options.ts';
import type { Operations } from './types.ts';
/** Client of a trial board. Holds no state between calls, so one can serve a whole program. */
export declare class TrialBoardClient extends Methods {
  /** Throws a TypeError for options that can never work. */
  constructor(options: ClientOptions);
  /** Calls an operation by the name of its method. Rejects with a TrialBoardError, or the reason of the signal. */
  call<Name extends keyof Operations>(
    name: Name,
    given: Operations[Name]['arguments'],
    options?: CallOptions,
  ): Promise<Operations[Name]['answer']>;
  /** Every page of a list from the one that the arguments ask for, each as its whole answer. */
  pages<Name extends PagedName>(
    name: Name,
    given: Operations[Name]['arguments'],
    options?: CallOptions,
  ): AsyncGenerator<Operations[Name]['answer'], void, undefined>;
  /** Every item of a list, page after page. */
  items<Name extends ListName>(
    name: Name,
    given: Operations[Name]['arguments'],
    options?: CallOptions,
  ): AsyncGenerator<Item<Name>, void, undefined>;
  /**
   * Every event of the change feed after a cursor, and then each new one as it is posted: none is skipped, none comes
   * twice, however old the cursor is. The `ts` of an event is the cursor after it. Goes on through failures that may
   * pass. Ends when it is left, or throws the reason of the signal.
   */
  follow(given?: FollowArguments, options?: CallOptions): AsyncGenerator<ChangeEvent, void, undefined>;
  /** Every event of the board after a cursor, however old, up to the newest at the time of the call. */
  exportChanges(
    given?: {
      since?: string | undefined;
    },
    options?: CallOptions,
  ): AsyncGenerator<ChangeEvent, void, undefined>;
}
export type * from './types.ts';
export type { CallOptions, ChangeEvent, ClientOptions, FollowArguments };
export { TrialBoardError };
