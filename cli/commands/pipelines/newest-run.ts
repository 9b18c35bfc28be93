/** The run that is meant where none is named. */
import { valueOf } from "../../connection/api.ts";
import { UsageError } from "../../connection/settings.ts";
import type { CliContext } from "../../context.ts";

/** Its id. Throws `UsageError` where the repository has none. */
export async function newestRun(context: CliContext): Promise<string> {
  const path = await context.repository();
  const [newest] = await valueOf(
    context.api.GET("/repos/{owner}/{repo}/pipelines", { params: { path, query: { per_page: 1 } } }),
  );
  if (!newest) throw new UsageError(`${path.owner}/${path.repo} has no run yet`);
  return newest.id;
}
