/** A secret's life, of a repository, an organization or the instance. */
import type { Driver } from "./driver.ts";

export async function changeSecrets(
  { change }: Driver,
  { by, noun, place }: { by: string; noun: string; place: Record<string, string> },
): Promise<void> {
  const path = { ...place, name: "KEY" };
  await change(`put${noun}`, { by, path, body: { value: "a long enough value" } });
  if (noun === "InstanceSecret")
    await change(`put${noun}`, { by, path, body: { value: "another value", branches: ["main"] } });
  await change(`delete${noun}`, { by, path });
}
