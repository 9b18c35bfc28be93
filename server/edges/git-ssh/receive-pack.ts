/**
 * Push over SSH: Git's `receive-pack` with our checks in its hooks. A client that disconnects while it sends ends the push; one
 * that disconnects later does not.
 */
import type { Readable } from "node:stream";
import type { PushSession } from "../../platform/git/transfer/push-session.ts";
import { startReceivePack } from "../../platform/git/transfer/start-receive-pack.ts";
import { writeWithBackpressure } from "../../platform/git/processes/write-with-backpressure.ts";
import type { CommandChannel } from "./command-channel.ts";
import type { Exchange } from "./exchange.ts";

export interface Pushing extends Exchange {
  session: PushSession;
}

/** Resolves with the exit code for the client, when the push is recorded or refused. Rejects with what the client did wrong. */
export function serveReceivePack(exchange: Pushing): Promise<number> {
  return exchange.underSlot(() => receive(exchange));
}

async function receive(exchange: Pushing): Promise<number> {
  const { channel, session } = exchange;
  const { child, push, hooks, see, problems } = await startReceivePack({ ...exchange, options: [] });
  const stdin = child.stdin!;
  stdin.on("error", () => undefined);
  let problem: unknown;
  let arrived = channel.pace.wait();
  channel.receive(
    async (chunk) => {
      if (problem) return;
      arrived();
      try {
        see(chunk);
        await writeWithBackpressure(stdin, chunk);
      } catch (error) {
        problem = error;
        stdin.end();
      }
      // Clients need not announce the end of their data.
      arrived = channel.pace.wait();
    },
    () => {
      arrived();
      // An incomplete pack ends Git's input early, and Git then refuses the push by itself.
      stdin.end();
    },
  );
  // Not `closed`: output stays open as long as some hook lives.
  const exited = child.exited.then(async (exitCode) => {
    await push.ended();
    return exitCode;
  });
  try {
    const [exitCode] = await Promise.all([exited, sendReport(channel, push.output)]);
    if (problem) throw problem;
    if (exitCode !== 0)
      exchange.logger.info({ exit_code: exitCode, stderr: problems() }, "git receive-pack ended early");
    return exitCode ?? 128;
  } finally {
    await session.finish();
    hooks.destroy();
  }
}

/** Git sends progress while it processes the received data, even before the end of the data is known. */
async function sendReport({ pace, send }: CommandChannel, output: Readable): Promise<void> {
  for await (const chunk of output as AsyncIterable<Buffer>) {
    pace.worked();
    await send(chunk);
  }
}
