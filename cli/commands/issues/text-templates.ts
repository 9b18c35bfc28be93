/** `forgeline issue templates`, and the template that somebody names. */
import type { Command } from "commander";
import type { Schemas } from "@forgeline/client/schemas.ts";
import { valueOf } from "../../connection/api.ts";
import { UsageError } from "../../connection/settings.ts";
import { contextOf, type CliContext } from "../../context.ts";
import { terminalSafe } from "../../output/terminal-safe.ts";
import { renderList } from "../../output/table.ts";

type Template = Schemas["TextTemplate"];

export async function listTemplates(_flags: unknown, command: Command): Promise<void> {
  const context = await contextOf(command);
  printTemplates(context, await readTemplates(context));
}

/** With what is wrong with others. */
export function printTemplates({ print }: CliContext, found: Schemas["TextTemplates"]): void {
  print(found, () => {
    const rows = found.templates.map(({ name, about, path }) => [name, about, path]);
    const table = renderList("templates", ["name", "about", "path"], rows);
    const wrong = found.errors.map(({ path, line, message }) =>
      terminalSafe(`${path}:${line ?? 1}: ${message}`),
    );
    return [table, ...wrong].filter((part) => part !== "").join("\n");
  });
}

/** Throws `UsageError` where there is none. */
export async function findTemplate(context: CliContext, named: string): Promise<Template> {
  const found = templateNamed(await readTemplates(context), named);
  if (found) return found;
  throw new UsageError(`there is no template ${named}: forgeline issue templates lists them`);
}

/** By path or name, whatever the case. */
export function templateNamed({ templates }: Schemas["TextTemplates"], named: string): Template | undefined {
  const wanted = named.toLowerCase();
  return (
    templates.find(({ path }) => path === named) ??
    templates.find(({ name }) => name.toLowerCase() === wanted)
  );
}

async function readTemplates({ api, repository }: CliContext): Promise<Schemas["TextTemplates"]> {
  const path = await repository();
  return valueOf(api.GET("/repos/{owner}/{repo}/issue-templates", { params: { path } }));
}
