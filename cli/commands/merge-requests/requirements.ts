/** `forgeline mr approvals|checks`: what the rules of the target branch want, and what is there. */
import type { Command } from "commander";
import type { Schemas } from "@forgeline/client/schemas.ts";
import { valueOf } from "../../connection/api.ts";
import { everyPage } from "../../connection/pages.ts";
import { contextOf } from "../../context.ts";
import { renderFields } from "../../output/fields.ts";
import { renderList } from "../../output/table.ts";
import { parseNumber } from "./show.ts";

export function addRequirementCommands(mr: Command): void {
  mr.command("approvals <number>")
    .description("Show which approvals a merge request needs and has, and what else stands in its way")
    .action(approvals);
  mr.command("checks <number>")
    .description("Show the runs and jobs that have to pass before a merge request can be merged")
    .action(checks);
}

async function approvals(text: string, _options: object, command: Command): Promise<void> {
  const { api, print, repository } = await contextOf(command);
  const path = { ...(await repository()), number: parseNumber(text) };
  const found = await valueOf(
    api.GET("/repos/{owner}/{repo}/merge-requests/{number}/approvals", { params: { path } }),
  );
  print(found, () => renderApprovals(found));
}

function renderApprovals(found: Schemas["MergeRequestApprovals"]): string {
  const said = { approved: "approved", changes_requested: "requested changes" };
  return renderFields([
    ["approvals", `${found.given} of ${found.required}`],
    ...found.by.map(({ user, state, counts, stale }) => {
      const marks = [...(stale ? ["an older head"] : []), ...(counts ? [] : ["does not count"])];
      return [`@${user.username}`, [said[state], ...marks].join(", ")] as const;
    }),
    ...found.code_owners.map(({ pattern, owners, missing }) => {
      const standing = missing === 0 ? "approved" : `${missing} missing of ${owners.join(" ")}`;
      return [`owners of ${pattern}`, standing] as const;
    }),
    ...found.unsigned_commits.map(
      ({ sha, reason }) => ["not signed", `${sha.slice(0, 12)} ${reason.replaceAll("_", " ")}`] as const,
    ),
    ["merge by", found.strategies.join(", ")],
    ...found.blocked_by.map((reason) => ["blocked by", reason] as const),
  ]);
}

async function checks(text: string, _options: object, command: Command): Promise<void> {
  const { api, print, repository } = await contextOf(command);
  const path = { ...(await repository()), number: parseNumber(text) };
  const found = await everyPage((query) =>
    api.GET("/repos/{owner}/{repo}/merge-requests/{number}/checks", { params: { path, query } }),
  );
  const rows = found.map(({ pipeline, job, state, run }) => [
    job === null ? pipeline : `${pipeline}#${job}`,
    state,
    run ? `#${run.number}` : "",
  ]);
  print(found, () => renderList("required checks", ["CHECK", "STATE", "RUN"], rows));
}
