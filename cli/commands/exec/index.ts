/** `forgeline exec`: runs a pipeline file on this machine, without a server. */
import { resolve } from "node:path";
import { parseEnv } from "node:util";
import { Command } from "commander";
import { renderDiagnostic } from "@forgeline/compiler/render-diagnostic.ts";
import type { Schemas } from "@forgeline/client/schemas.ts";
import { docsAddress } from "../../connection/docs-address.ts";
import type { GlobalFlags } from "../../context.ts";
import { parseCount } from "../../options/count.ts";
import { collectPair } from "../../options/pairs.ts";
import { readText } from "../../options/read-file.ts";
import { renderPlan } from "../pipelines/plan-view.ts";
import { terminalSafe } from "../../output/terminal-safe.ts";
import { exitStatusOf } from "../pipelines/follow.ts";
import { inOurWords, loadExec, type Project } from "./load.ts";
import { followHere } from "./follow.ts";

interface ExecFlags {
  job: string[];
  needs: boolean;
  event?: string;
  branch?: string;
  tag?: string;
  since?: string;
  actor?: string;
  input: Record<string, string>;
  var: Record<string, string>;
  envFile?: string;
  secrets?: string;
  approve?: boolean;
  openNetwork?: boolean;
  privileged?: boolean;
  artifacts?: string;
  commit?: boolean;
  debug?: boolean;
  parallel?: number;
  plan?: boolean;
  logs: boolean;
}

function collect(value: string, before: readonly string[]): string[] {
  return [...before, value];
}

export function execCommand(): Command {
  return new Command("exec")
    .description("Run a pipeline file on this machine, without a server; exit with its result")
    .argument("[file]", "the file, or its name in .forgeline/ (default: the only one)")
    .option("--job <job>", "only this job and what it depends on; may be repeated", collect, [])
    .option("--no-needs", "with --job: not what it depends on")
    .option("--event <event>", "as if this had happened (default: push; tag with --tag; manual with -i)")
    .option("--branch <name>", "as if this branch were checked out")
    .option("--tag <name>", "as if this tag had been pushed")
    .option("--since <commit>", "changed paths are those since this commit")
    .option("--actor <name>", "who caused the event (default: your user name)")
    .option("-i, --input <name=value>", "input that the file declares; may be repeated", collectPair, {})
    .option("-v, --var <key=value>", "variable of the run; may be repeated", collectPair, {})
    .option("--env-file <file>", "variables of the run, one KEY=VALUE a line; --var wins")
    .option("--secrets <file>", "secrets for jobs that name them, one NAME=VALUE a line")
    .option("--approve", "also run what needs approval or deploys to an environment")
    .option("--open-network", "also run jobs whose network the file closes, with an open one")
    .option("--privileged", "also run privileged jobs, which are root on this machine")
    .option("--artifacts <directory>", "keep the files of artifacts there, in JOB/NAME")
    .option("--debug", "print each command before it runs, and more about the set-up")
    .option("--commit", "the last commit, without changes of the working tree")
    .option("--parallel <number>", "jobs at the same time (default: one for each core)", parseCount)
    .option("--plan", "only show what would run, and why the rest would not")
    .option("--no-logs", "show status changes only")
    .action(async (file: string | undefined, flags: ExecFlags, command: Command) => {
      const global = command.optsWithGlobals<GlobalFlags>();
      await inOurWords(() => execute(file, flags, global));
    });
}

async function execute(file: string | undefined, flags: ExecFlags, global: GlobalFlags): Promise<void> {
  const { openProject, prepare } = await loadExec();
  const { job: jobs, needs: withNeeds, commit, input: inputs, var: given, envFile, ...named } = flags;
  const { event, branch, tag, actor, since } = named;
  const project = await openProject({
    directory: process.cwd(),
    file,
    event,
    branch,
    tag,
    actor,
    since,
    inputs,
    variables: { ...(await pairsIn(envFile)), ...given },
    secrets: await pairsIn(flags.secrets),
    approved: flags.approve ?? false,
    debug: flags.debug ?? false,
    openNetwork: flags.openNetwork ?? false,
    privileged: flags.privileged ?? false,
    artifacts: flags.artifacts === undefined ? undefined : resolve(flags.artifacts),
    committed: commit ?? false,
    jobs,
    withNeeds,
  });
  if (flags.plan || (global.json && !project.compiled)) return showPlan(project, global);
  await showDiagnostics(project, global);
  if (!project.compiled) return void (process.exitCode = 1);
  const execution = await prepare(project, { atOnce: flags.parallel });
  const { status } = await followHere(execution, { logs: flags.logs, json: global.json ?? false });
  process.exitCode = exitStatusOf(status);
}

/** With what is wrong with the file. */
async function showPlan(project: Project, global: GlobalFlags): Promise<void> {
  const { gatedJobs, planOf } = await loadExec();
  const plan = planOf(project);
  process.exitCode = plan.valid ? 0 : 1;
  if (global.json) return void process.stdout.write(`${JSON.stringify(plan, null, 2)}\n`);
  // Its optional parts are never there without a value, which their types do not say.
  const shown = renderPlan(plan as Schemas["PlanResult"], {
    text: project.text,
    docsUrl: await docsAddress(global),
  });
  process.stdout.write(`${shown}\n`);
  const gated = project.compiled && !project.request.approved ? gatedJobs(project.compiled.plan) : [];
  if (gated.length > 0)
    process.stdout.write(`\nOnly with --approve: ${gated.map(terminalSafe).join(", ")}\n`);
}

/** As `pipeline lint` shows them, beside the output. */
async function showDiagnostics({ diagnostics, text }: Project, global: GlobalFlags): Promise<void> {
  if (global.json || diagnostics.length === 0) return;
  const docsUrl = await docsAddress(global);
  for (const diagnostic of diagnostics)
    process.stderr.write(`${renderDiagnostic(diagnostic, { text, docsUrl })}\n\n`);
}

/** As `.env` files are written. */
async function pairsIn(file: string | undefined): Promise<Record<string, string>> {
  return file === undefined ? {} : (parseEnv(await readText(file)) as Record<string, string>);
}
