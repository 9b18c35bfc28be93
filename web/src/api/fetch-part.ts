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
  } catch (error) {
    const answer = await fetch("/healthz", { cache: "no-store" }).catch(() => undefined);
    if (!answer) {
      reportAnswer(null);
      await connectionIsBack();
    }
    await fetchStyles(error);
    return load();
  }
}

/** The loader of parts asks for each style sheet once; what it did not get it leaves out from then on. */
async function fetchStyles(error: unknown): Promise<void> {
  const href =
    error instanceof Error ? /^Unable to preload CSS for (\S+)$/.exec(error.message)?.[1] : undefined;
  if (href === undefined) return;
  for (const failed of document.querySelectorAll<HTMLLinkElement>("link[rel=stylesheet]"))
    if (failed.href === new URL(href, location.href).href) failed.remove();
  const link = document.createElement("link");
  link.rel = "stylesheet";
  link.href = href;
  await new Promise<void>((resolve) => {
    link.onload = link.onerror = () => resolve();
    document.head.append(link);
  });
}
