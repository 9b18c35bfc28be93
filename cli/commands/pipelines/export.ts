/** `forgeline pipeline export`: the history of runs as JSON lines. */
import { Command } from "commander";
import { openStream } from "../../connection/stream.ts";
import { contextOf, type CliContext } from "../../context.ts";
import { printStream } from "../../output/print-stream.ts";

interface Flags {
  since?: string;
  until?: string;
  org?: string;
}

export function exportCommand(): Command {
  return new Command("export")
    .description("Print runs that have ended, one line of JSON each")
    .option("--since <time>", "only runs that ended then or later, such as 2026-11-01T00:00:00Z")
    .option("--until <time>", "only runs that ended before")
    .option("--org <name>", "of all repositories of an organization that you can read")
    .action(async ({ since, until, org }: Flags, command: Command) => {
      const context = await contextOf(command);
      const { place, absent } = org === undefined ? await ofRepository(context) : ofOrganization(org);
      const request = {
        path: `${place}/pipelines/export`,
        query: { ...(since ? { since } : {}), ...(until ? { until } : {}) },
        accept: "application/x-ndjson",
      };
      await printStream(await openStream(context.connection, request, absent));
    });
}

async function ofRepository(context: CliContext): Promise<{ place: string; absent: string }> {
  const { owner, repo } = await context.repository();
  const place = `/repos/${[owner, repo].map(encodeURIComponent).join("/")}`;
  return { place, absent: `there is no repository ${owner}/${repo} whose runs you may read` };
}

function ofOrganization(org: string): { place: string; absent: string } {
  return {
    place: `/orgs/${encodeURIComponent(org)}`,
    absent: `you are no member of an organization ${org}`,
  };
}
