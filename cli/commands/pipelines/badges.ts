/** `forgeline pipeline badge`: what a README needs to show the status of a branch. */
import { Command } from "commander";
import { valueOf } from "../../connection/api.ts";
import { contextOf } from "../../context.ts";
import { omitUndefined } from "../../options/omit-undefined.ts";

interface Flags {
  branch?: string;
  pipeline?: string;
}

export function badgeCommand(): Command {
  return new Command("badge")
    .description("Print Markdown that shows the status of a branch as a badge")
    .option("--branch <branch>", "this branch (default: the default branch)")
    .option("--pipeline <file>", "only this pipeline file")
    .action(async (flags: Flags, command: Command) => {
      const context = await contextOf(command);
      const path = await context.repository();
      const repository = await valueOf(context.api.GET("/repos/{owner}/{repo}", { params: { path } }));
      const query = new URLSearchParams(omitUndefined(flags)).toString();
      const imageUrl = `${repository.url}/badges/pipeline.svg${query && `?${query}`}`;
      const pageUrl = `${repository.web_url}/pipelines`;
      const markdown = `[![pipeline](${imageUrl})](${pageUrl})`;
      context.print({ image_url: imageUrl, page_url: pageUrl, markdown }, () => markdown);
    });
}
