/** The commands of `forgeline`, and what is said when one fails. */
import { Command, CommanderError } from "commander";
import { adminCommand } from "./commands/administration/index.ts";
import { appCommand } from "./commands/oauth/app.ts";
import { artifactCommand } from "./commands/artifacts/index.ts";
import { attachmentCommand } from "./commands/attachments/index.ts";
import { cacheCommand } from "./commands/caches/index.ts";
import { testCommand } from "./commands/tests/index.ts";
import { auditCommand } from "./commands/audit.ts";
import { botCommand } from "./commands/bots/index.ts";
import { branchCommand } from "./commands/branches/branch.ts";
import { commitCommand } from "./commands/commits/index.ts";
import { codeOwnersCommand } from "./commands/code-owners/index.ts";
import { execCommand } from "./commands/exec/index.ts";
import { convertCommand } from "./commands/convert/index.ts";
import { fileCommand } from "./commands/contents.ts";
import { grantCommand } from "./commands/oauth/grant.ts";
import { loginCommand } from "./commands/login.ts";
import { mrCommand } from "./commands/merge-requests/index.ts";
import { reviewCommand } from "./commands/reviews/index.ts";
import { gpgKeyCommand } from "./commands/gpg-keys/index.ts";
import { importCommand } from "./commands/imports/index.ts";
import { issueCommand } from "./commands/issues/index.ts";
import { labelCommand } from "./commands/labels/index.ts";
import { notificationCommand } from "./commands/notifications/index.ts";
import { boardCommand } from "./commands/boards/index.ts";
import { filterCommand } from "./commands/saved-filters/index.ts";
import { searchCommand } from "./commands/search/index.ts";
import { milestoneCommand } from "./commands/milestones/index.ts";
import { orgCommand } from "./commands/organizations/index.ts";
import { pipelineCommand } from "./commands/pipelines/index.ts";
import { logsCommand } from "./commands/pipelines/logs.ts";
import { coverageCommand } from "./commands/coverage/index.ts";
import { repoCommand } from "./commands/repositories/index.ts";
import { runnerCommand } from "./commands/runners/index.ts";
import { storageCommand } from "./commands/storage.ts";
import { tagCommand } from "./commands/branches/tag.ts";
import { teamCommand } from "./commands/teams/index.ts";
import { tokenCommand } from "./commands/tokens.ts";
import { trustCommand } from "./commands/trust.ts";
import { mirrorCommand } from "./commands/mirrors/index.ts";
import { pushMirrorCommand } from "./commands/push-mirrors/index.ts";
import { scheduleCommand } from "./commands/schedules/index.ts";
import { environmentCommand } from "./commands/environments/index.ts";
import { retentionCommand } from "./commands/retention/index.ts";
import { variableCommand } from "./commands/variables/index.ts";
import { secretCommand } from "./commands/secrets/index.ts";
import { webhookCommand } from "./commands/webhooks/index.ts";
import { ApiError } from "./connection/api.ts";
import { UsageError } from "./connection/settings.ts";
import { optionOfField, withOptionNames } from "./options/field-options.ts";
import { refuseEmptyArguments } from "./options/empty-arguments.ts";
import { errorColors } from "./output/colors.ts";
import manifest from "./package.json" with { type: "json" };

/** Only `token create` takes several; everywhere else the last one counts. */
function collect(value: string, before: readonly string[] = []): string[] {
  return [...before, value];
}

/** Runs one command, as `process.argv.slice(2)` has it. What it comes to is in `process.exitCode`. */
export async function runCommandLine(args: readonly string[]): Promise<void> {
  const program = createProgram();
  let running = program;
  program.hook("preAction", (_program, command) => {
    running = command;
    refuseEmptyArguments(command);
  });
  try {
    await program.parseAsync(args, { from: "user" });
  } catch (error) {
    process.exitCode = report(error as Error, running);
  }
}

/** All of them, not run yet. */
export function createProgram(): Command {
  const program = new Command("forgeline")
    .description("Forgeline's command line: pipelines, runners, repositories, organizations and access.")
    .version(manifest.version)
    .option("--url <url>", "server, https://HOST (default: the running instance or the last login)")
    .option("--token <token>", "access token (better: FORGELINE_TOKEN, or forgeline login)")
    .option("--ca-file <file>", "PEM of an authority to trust in addition to the system's")
    .option("-R, --repo <owner/name>", "repository (default: the one of this checkout)", collect)
    .option("--json", "print JSON")
    .showHelpAfterError("(add --help for what is possible)")
    .exitOverride();

  for (const command of allCommands()) program.addCommand(inheritErrors(program, command));
  return program;
}

/** For issues, and what is on them. */
function issueCommands(): Command[] {
  return [
    issueCommand(),
    attachmentCommand(),
    labelCommand(),
    milestoneCommand(),
    boardCommand(),
    filterCommand(),
    searchCommand(),
  ];
}

function allCommands(): Command[] {
  return [
    loginCommand(),
    pipelineCommand(),
    logsCommand(),
    execCommand(),
    convertCommand(),
    artifactCommand(),
    cacheCommand(),
    testCommand(),
    coverageCommand(),
    mrCommand(),
    reviewCommand(),
    scheduleCommand(),
    mirrorCommand(),
    pushMirrorCommand(),
    variableCommand(),
    retentionCommand(),
    environmentCommand(),
    webhookCommand(),
    secretCommand(),
    runnerCommand(),
    repoCommand(),
    importCommand(),
    ...issueCommands(),
    branchCommand(),
    tagCommand(),
    commitCommand(),
    fileCommand(),
    codeOwnersCommand(),
    orgCommand(),
    teamCommand(),
    botCommand(),
    ...ownCommands(),
    storageCommand(),
    auditCommand(),
    adminCommand(),
    trustCommand(),
  ];
}

/** What is somebody's own. */
function ownCommands(): Command[] {
  return [notificationCommand(), tokenCommand(), gpgKeyCommand(), appCommand(), grantCommand()];
}

function inheritErrors(program: Command, command: Command): Command {
  command.copyInheritedSettings(program);
  for (const child of command.commands) inheritErrors(program, child);
  return command;
}

function report(error: Error, command: Command): number {
  if (error instanceof CommanderError) return error.exitCode === 0 ? 0 : 2;
  const text = error instanceof ApiError ? refusalText(error, command) : withCause(error);
  const message = command.optsWithGlobals<{ json?: boolean }>().json
    ? JSON.stringify({ error: text })
    : `${errorColors.red("error:")} ${text}`;
  process.stderr.write(`${message}\n`);
  return error instanceof UsageError ? 2 : 1;
}

/** What the server said, in the words of the command line: options in place of fields. */
function refusalText({ message, fields }: ApiError, command: Command): string {
  const others = fields.map(
    (each) => `  ${optionOfField(each.field, command) ?? each.field}: ${each.message}`,
  );
  return withOptionNames([message, ...others].join("\n"), command);
}

/** Of undici, whose own message says little, the cause; of all others the message, and the cause behind it. */
function withCause(error: Error): string {
  const cause = error.cause as (Error & { code?: string }) | undefined;
  const why = cause?.code ?? cause?.message;
  if (error.message === "fetch failed") return `cannot reach the server (${why ?? "no answer"})`;
  return why === undefined ? error.message : `${error.message} (${why})`;
}
