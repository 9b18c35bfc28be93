/** Parts of the interface in files of their own, fetched when they are first needed. */
import type { ComponentType } from "react";
import { connectionIsBack, reportAnswer } from "./connection.ts";

export function lazyPage<Name extends string>(
  load: () => Promise<Record<Name, ComponentType>>,
  name: Name,
): () => Promise<{ Component: ComponentType }> {
  return async () => ({ Component: (await fetchPart(load))[name] });
}

/** Without a connection it waits for one; a file that the server no longer has, after an update, is an error. */
export async function fetchPart<T>(load: () => Promise<T>): Promise<T> {
  try {
    return await load();
  } catch {
    const answer = await fetch("/healthz", { cache: "no-store" }).catch(() => undefined);
    if (!answer) {
      reportAnswer(null);
      await connectionIsBack();
    }
    return load();
  }
}
