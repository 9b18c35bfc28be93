/**
 * Whether the server can be reached and the session still counts, as answers show it. Pages keep what they show and what was
 * typed meanwhile; `useConnection` is for the frame, which tells it.
 */
import { useSyncExternalStore } from "react";

export type Connection = "well" | "lost" | "signed-out";

let connection: Connection = "well";
const listeners = new Set<() => void>();
/** Set while somebody is signed in: only then does a 401 mean that the session has ended. */
let hasSession = false;

export function useConnection(): Connection {
  return useSyncExternalStore(
    (listener) => {
      listeners.add(listener);
      return () => listeners.delete(listener);
    },
    () => connection,
  );
}

/** Resolves when the server answers again. */
export function connectionIsBack(): Promise<void> {
  return new Promise((resolve) => {
    const look = () => {
      if (connection === "lost") return;
      listeners.delete(look);
      resolve();
    };
    listeners.add(look);
    look();
  });
}

export function setHasSession(has: boolean): void {
  hasSession = has;
  if (has && connection === "signed-out") change("well");
}

/** Whether a refusal may come from a session that has ended unnoticed: what is private is then absent. */
export function mayHaveEnded(status: number | null): boolean {
  return (status === 403 || status === 404) && hasSession && connection === "well";
}

/** `status`: of an answer; null when there was none. */
export function reportAnswer(status: number | null): void {
  if (status === null || status === 502 || status === 503 || status === 504) {
    if (connection === "well" && status === null) change("lost");
    return;
  }
  if (status === 401 && hasSession) change("signed-out");
  else if (connection === "lost") change("well");
}

function change(next: Connection): void {
  if (next === connection) return;
  connection = next;
  for (const listener of listeners) listener();
}
