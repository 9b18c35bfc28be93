/** A webhook's life, of a repository or an organization in which something has happened. Nothing is sent: that takes a worker. */
import type { Driver } from "./driver.ts";

export async function changeWebhooks(
  { change }: Driver,
  { by, noun, place }: { by: string; noun: string; place: Record<string, string> },
): Promise<void> {
  const body = { url: "https://hooks.example.com/", events: ["push"] };
  const { json } = await change(`create${noun}`, { by, path: place, body });
  const hook = { ...place, id: json.id as string };
  await change(`update${noun}`, { by, path: hook, body: { ordered: true } });
  const ping = await change(`ping${noun}`, { by, path: hook });
  await change(`test${noun}`, { by, path: hook, body: { event: "repository" } });
  const delivery = { ...hook, delivery: ping.json.id as string };
  await change(`redeliver${noun}Delivery`, { by, path: delivery });
  await change(`redeliver${noun}Deliveries`, { by, path: hook, body: { status: "pending" } });
  await change(`delete${noun}`, { by, path: hook });
}
