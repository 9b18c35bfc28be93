/**
 * Push: Git's `receive-pack` between the request and the response, with our checks in its hooks. A client that disconnects
 * while it sends ends the push; one that disconnects later does not.
 */
import type { Readable, Writable } from "node:stream";
import type { PushSession } from "../../platform/git/transfer/push-session.ts";
import type { AppError } from "../../platform/app-error.ts";
import type { PushCommands } from "../../platform/git/transfer/push-commands.ts";
import type { Pace } from "../../platform/git/processes/pace.ts";
import { startReceivePack } from "../../platform/git/transfer/start-receive-pack.ts";
import { writeWithBackpressure } from "../../platform/git/processes/write-with-backpressure.ts";
import { bodyProblem } from "./request-body.ts";
import { unreadable, type Exchange } from "./upload-pack.ts";

/**
 * Resolves when Git has ended and the push is recorded or refused. Throws, with no ref changed, `bad_request` for input that
 * Git cannot read, `payload_too_large` for too many refs.
 */
export async function serveReceivePack(
  exchange: Exchange & { body: Readable; session: PushSession; commands: PushCommands },
): Promise<void> {
  const { res, session } = exchange;
  const { child, push, hooks, see, problems } = await startReceivePack({
    ...exchange,
    options: ["--stateless-rpc"],
  });
  let problem: AppError | undefined;
  const fed = feed({ ...exchange, stdin: child.stdin!, see }).catch(
    (error: unknown) => (problem ??= bodyProblem(error)),
  );
  const { output } = push;
  output.on("error", () => res.destroy());
  output.pipe(res, { end: false });
  // Git must not block on an answer that nobody reads.
  res.once("close", () => output.resume());
  // Not `closed`: output stays open as long as some hook lives.
  const exitCode = await child.exited;
  if (exitCode !== 0)
    exchange.logger.info({ exit_code: exitCode, stderr: problems() }, "git receive-pack ended early");
  await push.ended();
  if (!output.readableEnded && !output.destroyed && !res.closed)
    await new Promise<void>((resolve) => {
      output.once("end", () => resolve());
      res.once("close", () => resolve());
    });
  await session.finish();
  hooks.destroy();
  if (exitCode !== 0 && !res.headersSent) {
    problem ??= unreadable(exitCode);
    await fed;
    throw problem;
  }
  res.end();
}

interface Feeding {
  /** The request's decompressed body. */
  body: Readable;
  stdin: Writable;
  see: (chunk: Buffer) => void;
  pace: Pace;
}

/**
 * How long the rest of a push is read after Git has refused it: a client reads the answer only after it has sent everything.
 */
const dropMs = 60_000;

/**
 * Passes the body to Git; `see` looks at each piece first and may throw. What Git no longer reads is discarded. An incomplete
 * body ends Git's input early, and Git then refuses the push by itself; it is thrown as what it is.
 */
async function feed({ body, stdin, see, pace }: Feeding): Promise<void> {
  let isRead = false;
  let arrived = pace.wait();
  let dropping: NodeJS.Timeout | undefined;
  const drop = () => {
    if (!isRead) dropping ??= setTimeout(() => body.destroy(), dropMs).unref();
  };
  stdin.on("error", drop);
  stdin.once("close", drop);
  try {
    for await (const chunk of body.iterator({ destroyOnReturn: false }) as AsyncIterable<Buffer>) {
      arrived();
      pace.moved(chunk.length);
      if (!dropping) {
        see(chunk);
        await writeWithBackpressure(stdin, chunk);
      }
      arrived = pace.wait();
    }
  } finally {
    arrived();
    isRead = true;
    clearTimeout(dropping);
    stdin.end();
  }
}
