/**
 * `forgeline pipeline plan`: what an event would run and, for the rest, what keeps it out. The server answers for a commit that it has;
 * with `--file` the same code answers here, without any server, or the server answers for the text of that file.
 */
import { Command, Option } from "commander";
import { eventsWithChanges, pipelineEvents } from "@forgeline/client/generated/choices.ts";
import { docsAddress } from "../../connection/docs-address.ts";
import { UsageError } from "../../connection/settings.ts";
import { contextOf, type GlobalFlags } from "../../context.ts";
import { colors } from "../../output/colors.ts";
import { terminalSafe } from "../../output/terminal-safe.ts";
import { readText } from "../../options/read-file.ts";
import { collectPair } from "../../options/pairs.ts";
import { planOffline } from "./plan-offline.ts";
import { planOnServer, type PlannedFile } from "./plan-on-server.ts";
import { renderPlan } from "./plan-view.ts";

export interface PlanFlags {
  event?: (typeof pipelineEvents)[number];
  variable: Record<string, string>;
  input: Record<string, string>;
  ref?: string;
  pipeline?: string;
  file?: string;
  askServer?: boolean;
  branch?: string;
  tag?: string;
  path?: string[];
  before?: string;
  actor?: string;
}

export function planCommand(): Command {
  return new Command("plan")
    .description("Show what an event would run, and why not the rest; exit status 1 when the file has errors")
    .addOption(
      new Option(
        "--event <event>",
        "the event that the run would be for (default: push, or the first that the file lists)",
      ).choices(pipelineEvents),
    )
    .option("--ref <ref>", "branch, tag or commit (default: the default branch)")
    .option("--pipeline <name>", "which of several files in .forgeline/ (default: all that a push runs)")
    .option("-v, --variable <key=value>", "variable of the run; may be repeated", collectPair, {})
    .option("-i, --input <name=value>", "input that the file declares; may be repeated", collectPair, {})
    .option("--file <file>", "a file here instead of one on the server, which is not asked")
    .option(
      "--ask-server",
      "with --file: ask the server, for its variables, secrets, environments and limits",
    )
    .option("--branch <name>", "with --file: the branch of the event (default: the one of this checkout)")
    .option("--tag <name>", "with --file: the tag of the event")
    .addOption(
      new Option("--path <path...>", "files that a push or sync changes (default: any)").conflicts("before"),
    )
    .option("--before <ref>", "branch, tag or commit before a push: what has changed since then")
    .option("--actor <name>", "the user name of who causes the event (default: you)")
    .action(async (flags: PlanFlags, command: Command) => {
      const { file, askServer } = flags;
      refuseMixed(flags);
      const text = file === undefined ? undefined : await readText(file);
      const global = command.optsWithGlobals<GlobalFlags>();
      const planned =
        file === undefined || text === undefined || askServer
          ? await planOnServer(await contextOf(command), flags, text)
          : [{ file: undefined, result: await planOffline({ ...flags, file, text }, global) }];
      const docsUrl = await docsAddress(global);
      const shown = global.json ? jsonOf(planned) : textOf(planned, { flags, text, docsUrl });
      process.stdout.write(`${shown}\n`);
      process.exitCode = planned.every(({ result }) => result.valid) ? 0 : 1;
    });
}

/** The answer of the API; of several files a list, each with the name of its file. */
function jsonOf(planned: readonly PlannedFile[]): string {
  const [first] = planned;
  const isOne = planned.length === 1 && first?.file === undefined;
  const value = isOne ? first?.result : planned.map(({ file, result }) => ({ file, ...result }));
  return JSON.stringify(value, null, 2);
}

function textOf(
  planned: readonly PlannedFile[],
  { flags, ...how }: { flags: PlanFlags; text: string | undefined; docsUrl: string },
): string {
  const parts = planned.map(({ file, result }) => {
    const isChosen = flags.event !== undefined || result.event === "push";
    const heading = [
      ...(file === undefined ? [] : [colors.bold(terminalSafe(file))]),
      ...(isChosen ? [] : [colors.dim(`For the event ${result.event}: the file does not list push.`)]),
    ];
    return [...heading, renderPlan(result, { ...how, before: flags.before })].join("\n");
  });
  return parts.join("\n\n");
}

/** Throws `UsageError`. */
function refuseMixed(flags: PlanFlags): void {
  const { file, askServer, event = "push" } = flags;
  if (askServer && file === undefined) throw new UsageError("--ask-server belongs to --file");
  const isLocal = file !== undefined && !askServer;
  const ofOthers = isLocal ? (["ref", "pipeline", "before"] as const) : (["branch", "tag"] as const);
  const wrong = ofOthers.find((name) => flags[name] !== undefined);
  if (wrong !== undefined && isLocal)
    throw new UsageError(`--${wrong} is about what the server has: add --ask-server`);
  if (wrong !== undefined)
    throw new UsageError(`--${wrong} belongs to --file; the server takes what to plan from --ref`);
  const changes = (["path", "before"] as const).find((name) => flags[name] !== undefined);
  const changing: readonly (typeof event)[] = eventsWithChanges;
  if (changes !== undefined && !changing.includes(event))
    throw new UsageError(`--${changes}: only a push or a sync changes files`);
}
