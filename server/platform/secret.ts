/** A secret of the configuration: whatever prints, logs or serialises it shows `[redacted]`; only `reveal` gives it. */
import { inspect } from "node:util";

const shown = "[redacted]";

export class Secret {
  readonly #value: string;

  constructor(value: string) {
    this.#value = value;
  }

  reveal(): string {
    return this.#value;
  }

  toString(): string {
    return shown;
  }

  toJSON(): string {
    return shown;
  }

  [inspect.custom](): string {
    return shown;
  }
}
