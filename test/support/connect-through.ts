/** A runner that reaches its server through a proxy of the test. */
import { readFile, writeFile } from "node:fs/promises";
import { join } from "node:path";

/** The server names its own address at registration; a runner behind a proxy has to keep to the proxy's. */
export async function connectThrough(runnerDirectory: string, address: string): Promise<void> {
  const path = join(runnerDirectory, "runner.json");
  const file = JSON.parse(await readFile(path, "utf8")) as { connect_url: string };
  const url = new URL(file.connect_url);
  url.host = new URL(address).host;
  await writeFile(path, JSON.stringify({ ...file, connect_url: url.href }), { mode: 0o600 });
}
