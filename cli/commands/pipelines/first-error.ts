/** `forgeline pipeline logs --first-error`: the line that tells why a run failed. */
import { valueOf } from "../../connection/api.ts";
import { runNotFoundText } from "../../connection/repository.ts";
import type { CliContext } from "../../context.ts";
import { colors } from "../../output/colors.ts";
import { renderMatch } from "../../output/log-matches.ts";

/** Sets the exit status to 1 if there is none. */
export async function showFirstError(
  context: CliContext,
  id: string,
  job: string | undefined,
): Promise<void> {
  const path = { ...(await context.repository()), id };
  const query = job === undefined ? {} : { job };
  const found = await valueOf(
    context.api.GET("/repos/{owner}/{repo}/pipelines/{id}/logs/first-error", { params: { path, query } }),
    runNotFoundText(path, id),
  );
  const { line } = found;
  if (!line) process.exitCode = 1;
  context.print(found, () => {
    if (!line) return "No job of this run has failed and written a log.";
    const last =
      found.found_by === "last_line" ? colors.dim("No line looks like an error; the last one:\n") : "";
    return `${last}${renderMatch(line, { hasRun: false })}\n${colors.dim(line.web_url)}`;
  });
}
