/** `forgeline mr conflicts`. */
import type { Command } from "commander";
import type { Schemas } from "@forgeline/client/schemas.ts";
import { valueOf } from "../../connection/api.ts";
import { contextOf } from "../../context.ts";
import { renderList } from "../../output/table.ts";
import { parseNumber } from "../merge-requests/show.ts";

export function addConflictsCommand(mr: Command): void {
  mr.command("conflicts <number>")
    .description("List the files that both branches of a merge request changed so that they conflict")
    .action(list);
}

async function list(text: string, _options: object, command: Command): Promise<void> {
  const { api, print, repository } = await contextOf(command);
  const params = { path: { ...(await repository()), number: parseNumber(text) } };
  const found = await valueOf(api.GET("/repos/{owner}/{repo}/merge-requests/{number}/conflicts", { params }));
  const rows = found.files.map(({ path, kind, choices }) => [path, words[kind], choices.join(", ") || "Git"]);
  const more = found.truncated ? "\nthere are more; at most 100 are listed" : "";
  print(found, () => renderList("conflicts", ["FILE", "WHAT", "RESOLVED BY"], rows) + more);
}

const words: Record<Schemas["MergeConflict"]["kind"], string> = {
  content: "both changed the same lines",
  both_added: "both added it",
  deleted_in_source: "source deleted it, target changed it",
  deleted_in_target: "target deleted it, source changed it",
  renamed: "renamed",
  binary: "both changed it, no text",
  mode: "other permissions",
  symlink: "both changed the link",
  submodule: "both changed the submodule",
  directory: "file and directory",
};
