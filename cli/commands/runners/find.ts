/** Runners by what people call them. */
import type { Command } from "commander";
import { valueOf } from "../../connection/api.ts";
import { UsageError } from "../../connection/settings.ts";
import type { CliContext } from "../../context.ts";

export interface OrgOption {
  org?: string;
}

/** Adds `--org`. */
export function withOrg(command: Command): Command {
  return command.option("--org <organization>", "runners of this organization instead of the instance's");
}

export function listRunners(context: CliContext, { org }: OrgOption) {
  const query = { per_page: 100 };
  return org === undefined
    ? valueOf(context.api.GET("/runners", { params: { query } }))
    : valueOf(context.api.GET("/orgs/{org}/runners", { params: { path: { org }, query } }));
}

/** Names need not be unique; an id always is. Runners of a repository are not in the list, their ids pass. */
export async function runnerId(context: CliContext, wanted: string, of: OrgOption): Promise<string> {
  if (wanted.startsWith("rnr_")) return wanted;
  const named = (await listRunners(context, of)).filter((runner) => runner.name === wanted);
  const [one, ...others] = named.map((runner) => runner.id);
  if (one === undefined) throw new UsageError(`there is no runner "${wanted}"; see forgeline runner list`);
  if (others.length > 0)
    throw new UsageError(
      `"${wanted}" is the name of ${named.length} runners: ${[one, ...others].join(", ")}`,
    );
  return one;
}
