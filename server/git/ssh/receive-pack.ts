/**
 * Push over SSH: Git's `receive-pack` with our word in its hooks. A client that goes away in the middle of sending ends
 * the push; one that goes away later does not.
 */
import { once } from "node:events";
import type { Duplex } from "node:stream";
import type { PushSession } from "../../features/pushes/session.ts";
import { firstText } from "../http/upload-pack.ts";
import { createAtomicRequest } from "../atomic-request.ts";
import { createDurablePush } from "../durable-push.ts";
import { serveHooks } from "../push-hooks.ts";
import { createPreambleLimit } from "../push-preamble.ts";
import { eachRefHooksDirectory, pushEnvironment } from "../run-git.ts";
import { writeTo } from "../write-to.ts";
import type { Exchange } from "./exchange.ts";

/** Resolves with the exit code for the client, when the push is recorded or refused. Rejects with what the client did wrong. */
export async function serveReceivePack(exchange: Exchange & { session: PushSession }): Promise<number> {
  const { git, directory, channel, protocol, session } = exchange;
  const asksEachRef = await session.judgesEachRef();
  const child = git.start({
    directory,
    args: [
      ...(asksEachRef ? ["-c", `core.hooksPath=${eachRefHooksDirectory}`] : []),
      "receive-pack",
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
  const stdin = child.stdin!;
  stdin.on("error", () => undefined);
  const look = createPreambleLimit();
  let problem: unknown;
  channel.receive(
    async (chunk) => {
      if (problem) return;
      try {
        look(chunk);
        request.see(chunk);
        await writeTo(stdin, chunk);
      } catch (error) {
        problem = error;
        stdin.end();
      }
    },
    // An incomplete pack ends Git's input early, and Git then refuses the push by itself.
    () => stdin.end(),
  );
  // Not `close`: handle 3 stays open as long as some hook lives.
  const exited = (once(child, "exit") as Promise<[number | null]>).then(async ([exitCode]) => {
    await push.ended();
    return exitCode;
  });
  try {
    const [exitCode] = await Promise.all([exited, channel.sendAll(push.output)]);
    if (problem) throw problem;
    if (exitCode !== 0)
      exchange.logger.info({ exit_code: exitCode, stderr: problems() }, "git receive-pack ended early");
    return exitCode ?? 128;
  } finally {
    await session.finish();
    hooks.destroy();
  }
}
