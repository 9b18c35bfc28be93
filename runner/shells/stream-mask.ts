/** Masks a stream that is never kept: what may be the beginning of a secret is held back until more comes, or until it is flushed. */
import { maskChunk } from "../logs/masker.ts";

export class StreamMask {
  readonly #forms: readonly Buffer[];
  #held = Buffer.alloc(0);
  #covered = 0;

  constructor(forms: readonly Buffer[]) {
    this.#forms = forms;
  }

  get isHolding(): boolean {
    return this.#held.length > 0;
  }

  push(chunk: Buffer): Buffer {
    return this.#step(Buffer.concat([this.#held, chunk]), false);
  }

  /** What is held back. A secret that continues after it is not recognized any more. */
  flush(): Buffer {
    return this.#step(this.#held, true);
  }

  #step(raw: Buffer, final: boolean): Buffer {
    const { out, consumed, covered } = maskChunk(this.#forms, { raw, covered: this.#covered, final });
    this.#held = Buffer.from(raw.subarray(consumed));
    this.#covered = covered;
    return out;
  }
}
