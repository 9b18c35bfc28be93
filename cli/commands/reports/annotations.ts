/** `forgeline pipeline annotations RUN`. */
import { Command, Option } from "commander";
import { annotationLevels } from "@forgeline/client/generated/choices.ts";
import { everyPage } from "../../connection/pages.ts";
import { contextOf } from "../../context.ts";
import { renderList } from "../../output/table.ts";

interface Options {
  level?: (typeof annotationLevels)[number];
  path?: string;
}

export function annotationsCommand(): Command {
  return new Command("annotations")
    .argument("<run>", "id or number")
    .description("What jobs of a run noted at lines of code, errors first")
    .addOption(new Option("--level <level>", "only those of this level").choices(annotationLevels))
    .option("--path <file>", "only those of this file")
    .action(show);
}

async function show(id: string, filter: Options, command: Command): Promise<void> {
  const context = await contextOf(command);
  const path = { ...(await context.repository()), id };
  const found = await everyPage((page) =>
    context.api.GET("/repos/{owner}/{repo}/pipelines/{id}/annotations", {
      params: { path, query: { ...page, ...filter } },
    }),
  );
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

function placeOf({ path, line }: { path: string | null; line: number | null }): string {
  if (path === null) return "";
  return line === null ? path : `${path}:${line}`;
}
