/**
 * Push over SSH: Git's `receive-pack` with our word in its hooks. A client that goes away in the middle of sending ends
 * the push; one that goes away later does not.
 */
import type { PushSession } from "../../features/pushes/session.ts";
import { startReceivePack } from "../start-receive-pack.ts";
import { writeTo } from "../write-to.ts";
import type { Exchange } from "./exchange.ts";

/** Resolves with the exit code for the client, when the push is recorded or refused. Rejects with what the client did wrong. */
export async function serveReceivePack(exchange: Exchange & { session: PushSession }): Promise<number> {
  const { channel, session } = exchange;
  const { child, push, hooks, see, problems } = await startReceivePack({ ...exchange, options: [] });
  const stdin = child.stdin!;
  stdin.on("error", () => undefined);
  let problem: unknown;
  channel.receive(
    async (chunk) => {
      if (problem) return;
      try {
        see(chunk);
        await writeTo(stdin, chunk);
      } catch (error) {
        problem = error;
        stdin.end();
      }
    },
    // An incomplete pack ends Git's input early, and Git then refuses the push by itself.
    () => stdin.end(),
  );
  // Not `closed`: output stays open as long as some hook lives.
  const exited = child.exited.then(async (exitCode) => {
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
