/** `forgeline pipeline badge`: what a README needs to show the status or the coverage of a branch. */
import { Command, Option } from "commander";
import { valueOf } from "../../connection/api.ts";
import { contextOf } from "../../context.ts";
import { omitUndefined } from "../../options/omit-undefined.ts";

interface Flags {
  branch?: string;
  pipeline?: string;
  coverage?: true;
}

export function badgeCommand(): Command {
  return new Command("badge")
    .description("Print Markdown that shows the status or the coverage of a branch as a badge")
    .option("--branch <branch>", "this branch (default: the default branch)")
    .option("--pipeline <file>", "only this pipeline file")
    .addOption(new Option("--coverage", "how much tests cover, instead of the status").conflicts("pipeline"))
    .action(async ({ coverage, ...flags }: Flags, command: Command) => {
      const context = await contextOf(command);
      const path = await context.repository();
      const repository = await valueOf(context.api.GET("/repos/{owner}/{repo}", { params: { path } }));
      const query = new URLSearchParams(omitUndefined(flags)).toString();
      const kind = coverage ? "coverage" : "pipeline";
      const imageUrl = `${repository.url}/badges/${kind}.svg${query && `?${query}`}`;
      const pageUrl = `${repository.web_url}/pipelines${coverage ? "/coverage" : ""}`;
      const markdown = `[![${kind}](${imageUrl})](${pageUrl})`;
      context.print({ image_url: imageUrl, page_url: pageUrl, markdown }, () => markdown);
    });
}
