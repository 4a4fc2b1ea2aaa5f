import { jsonOf } from './written-json.ts';

/** `_meta` of an answer that is given again, without the fields that every `_meta` has. Its JSON is written once; nobody may change it. */
export class WrittenMeta {
  readonly members: Readonly<Record<string, unknown>>;
  #end: Buffer<ArrayBuffer> | null = null;

  constructor(members: Readonly<Record<string, unknown>>) {
    this.members = members;
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
  of(dependsOn: readonly unknown[], members: () => Record<string, unknown>): WrittenMeta {
    const known = this.#written;
    if (known !== null && dependsOn.every((one, place) => one === this.#dependsOn[place])) return known;
    this.#dependsOn = dependsOn;
    this.#written = new WrittenMeta(members());
    return this.#written;
  }
}
