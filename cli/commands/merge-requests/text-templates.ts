/** `forgeline mr templates`, and the template that a new merge request follows. */
import type { Command } from "commander";
import type { ForgelineClient } from "@forgeline/client/client.ts";
import type { Schemas } from "@forgeline/client/schemas.ts";
import { valueOf } from "../../connection/api.ts";
import type { RepositoryName } from "../../connection/repository.ts";
import { UsageError } from "../../connection/settings.ts";
import { contextOf } from "../../context.ts";
import { printTemplates, templateNamed } from "../issues/text-templates.ts";

export async function listTemplates(_flags: unknown, command: Command): Promise<void> {
  const context = await contextOf(command);
  printTemplates(context, await readTemplates(context.api, await context.repository()));
}

export interface TemplateChoice {
  named: string | undefined;
  /** Whether the only template counts where none is named. */
  takesOnly: boolean;
}

/** Undefined where none is followed. Throws `UsageError` where there is none of that name. */
export async function chooseTemplate(
  api: ForgelineClient,
  target: RepositoryName,
  { named, takesOnly }: TemplateChoice,
): Promise<Schemas["TextTemplate"] | undefined> {
  if (named === undefined && !takesOnly) return undefined;
  const all = await readTemplates(api, target);
  const [only, ...more] = all.templates;
  if (named === undefined) return more.length === 0 ? only : undefined;
  const found = templateNamed(all, named);
  if (found) return found;
  throw new UsageError(`there is no template ${named}: forgeline mr templates lists them`);
}

function readTemplates(api: ForgelineClient, path: RepositoryName): Promise<Schemas["TextTemplates"]> {
  return valueOf(api.GET("/repos/{owner}/{repo}/merge-request-templates", { params: { path } }));
}
