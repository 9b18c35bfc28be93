/** Shows a file to the program that the operator has named, which looks for viruses: without a shell, with a limit of time. */
import { spawn } from "node:child_process";
import type { Readable } from "node:stream";
import { pipeline } from "node:stream/promises";
import { AppError } from "../../../platform/app-error.ts";
import type { Logger } from "../../../platform/logger.ts";

const timeoutMs = 60_000;

/** Throws `validation_failed` for a file that the program refuses, and `unavailable` where it says nothing. */
export type Scan = (open: () => Promise<Readable>) => Promise<void>;

/** `command`: program and arguments; undefined: every file passes. */
export function createScan(command: readonly string[] | undefined, logger: Logger): Scan {
  const [program, ...args] = command ?? [];
  if (program === undefined) return () => Promise.resolve();
  return async (open) => {
    const exitCode = await run({ program, args, content: await open() }).catch((error: unknown) => {
      logger.error({ err: error }, "the scanner of attachments could not be run");
      return null;
    });
    if (exitCode === 0) return;
    if (exitCode === 1)
      throw new AppError("validation_failed", {
        message: "The file was refused: the virus scanner of this instance found something in it.",
      });
    logger.error({ exit_code: exitCode }, "the scanner of attachments failed");
    throw new AppError("unavailable", {
      message: "Files cannot be scanned for viruses at the moment, so none are taken. Try again later.",
      retryAfterSeconds: 60,
    });
  };
}

/** Its exit code; null where it was ended. */
async function run(start: {
  program: string;
  args: readonly string[];
  content: Readable;
}): Promise<number | null> {
  const { program, args, content } = start;
  const child = spawn(program, args, {
    env: { PATH: "/usr/local/bin:/usr/bin:/bin" },
    stdio: ["pipe", "ignore", "ignore"],
    timeout: timeoutMs,
    killSignal: "SIGKILL",
  });
  const ended = new Promise<number | null>((resolve, reject) => {
    child.once("error", reject);
    child.once("close", resolve);
  });
  // One that has seen enough closes its end.
  const sent = pipeline(content, child.stdin).catch(() => undefined);
  const exitCode = await ended;
  content.destroy();
  await sent;
  return exitCode;
}
