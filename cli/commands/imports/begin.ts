/** `forgeline import github|gitlab|retry`. */
import { setTimeout as sleep } from "node:timers/promises";
import { Option, type Command } from "commander";
import { importKinds } from "@forgeline/client/generated/choices.ts";
import type { Schemas } from "@forgeline/client/schemas.ts";
import { valueOf } from "../../connection/api.ts";
import { UsageError } from "../../connection/settings.ts";
import { contextOf, type CliContext } from "../../context.ts";
import { listed } from "../../options/listed.ts";
import { omitUndefined } from "../../options/omit-undefined.ts";
import { collectPair } from "../../options/pairs.ts";
import { readSecretFile } from "../../options/read-file.ts";
import { withArchive } from "./archives.ts";
import { hasEnded, renderImport, type Import } from "./render.ts";

interface BeginOptions {
  to?: string;
  api?: string;
  tokenFile?: string;
  archive?: string;
  visibility?: Schemas["Visibility"];
  include?: string;
  user?: Record<string, string>;
  wait?: boolean;
}

const lookEveryMs = 1_000;

export function addBeginCommands(imports: Command): void {
  addOptions(imports.command("github <owner/name>"))
    .description("Import a repository of GitHub")
    .action((name: string, options: BeginOptions, command: Command) =>
      begin("github", name, options, command),
    );
  addOptions(imports.command("gitlab <path>"))
    .description("Import a project of GitLab")
    .action((path: string, options: BeginOptions, command: Command) =>
      begin("gitlab", path, options, command),
    );
  imports
    .command("retry <id>")
    .description("Go on with an import that has failed or was stopped")
    .option("--token-file <file>", "file with the token of the other host")
    .option("--wait", "wait for its end; exit status 1 if it fails")
    .action(retry);
}

function addOptions(command: Command): Command {
  return command
    .option("--to <owner/name>", "the new repository (default: yours, with the name that it has there)")
    .option("--token-file <file>", "file with a token that may read the repository there")
    .option("--archive <file>", "an export of it to read (.tar.gz), so that the other host is asked nothing")
    .option(
      "--api <url>",
      "API of an own server, https://HOST/api/v3 of GitHub or https://HOST/api/v4 of GitLab",
    )
    .addOption(
      new Option("--visibility <visibility>", "who sees it (default: private)").choices([
        "private",
        "internal",
        "public",
      ]),
    )
    .option(
      "--include <list>",
      `what comes besides branches and tags: ${importKinds.join(",")} (default: all)`,
    )
    .option("--user <login=name>", "who somebody there is here; may be repeated", collectPair)
    .option("--wait", "wait for its end; exit status 1 if it fails");
}

async function begin(
  source: Schemas["ImportCreate"]["source"],
  repository: string,
  options: BeginOptions,
  command: Command,
): Promise<void> {
  const wanted = { source, repository, ...(await bodyOf(options)) };
  const context = await contextOf(command);
  const { archive: file } = options;
  const post = (archive?: string) =>
    valueOf(context.api.POST("/imports", { body: { ...wanted, ...omitUndefined({ archive }) } }));
  const begun = file === undefined ? await post() : await withArchive(context, file, post);
  await show(context, begun, options);
}

async function bodyOf({ to, api, visibility, include, user, tokenFile }: BeginOptions) {
  const [owner, name, ...more] = to?.split("/") ?? [];
  if (to !== undefined && (!owner || !name || more.length > 0))
    throw new UsageError("--to names the new repository: OWNER/NAME");
  return {
    visibility: visibility ?? "private",
    include: include === undefined ? [...importKinds] : listed(include).map(kindOf),
    users: user ?? {},
    ...omitUndefined({ owner, name, api_url: api, token: tokenFile && (await readSecretFile(tokenFile)) }),
  };
}

function kindOf(text: string): (typeof importKinds)[number] {
  const kind = importKinds.find((each) => each === text.replaceAll("-", "_"));
  if (!kind) throw new UsageError(`--include has no ${text}; there are ${importKinds.join(", ")}`);
  return kind;
}

interface RetryOptions {
  tokenFile?: string;
  wait?: boolean;
}

async function retry(id: string, options: RetryOptions, command: Command): Promise<void> {
  const { tokenFile } = options;
  const body = tokenFile === undefined ? {} : { token: await readSecretFile(tokenFile) };
  const context = await contextOf(command);
  const again = await valueOf(context.api.POST("/imports/{id}/retry", { params: { path: { id } }, body }));
  await show(context, again, options);
}

async function show(context: CliContext, begun: Import, { wait }: RetryOptions): Promise<void> {
  const shown = wait ? await untilEnded(context, begun) : begun;
  context.print(shown, () => renderImport(shown));
  if (wait && shown.state !== "done") process.exitCode = 1;
}

async function untilEnded({ api }: CliContext, begun: Import): Promise<Import> {
  const { id } = begun;
  for (let shown = begun; ; await sleep(lookEveryMs)) {
    if (hasEnded(shown)) return shown;
    shown = await valueOf(api.GET("/imports/{id}", { params: { path: { id } } }));
  }
}
