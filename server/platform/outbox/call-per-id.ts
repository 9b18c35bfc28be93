/** For intents that only name what is to be looked at: however many wait for one, one call is enough. */
import type { OutboxHandler } from "./outbox.ts";

/** `key` is the prefix of their keys, `<key>:<id>`. */
export function callPerId(kind: string, key: string, call: (id: string) => Promise<void>): OutboxHandler {
  return (items) => {
    const id = items[0]?.key.slice(key.length + 1) ?? "";
    return [{ kind, items: [...items], call: () => call(id) }];
  };
}
