/** `forgeline environment create|protect|delete`. */
import type { Command } from "commander";
import type { Schemas } from "@forgeline/client/schemas.ts";
import { environmentProblem } from "@forgeline/compiler/environment-name.ts";
import { ApiError, valueOf } from "../../connection/api.ts";
import { askForName } from "../../connection/ask-for-name.ts";
import { UsageError } from "../../connection/settings.ts";
import { contextOf, type CliContext } from "../../context.ts";
import { terminalSafe } from "../../output/terminal-safe.ts";
import {
  addProtectionOptions,
  changedProtection,
  protectionText,
  type ProtectionFlags,
} from "./protection.ts";

type Environment = Schemas["Environment"];

const at = "/repos/{owner}/{repo}/environments/{name}";

export function addChanges(environment: Command): void {
  environment
    .command("create <name>")
    .description("Create an environment, or confirm one that a job made; its protection stays as it is")
    .action(create);
  addProtectionOptions(environment.command("protect <name>"))
    .description("Protect an environment; what is not named stays as it is. Creates it where there is none")
    .action(protect);
  environment
    .command("delete <name>")
    .description("Delete an environment with its protection, history, variables and secrets")
    .option("-y, --yes", "without asking; needed where there is no terminal")
    .action(remove);
}

async function create(name: string, _options: object, command: Command): Promise<void> {
  const context = await contextOf(command);
  const { before, made } = await put(context, name, {});
  const what = !before ? "is created" : before.confirmed_at === null ? "is confirmed" : "exists already";
  context.print(
    made,
    () => `${terminalSafe(made.name)} ${what}; protection: ${terminalSafe(protectionText(made.protection))}`,
  );
}

async function protect(name: string, flags: ProtectionFlags, command: Command): Promise<void> {
  const context = await contextOf(command);
  const { made } = await put(context, name, flags);
  context.print(made, () => `${terminalSafe(made.name)}: ${terminalSafe(protectionText(made.protection))}`);
}

/** Changes what the flags name. Throws `UsageError` for what cannot be a name. */
async function put(
  { api, repository }: CliContext,
  name: string,
  flags: ProtectionFlags,
): Promise<{ before: Environment | undefined; made: Environment }> {
  const problem = environmentProblem(name);
  if (problem !== null) throw new UsageError(problem);
  const path = { ...(await repository()), name };
  const read = () => valueOf(api.GET(at, { params: { path } }));
  const before = await read().catch((error: unknown) => {
    if (error instanceof ApiError && error.status === 404) return undefined;
    throw error;
  });
  await valueOf(api.PUT(at, { params: { path }, body: changedProtection(before, flags) }));
  return { before, made: await read() };
}

async function remove(name: string, { yes = false }: { yes?: boolean }, command: Command): Promise<void> {
  const { api, print, repository } = await contextOf(command);
  const path = { ...(await repository()), name };
  if (!yes) {
    const found = await valueOf(api.GET(at, { params: { path } }));
    await askForName(found.name, lossOf(found));
  }
  await valueOf(api.DELETE(at, { params: { path } }));
  print({ deleted: name }, () => `deleted ${terminalSafe(name)}`);
}

function lossOf({ name, waiting }: Environment): string {
  const jobs = waiting.length === 1 ? "1 job that waits" : `${waiting.length} jobs that wait`;
  const failing = waiting.length === 0 ? "" : `, and fails ${jobs} for it`;
  return terminalSafe(
    `This deletes the environment ${name} with its protection, history, variables and secrets${failing}.`,
  );
}
