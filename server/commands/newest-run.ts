/**
 * `newest-run --repo OWNER/NAME`: prints the repository's newest run as one line of JSON, or `null` where there is none. For whoever may read
 * the server's settings, such as `npm start`: it needs no token, and so spends no person's limit.
 */
import { parseArgs } from "node:util";
import { PipelineListQuery } from "@forgeline/schemas/pipelines/routes.ts";
import type { Config } from "../config/config.ts";
import { createContainer } from "../container.ts";
import { systemActor } from "../platform/access/actor.ts";

export async function newestRun(config: Config, args: string[]): Promise<void> {
  const { values } = parseArgs({ args, options: { repo: { type: "string", default: "" } } });
  const [owner = "", name = ""] = values.repo.split("/");
  const container = await createContainer(config, { role: "command" });
  try {
    const found = await container.hosting.repositoryAccess.find(owner, name, systemActor);
    const query = PipelineListQuery.parse({ per_page: "1" });
    const list = found && (await container.pipelines.pipelines.list(found.repository, query));
    process.stdout.write(`${JSON.stringify(list?.items[0] ?? null)}\n`);
  } finally {
    await container.close();
  }
}
