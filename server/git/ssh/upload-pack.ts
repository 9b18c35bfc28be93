/** Clone and fetch over SSH: Git's `upload-pack` for as long as the client asks. */
import type { ChildProcess } from "node:child_process";
import { once } from "node:events";
import { firstText } from "../first-text.ts";
import { asksForAll, mayHave, notOurs, parseWants } from "../http/wants.ts";
import { giveWay } from "../run-git.ts";
import { writeTo } from "../write-to.ts";
import type { Exchange } from "./exchange.ts";
import { createPacketRequests } from "./packet-requests.ts";

/** Resolves with the exit code for the client. Rejects with what the client did wrong. */
export async function serveUploadPack(exchange: Exchange): Promise<number> {
  const { git, directory, channel, protocol } = exchange;
  const ended = new AbortController();
  const child = git.start({
    directory,
    args: ["upload-pack", directory],
    env: protocol ? { GIT_PROTOCOL: protocol } : {},
    stdio: ["pipe", "pipe", "pipe"],
    signal: AbortSignal.any([channel.gone, ended.signal]),
  });
  const problems = firstText(child.stderr!);
  const exited = once(child, "close") as Promise<[number | null]>;
  const refused = feed(exchange, child);
  try {
    const answered = Promise.all([exited, channel.sendAll(child.stdout!)]);
    const early = await Promise.race([answered.then(() => undefined), refused]);
    if (early) {
      await channel.send(early);
      return 128;
    }
    const [[exitCode]] = await answered;
    if (exitCode !== 0 && !channel.gone.aborted)
      exchange.logger.info({ exit_code: exitCode, stderr: problems() }, "git upload-pack ended early");
    return exitCode ?? 128;
  } finally {
    ended.abort(new Error("the exchange is over"));
  }
}

/**
 * Hands what the client sends to Git. Settles only when it must not be handed on: with the answer to a request for what is
 * not to be had, or rejected.
 */
function feed({ git, directory, channel, protocol }: Exchange, child: ChildProcess): Promise<Buffer> {
  const stdin = child.stdin!;
  // Git may stop reading early, for example after a client's mistake; its answer says why.
  stdin.on("error", () => undefined);
  const refused = Promise.withResolvers<Buffer>();
  let over = false;
  let judged = false;
  const requests = createPacketRequests();

  async function pass(request: Buffer): Promise<void> {
    if (over) return;
    if (await mayHave(git.run, directory, parseWants(request))) {
      if (asksForAll(request)) giveWay(child);
      return writeTo(stdin, request);
    }
    over = true;
    refused.resolve(notOurs());
  }

  /** The older protocols say all that they want in the first request. */
  async function judge(chunk: Buffer): Promise<void> {
    if (judged) return writeTo(stdin, chunk);
    const complete = requests.push(chunk);
    if (protocol === "version=2") {
      for (const request of complete) await pass(request);
      return;
    }
    const [first, ...others] = complete;
    if (!first) return;
    judged = true;
    await pass(first);
    if (!over) await writeTo(stdin, Buffer.concat([...others, requests.rest()]));
  }

  channel.receive(
    async (chunk) => {
      if (over) return;
      await judge(chunk).catch((error: Error) => {
        over = true;
        refused.reject(error);
      });
    },
    () => stdin.end(),
  );
  return refused.promise;
}
