/** `forgeline pipeline annotations`, of a run or of a commit. */
import { Command, Option } from "commander";
import { annotationLevels } from "@forgeline/client/generated/choices.ts";
import { everyPage } from "../../connection/pages.ts";
import { UsageError } from "../../connection/settings.ts";
import { contextOf, type CliContext } from "../../context.ts";
import { renderList } from "../../output/table.ts";

interface Filter {
  level?: (typeof annotationLevels)[number];
  path?: string;
}

interface Options extends Filter {
  commit?: string;
}

export function annotationsCommand(): Command {
  return new Command("annotations")
    .argument("[run]", "id or number; without one, the newest runs of a commit")
    .description("What jobs noted at lines of code, errors first")
    .option("--commit <ref>", "a branch, a tag or a commit (without a run; default: the default branch)")
    .addOption(new Option("--level <level>", "only those of this level").choices(annotationLevels))
    .option("--path <file>", "only those of this file")
    .action(show);
}

async function show(id: string | undefined, flags: Options, command: Command): Promise<void> {
  const context = await contextOf(command);
  const found = await find(context, id, flags);
  context.print(found, () =>
    renderList(
      "annotations",
      ["LEVEL", "PLACE", "JOB", "MESSAGE"],
      found.map(({ level, job, title, message, ...place }) => [
        level,
        placeOf(place),
        job.label,
        title === null ? message : `${title}: ${message}`,
      ]),
    ),
  );
}

async function find({ api, repository }: CliContext, id: string | undefined, flags: Options) {
  const path = await repository();
  const { commit: ref, ...filter } = flags;
  if (id === undefined)
    return everyPage((page) =>
      api.GET("/repos/{owner}/{repo}/annotations", {
        params: { path, query: { ...page, ...filter, ...(ref === undefined ? {} : { ref }) } },
      }),
    );
  if (ref !== undefined) throw new UsageError("--commit goes without a run");
  return everyPage((page) =>
    api.GET("/repos/{owner}/{repo}/pipelines/{id}/annotations", {
      params: { path: { ...path, id }, query: { ...page, ...filter } },
    }),
  );
}

function placeOf({ path, line }: { path: string | null; line: number | null }): string {
  if (path === null) return "";
  return line === null ? path : `${path}:${line}`;
}
