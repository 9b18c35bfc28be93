/**
 * Push: Git's `receive-pack` between the request and the response, with our word in its hooks. A client that goes away
 * in the middle of sending ends the push; one that goes away later does not.
 */
import { pipeline } from "node:stream";
import type { Duplex } from "node:stream";
import type { PushSession } from "../../features/pushes/session.ts";
import { createAtomicRequest } from "../atomic-request.ts";
import { createDurablePush } from "../durable-push.ts";
import { serveHooks } from "../push-hooks.ts";
import { eachRefHooksDirectory, pushEnvironment } from "../run-git.ts";
import { firstText, type Exchange } from "./upload-pack.ts";

/** Resolves when Git has ended and the push is recorded or refused. */
export async function serveReceivePack(exchange: Exchange & { session: PushSession }): Promise<void> {
  const { git, directory, protocol, res, session } = exchange;
  const asksEachRef = await session.judgesEachRef();
  const child = git.start({
    directory,
    args: [
      ...(asksEachRef ? ["-c", `core.hooksPath=${eachRefHooksDirectory}`] : []),
      "receive-pack",
      "--stateless-rpc",
      directory,
    ],
    env: { ...pushEnvironment, ...(protocol ? { GIT_PROTOCOL: protocol } : {}) },
    stdio: ["pipe", "pipe", "pipe", "pipe"],
    timeoutMs: exchange.timeoutMs,
  });
  const hooks = child.stdio[3] as Duplex;
  const push = createDurablePush({ directory, stdout: child.stdout!, handlers: session });
  const request = createAtomicRequest();
  serveHooks(hooks, push.handlers, request.isAtomic);
  const problems = firstText(child.stderr!);
  // An incomplete body ends Git's input early, and Git then refuses the push by itself.
  pipeline(exchange.body, child.stdin!, () => undefined);
  exchange.body.on("data", request.see);
  const { output } = push;
  output.on("error", () => res.destroy());
  output.pipe(res, { end: false });
  // Git must not stall on an answer that nobody reads.
  res.once("close", () => output.resume());
  const exitCode = await new Promise<number | null>((resolve, reject) => {
    child.once("error", reject);
    // Not `close`: handle 3 stays open as long as some hook lives.
    child.once("exit", (code) => resolve(code));
  });
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
  res.end();
}
