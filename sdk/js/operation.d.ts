/** One operation of the service, as the client needs it. What is left out is false or empty. */
export interface Operation {
    readonly method: string;
    /** With `{name}` for the arguments in the path. */
    readonly path: string;
    readonly hasBody?: true;
    /** Takes an Idempotency-Key, so that a repeated write is carried out once. */
    readonly keyed?: true;
    /** Holds the answer back for as many seconds as its argument `wait` says. */
    readonly waits?: true;
    /** Answers plain JSON instead of `{data, _meta}`. */
    readonly bare?: true;
    readonly paging?: {
        readonly by: 'page' | 'offset';
        readonly items?: string;
    };
    /** Arguments that do not go under their own name into the query, or the body of an operation that has one. */
    readonly placed?: {
        readonly [argument: string]: Placed;
    };
}
export interface Placed {
    readonly place: 'path' | 'query' | 'body' | 'header';
    readonly target: string;
    /** What is expected of a part of the path. */
    readonly expected?: string;
    /** Its other names; under each of them it is placed too. */
    readonly names?: readonly string[];
}
