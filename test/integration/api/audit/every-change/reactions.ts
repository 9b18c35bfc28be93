/** One reaction to a text, added and taken back. */
import type { Driver } from "./driver.ts";

/** `text`: as the operations name it. */
export async function changeReactions(
  { change }: Driver,
  by: string,
  { text, path }: { text: string; path: Record<string, string> },
): Promise<void> {
  await change(`add${text}Reaction`, { by, path, body: { name: "heart" } });
  await change(`remove${text}Reaction`, { by, path: { ...path, reaction: "heart" } });
}
