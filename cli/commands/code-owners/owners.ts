/** `forgeline codeowners owners`: who owns paths, and which line says so. */
import { Command } from "commander";
import type { Schemas } from "@forgeline/client/schemas.ts";
import { valueOf } from "../../connection/api.ts";
import { UsageError } from "../../connection/settings.ts";
import { contextOf } from "../../context.ts";
import { omitUndefined } from "../../options/omit-undefined.ts";
import { renderTable } from "../../output/table.ts";

/** Each is one request. */
const maxPaths = 100;

export function ownersCommand(): Command {
  return new Command("owners")
    .description("Show who owns paths, as the CODEOWNERS file on the server says")
    .argument("<paths...>", "paths from the top of the repository; they do not have to exist")
    .option("--ref <ref>", "branch, tag or full commit id (default: the default branch)")
    .action(async (paths: string[], { ref }: { ref?: string }, command: Command) => {
      if (paths.length > maxPaths) throw new UsageError(`name at most ${maxPaths} paths at once`);
      const { api, repository, print } = await contextOf(command);
      const where = await repository();
      const found: Schemas["PathOwners"][] = [];
      for (const path of paths) {
        const params = { path: where, query: { path, ...omitUndefined({ ref }) } };
        found.push(await valueOf(api.GET("/repos/{owner}/{repo}/codeowners/owners", { params })));
      }
      print(found, () =>
        renderTable(["PATH", "OWNERS", "LINE", "PATTERN", "SECTION"], found.flatMap(rowsOf)),
      );
    });
}

function rowsOf({ file, path, rules }: Schemas["PathOwners"]): string[][] {
  const shown = path ?? "";
  if (file === null) return [[shown, "nobody: there is no CODEOWNERS file", "", "", ""]];
  if (rules.length === 0) return [[shown, "nobody", "", "", ""]];
  return rules.map(({ owners, line, pattern, section }) => [
    shown,
    owners.map(({ name }) => name).join(" ") || "nobody",
    `${file}:${line}`,
    pattern,
    section ?? "",
  ]);
}
