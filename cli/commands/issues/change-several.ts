/** One change to several issues; what became of each is said, and the exit status is 1 if one stayed as it was. */
import type { Schemas } from "@forgeline/client/schemas.ts";
import { valueOf } from "../../connection/api.ts";
import type { CliContext } from "../../context.ts";
import { safeLines } from "../../output/safe-lines.ts";

export async function changeSeveral(
  { api, print, repository }: CliContext,
  body: Schemas["IssueBulkUpdate"],
  done: string,
): Promise<void> {
  const params = { path: await repository() };
  const { results } = await valueOf(api.POST("/repos/{owner}/{repo}/issues/bulk", { params, body }));
  const lines = results.map(({ number, result, message }) =>
    result === "ok" ? `${done} #${number}` : `#${number} stays as it was: ${message ?? result}`,
  );
  print(results, () => safeLines(lines.join("\n")));
  if (results.some(({ result }) => result !== "ok")) process.exitCode = 1;
}
