/** Runners by what people call them. */
import { valueOf } from "../../connection/api.ts";
import { UsageError } from "../../connection/settings.ts";
import type { CliContext } from "../../context.ts";

export function listRunners(context: CliContext) {
  return valueOf(context.api.GET("/runners", { params: { query: { per_page: 100 } } }));
}

/** Names need not be unique; an id always is. Runners of a repository are not in the list, their ids pass. */
export async function runnerId(context: CliContext, wanted: string): Promise<string> {
  if (wanted.startsWith("rnr_")) return wanted;
  const named = (await listRunners(context)).filter((runner) => runner.name === wanted);
  const [one, ...others] = named.map((runner) => runner.id);
  if (one === undefined) throw new UsageError(`there is no runner "${wanted}"; see forgeline runner list`);
  if (others.length > 0)
    throw new UsageError(
      `"${wanted}" is the name of ${named.length} runners: ${[one, ...others].join(", ")}`,
    );
  return one;
}
