import type { Operation } from '../../contract/operation.ts';
import { PerRequest } from '../limits/per-request.ts';
import { jsonOf } from './written-json.ts';

/** `_meta` of an answer that is given again, without the fields that every `_meta` has. Its JSON is written once; nobody may change it. */
export class WrittenMeta {
  readonly members: Readonly<Record<string, unknown>>;
  /** Whether the request that got this `_meta` would get it again now, with the same data. */
  readonly holds: (now: Date) => boolean;
  #end: Buffer<ArrayBuffer> | null = null;

  constructor(members: Readonly<Record<string, unknown>>, holds: (now: Date) => boolean) {
    this.members = members;
    this.holds = holds;
  }

  /** The end of an envelope from the fields that every `_meta` has: these members, and both closing braces. */
  get end(): Buffer<ArrayBuffer> {
    if (this.#end === null) {
      const members = jsonOf(this.members).slice(1, -1);
      this.#end = Buffer.from(`${members && `,${members}`}}}`);
    }
    return this.#end;
  }
}

/** `_meta` of a kept answer as it was last written, with what it depended on. */
export class LastMeta {
  #dependsOn: readonly unknown[] = [];
  #written: WrittenMeta | null = null;

  /** `dependsOn` is everything besides the kept answer that the members depend on, always in one order. */
  of(
    dependsOn: readonly unknown[],
    members: () => Record<string, unknown>,
    holds: (now: Date) => boolean,
  ): WrittenMeta {
    const known = this.#written;
    if (known !== null && dependsOn.every((one, place) => one === this.#dependsOn[place])) return known;
    this.#dependsOn = dependsOn;
    this.#written = new WrittenMeta(members(), holds);
    return this.#written;
  }
}

/** An answer that is written but for the fields that every `_meta` has. */
export interface WrittenAnswer {
  operation: Operation;
  data: Buffer<ArrayBuffer>;
  meta: WrittenMeta;
}

/** The written answer that a request gets; none where it gets another one. */
export const writtenAnswers = new PerRequest<WrittenAnswer>();

/** `{data, _meta}` in parts; `own` begins the JSON of `_meta`. */
export function bodyOf(
  { data, meta }: WrittenAnswer,
  own: string,
): [string, Buffer<ArrayBuffer>, string, Buffer<ArrayBuffer>] {
  return ['{"data":', data, `,"_meta":${own}`, meta.end];
}
