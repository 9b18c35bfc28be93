/** `forgeline pipeline shell`: a terminal in a job that runs, or is kept open after its failure. */
import { Command } from "commander";
import { openShellSocket, type ShellSocket } from "@forgeline/client/shell-socket.ts";
import { valueOf } from "../../connection/api.ts";
import { UsageError } from "../../connection/settings.ts";
import { contextOf } from "../../context.ts";
import { jobLabel } from "../../output/job-label.ts";
import { terminalSafe } from "../../output/terminal-safe.ts";
import { findJob, jobsOfRun } from "../pipelines/find-job.ts";

/** As of other programs whose connection is lost. */
const lostStatus = 255;

export function shellCommand(): Command {
  return new Command("shell")
    .description("Open a shell in a running job; needs Maintain, and is recorded")
    .argument("<run>", "number or id")
    .argument("<job>", "id, key or name; `pipeline view` shows it")
    .action(async (id: string, wanted: string, _flags: object, command: Command) => {
      const context = await contextOf(command);
      if (context.flags.json) throw new UsageError("a shell has no --json");
      const path = { ...(await context.repository()), id };
      const job = findJob(await jobsOfRun(context, path), wanted);
      const shell = await valueOf(
        context.api.POST("/repos/{owner}/{repo}/pipelines/{id}/jobs/{job}/shells", {
          params: { path: { ...path, job: job.id } },
          body: sizeOf(process.stdout),
        }),
      );
      const { token, ca } = context.connection;
      process.stderr.write(
        `Opening a shell in ${terminalSafe(jobLabel(job))}. What it shows is recorded as ${shell.log}.\n`,
      );
      process.exitCode = await runTerminal((handlers) =>
        openShellSocket({ url: shell.socket_url, protocols: shell.protocols, token, ca }, handlers),
      );
    });
}

/** Some terminals do not know a side of theirs, and say 0. */
function sizeOf({ columns, rows }: NodeJS.WriteStream): { columns: number; rows: number } {
  return { columns: columns || 80, rows: rows || 24 };
}

/** Gives the terminal to the shell until that ends; resolves with the exit status. */
async function runTerminal(
  open: (handlers: Parameters<typeof openShellSocket>[1]) => ShellSocket,
): Promise<number> {
  const { stdin, stdout, stderr } = process;
  const isTerminal = Boolean(stdin.isTTY);
  const socket = open({
    onReady() {
      if (isTerminal) stdin.setRawMode(true);
      stdin.on("data", type);
      stdin.once("end", endInput);
      stdin.resume();
      if (stdout.columns) resize();
    },
    onOutput: (bytes) => stdout.write(bytes),
  });
  const type = (bytes: Buffer) => socket.type(bytes);
  // Input from a file or pipe ends as a person at a terminal ends it.
  const endInput = () => socket.type(Buffer.of(4));
  const resize = () => {
    const { columns, rows } = sizeOf(stdout);
    socket.resize(columns, rows);
  };
  stdout.on("resize", resize);
  try {
    const { message, exit_code: exitCode } = await socket.ended;
    if (exitCode === null) stderr.write(`\r\n${terminalSafe(message)}\n`);
    return exitCode ?? lostStatus;
  } catch (error) {
    stderr.write(`\r\nThe shell was interrupted: ${terminalSafe((error as Error).message)}\n`);
    return lostStatus;
  } finally {
    stdout.off("resize", resize);
    stdin.off("data", type);
    stdin.off("end", endInput);
    if (isTerminal) stdin.setRawMode(false);
    stdin.pause();
    socket.close();
  }
}
