/** `forgeline pipeline logs`: the log of a run, whole or a part, now or as it grows. */
import { get } from "node:https";
import { pipeline } from "node:stream/promises";
import { rootCertificates } from "node:tls";
import { Command } from "commander";
import pc from "picocolors";
import { ApiError } from "../../connection/api.ts";
import { noSuchRun } from "../../connection/repository.ts";
import { contextOf, type CliContext } from "../../context.ts";
import { createLineSplitter, type LineSplitter } from "../../output/line-splitter.ts";
import { terminalSafe } from "../../output/terminal-safe.ts";
import { exitStatusOf, watchRun } from "./follow.ts";

interface LogFlags {
  follow?: boolean;
  job?: string;
  step?: string;
  attempt?: number;
  tail?: number;
}

export function logsCommand(): Command {
  return new Command("logs")
    .description("The log of a run, stage by stage")
    .argument("<run>", "number or id")
    .option("-f, --follow", "go on until the run ends; the exit status is the run's")
    .option("--job <key>", "only this job")
    .option("--step <step>", "only this step: its name or its position from 0; setup; or a service")
    .option("--attempt <number>", "this attempt instead of the newest", Number)
    .option("--tail <lines>", "only the last lines", Number)
    .action(async (id: string, flags: LogFlags, command: Command) => {
      const context = await contextOf(command);
      if (flags.follow) process.exitCode = await followText(context, id, flags);
      else await download(context, id, flags);
    });
}

async function followText(context: CliContext, id: string, flags: LogFlags): Promise<number> {
  const splitters = new Map<string, LineSplitter>();
  const several = flags.job === undefined;
  const { job, step, attempt } = flags;
  const filter = {
    ...(job === undefined ? {} : { job }),
    ...(step === undefined ? {} : { step }),
    ...(attempt === undefined ? {} : { attempt }),
  };
  const result = await watchRun(
    context,
    id,
    {
      onStream(stream) {
        const prefix = several ? `${pc.dim(`[${stream.job}]`)} ` : "";
        const show = (line: string) =>
          process.stdout.write(`${prefix}${process.stdout.isTTY ? terminalSafe(line) : line}\n`);
        splitters.set(stream.id, createLineSplitter(show));
      },
      onBytes: (stream, bytes) => splitters.get(stream.id)?.push(bytes),
      onStreamEnd: (stream) => splitters.get(stream.id)?.end(),
    },
    filter,
  );
  return exitStatusOf(result.status);
}

/** Streams the answer as it comes; on a terminal line by line, made harmless. */
async function download(context: CliContext, id: string, flags: LogFlags): Promise<void> {
  const { connection } = context;
  const { owner, repo } = await context.repository();
  const url = new URL(
    `${connection.url}/api/v1/repos/${[owner, repo].map(encodeURIComponent).join("/")}/pipelines/${encodeURIComponent(id)}/logs`,
  );
  const accept = context.flags.json ? "application/x-ndjson" : "text/plain";
  for (const name of ["job", "step", "attempt", "tail"] as const)
    if (flags[name] !== undefined) url.searchParams.set(name, String(flags[name]));
  const headers = { accept, ...(connection.token ? { authorization: `Bearer ${connection.token}` } : {}) };
  await new Promise<void>((resolve, reject) => {
    get(
      url,
      { headers, ...(connection.ca ? { ca: [...rootCertificates, connection.ca] } : {}) },
      (response) => {
        const status = response.statusCode ?? 0;
        if (status >= 400)
          readAll(response).then(
            (text) => reject(refusal(status, text, noSuchRun({ owner, repo }, id))),
            reject,
          );
        else if (process.stdout.isTTY) printSafely(response).then(resolve, reject);
        else pipeline(response, process.stdout, { end: false }).then(resolve, reject);
      },
    ).on("error", reject);
  });
}

function refusal(status: number, text: string, absent: string): ApiError {
  return new ApiError(status, status === 404 ? { message: absent } : parseJson(text));
}

async function printSafely(stream: NodeJS.ReadableStream): Promise<void> {
  const splitter = createLineSplitter((line) => process.stdout.write(`${terminalSafe(line)}\n`));
  for await (const chunk of stream) splitter.push(chunk as Buffer);
  splitter.end();
}

async function readAll(stream: NodeJS.ReadableStream): Promise<string> {
  let text = "";
  for await (const chunk of stream) text += String(chunk);
  return text;
}

function parseJson(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
}
