/**
 * `repair`: after a restore, reconciles database, repositories and objects, and prints the findings as one line of JSON;
 * operators find the same as text in a file under `DATA_DIR/repairs`. No server of the instance may run meanwhile.
 */
import { mkdir, writeFile } from "node:fs/promises";
import { join } from "node:path";
import type { Config } from "../config/config.ts";
import { createContainer } from "../container.ts";
import { renderFindings } from "../domains/upkeep/domain.ts";

export async function repair(config: Config): Promise<void> {
  const container = await createContainer(config, { role: "command" });
  try {
    const findings = await container.upkeep.repair.run();
    const at = new Date();
    const directory = join(config.dataDir, "repairs");
    const file = join(directory, `${at.toISOString().replaceAll(":", "")}.txt`);
    await mkdir(directory, { recursive: true, mode: 0o700 });
    await writeFile(file, renderFindings(findings, at), { mode: 0o600 });
    process.stdout.write(`${JSON.stringify({ findings, file })}\n`);
  } finally {
    await container.close();
  }
}
