/** The text of a new comment, kept beside the page: a key renders the field anew, and not the whole conversation above it. */
import { useSyncExternalStore } from "react";
import { withQuote } from "./quote.ts";

/** Its functions stay the same and need no object. */
export interface NewComment {
  read: () => string;
  write: (text: string) => void;
  /** Adds what somebody has said, ready for the answer. */
  quote: (said: string) => void;
  subscribe: (onChange: () => void) => () => void;
}

export function createNewComment(): NewComment {
  let typed = "";
  const listeners = new Set<() => void>();
  const write = (text: string) => {
    typed = text;
    for (const listener of listeners) listener();
  };
  return {
    read: () => typed,
    write,
    quote: (said) => write(withQuote(typed, said)),
    subscribe(onChange) {
      listeners.add(onChange);
      return () => listeners.delete(onChange);
    },
  };
}

export function useTyped({ read, subscribe }: NewComment): string {
  return useSyncExternalStore(subscribe, read);
}
