/** `forgeline pipeline approvals`, `approve` and `reject`: what a run, or all runs, wait for from people, and their answers. */
import { Command } from "commander";
import type { Schemas } from "@forgeline/client/schemas.ts";
import { valueOf } from "../../connection/api.ts";
import { everyPage } from "../../connection/pages.ts";
import { runNotFoundText } from "../../connection/repository.ts";
import { UsageError } from "../../connection/settings.ts";
import { contextOf, type CliContext } from "../../context.ts";
import { omitUndefined } from "../../options/omit-undefined.ts";
import { errorColors } from "../../output/colors.ts";
import { renderList } from "../../output/table.ts";
import { optionOf } from "./awaited-approvals.ts";
import { forkSentence, isAsked, isForkApproval } from "./fork-approvals.ts";
import { gateNotes } from "./gate-notes.ts";
import { terminalSafe } from "../../output/terminal-safe.ts";
import { whoMayApprove } from "./who-may-approve.ts";

type Gate = Schemas["ApprovalGate"];
type RunPath = { owner: string; repo: string; id: string };

export function approvalsCommand(): Command {
  return new Command("approvals")
    .description("List what a run waits for from people; without one, what waits for you in all repositories")
    .argument("[run]", "number or id")
    .action(async (id: string | undefined, _flags: object, command: Command) => {
      const context = await contextOf(command);
      if (id === undefined) return listAwaited(context);
      const path = { ...(await context.repository()), id };
      const { approvals: gates, fork_approval: fork } = await runOf(context, path);
      const header = ["GATE", "STATE", "APPROVED", "APPROVERS", "UNTIL", "COMMIT", "GIVEN"];
      const notes = [...(fork ? [forkSentence(fork)] : []), ...gates.flatMap(notesOf)];
      context.print(gates, () => [renderList("approvals", header, gates.map(rowOf)), ...notes].join("\n"));
      warnOfShortages(gates);
    });
}

async function listAwaited(context: CliContext): Promise<void> {
  const { api } = context;
  const awaited = await everyPage((query) => api.GET("/user/approvals", { params: { query } }));
  const header = ["RUN", "GATE", "APPROVED", "APPROVERS", "UNTIL", "COMMIT", "AUTHOR"];
  const rows = awaited.map((each) => {
    const { repository, pipeline } = each;
    const commit = `${pipeline.commit.sha.slice(0, 8)} ${titleOf(pipeline.commit.message)}`.trimEnd();
    return [
      terminalSafe(`${repository}#${pipeline.number}`),
      ...awaitedColumns(each),
      commit,
      pipeline.commit.author,
    ];
  });
  const notes = awaited.flatMap(({ repository, pipeline, approval }) =>
    (approval ? notesOf(approval) : []).map(
      (note) => `${terminalSafe(`${repository}#${pipeline.number}`)} ${note}`,
    ),
  );
  context.print(awaited, () => [renderList("approvals", header, rows), ...notes].join("\n"));
}

/** What it is, how many have approved, who may, and until when. */
function awaitedColumns({ approval, fork_approval: fork }: Schemas["AwaitedApproval"]): string[] {
  if (approval === null)
    return [`commit of !${fork?.merge_request ?? ""}, from a fork`, "0/1", "anyone with Write", ""];
  return [
    nameOf(approval),
    `${counted(approval)}/${approval.count}`,
    whoMayApprove(approval),
    approval.expires_at,
  ];
}

const maxTitleChars = 60;
const titleOf = (message: string) => message.split("\n", 1)[0]?.slice(0, maxTitleChars) ?? "";

/** Below the table, since they are sentences. */
function notesOf(gate: Gate): string[] {
  const said =
    gate.message === null || gate.state !== "open" ? [] : gate.message.split("\n").map((line) => `> ${line}`);
  return [...said.map(terminalSafe), ...gateNotes(gate)].map(
    (note) => `${terminalSafe(nameOf(gate))}: ${note}`,
  );
}

export function approveCommand(): Command {
  return decisionCommand(
    "approve",
    "Approve a stage or job of a run that waits for it, or its commit where that comes from a fork",
  ).option("--trust-author", "of a commit from a fork: ask no more about its author for 90 days");
}

export function rejectCommand(): Command {
  return decisionCommand(
    "reject",
    "Reject a stage or job of a run that waits for approval, or its commit where that comes from a fork",
  );
}

function decisionCommand(decision: "approve" | "reject", description: string): Command {
  return new Command(decision)
    .description(description)
    .argument("<run>", "number or id")
    .option("--stage <name>", "the stage; not needed if only one thing waits")
    .option("--job <key>", "the job, its key or id")
    .option("--environment <name>", "the environment that the job waits for, if there are several")
    .option("-m, --comment <text>", "why; shown with your decision")
    .action(async (id: string, flags: Flags, command: Command) => {
      const context = await contextOf(command);
      const path = { ...(await context.repository()), id };
      const { approvals: before, fork_approval: fork } = await runOf(context, path);
      const named = placeOf(flags);
      const place = named ?? (isAsked(fork) ? {} : placeOfOnly(before, { id, flags }));
      const { comment, trustAuthor } = flags;
      const decided = await valueOf(
        context.api.POST("/repos/{owner}/{repo}/pipelines/{id}/approvals", {
          params: { path },
          body: { ...place, decision, ...omitUndefined({ comment, trust_author: trustAuthor }) },
        }),
        runNotFoundText(path, id),
      );
      if (isForkApproval(decided)) return context.print(decided, () => forkSentence(decided));
      const isNew = !before.some((one) => one.id === decided.id && isSame(one.approvals, decided.approvals));
      context.print(decided, () => resultOf(decided, isNew ? "" : `You have approved it already; `));
      warnOfShortages([decided]);
    });
}

interface Flags {
  stage?: string;
  job?: string;
  environment?: string;
  comment?: string;
  trustAuthor?: true;
}

type Place = { stage: string } | { job: string; environment?: string };

function placeOf({ stage, job, environment }: Flags): Place | undefined {
  if (stage !== undefined && job !== undefined) throw new UsageError("--stage and --job exclude each other");
  if (stage !== undefined) return { stage };
  return job === undefined ? undefined : { job, ...(environment === undefined ? {} : { environment }) };
}

function placeOfOnly(gates: readonly Gate[], { id, flags }: { id: string; flags: Flags }): Place {
  const named = flags.environment?.toLowerCase();
  const open = gates.filter(
    ({ state, environment }) =>
      state === "open" && (named === undefined || environment?.toLowerCase() === named),
  );
  const [gate] = open;
  if (!gate) throw new UsageError(`nothing in ${id} waits for approval`);
  if (open.length > 1)
    throw new UsageError(`several things wait for approval; choose one: ${open.map(optionOf).join(", ")}`);
  if (gate.job === null) return { stage: gate.stage };
  return { job: gate.job, ...(gate.environment === null ? {} : { environment: gate.environment }) };
}

function runOf({ api }: CliContext, path: RunPath): Promise<Schemas["Pipeline"]> {
  const read = api.GET("/repos/{owner}/{repo}/pipelines/{id}", { params: { path } });
  return valueOf(read, runNotFoundText(path, path.id));
}

function nameOf({ stage, job, environment }: Gate): string {
  if (job === null) return `stage ${stage}`;
  return environment === null ? `job ${job}` : `job ${job} to ${environment}`;
}

function counted({ approvals }: Gate): number {
  return approvals.filter(({ decision, counts }) => decision === "approve" && counts).length;
}

function rowOf(gate: Gate): string[] {
  const uncounted = gate.decided_at === null ? " (no longer counts)" : " (did not count)";
  const given = gate.approvals.map(({ user, decision, counts, comment }) => {
    const what = decision === "reject" ? " rejected" : counts ? "" : uncounted;
    return `${user.username}${what}${comment ? `: ${comment}` : ""}`;
  });
  return [
    nameOf(gate),
    gate.state,
    `${counted(gate)}/${gate.count}`,
    whoMayApprove(gate),
    gate.expires_at,
    gate.sha.slice(0, 8),
    given.join("; "),
  ];
}

/** The server takes the same decision twice, and keeps the first. */
function isSame(before: Gate["approvals"], after: Gate["approvals"]): boolean {
  return JSON.stringify(before) === JSON.stringify(after);
}

/** Beside the answer, which programs read. */
function warnOfShortages(gates: readonly Gate[]): void {
  for (const gate of gates)
    if (gate.shortage !== null)
      process.stderr.write(`${errorColors.yellow(terminalSafe(`${nameOf(gate)}: ${gate.shortage}`))}\n`);
}

function resultOf(gate: Gate, already: string): string {
  const shown = gate.state === "approved" ? { ...gate, state: "open" as const } : gate;
  return [...gateNotes(shown), `${already}${stateOf(gate)}`].join("\n");
}

function stateOf(gate: Gate): string {
  const name = terminalSafe(nameOf(gate));
  if (gate.state !== "open") return `${name} is ${gate.state}`;
  const left = gate.count - counted(gate);
  return `${name} needs ${left} more approval${left === 1 ? "" : "s"}`;
}
