/** A variable's life, of a repository, an organization or the instance. */
import type { Driver } from "./driver.ts";

export async function changeVariables(
  { change }: Driver,
  { by, noun, place }: { by: string; noun: string; place: Record<string, string> },
): Promise<void> {
  const path = { ...place, name: "REGION" };
  await change(`set${noun}`, { by, path, body: { value: "eu" } });
  await change(`set${noun}`, { by, path, body: { value: "us" } });
  await change(`delete${noun}`, { by, path });
}
