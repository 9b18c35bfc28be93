/** `git archive --remote` over SSH. */
import { AppError } from "../../platform/app-error.ts";
import { firstText } from "../../platform/git/processes/first-text.ts";
import { zeroId } from "../../platform/git/refs/names.ts";
import { readRefs } from "../../platform/git/refs/refs.ts";
import type { RequestMemory } from "../../platform/git/processes/request-memory.ts";
import { candidateRefs, packet, readArguments, splitArguments, writeArguments } from "./archive-arguments.ts";
import type { CommandChannel } from "./command-channel.ts";
import type { Exchange } from "./exchange.ts";
import { createPacketRequests } from "./packet-requests.ts";

const maxRequestBytes = 64 * 1024;

/** Resolves with the exit code for the client. */
export async function serveUploadArchive(exchange: Exchange): Promise<number> {
  const room = exchange.room(maxRequestBytes);
  try {
    const request = await firstRequest(exchange.channel, room);
    return request ? await exchange.underSlot(() => answer(exchange, request)) : 128;
  } finally {
    room.close();
  }
}

async function answer(exchange: Exchange, request: Buffer): Promise<number> {
  const { git, directory, channel } = exchange;
  let checked: Buffer;
  try {
    checked = await rewrite(exchange, request);
  } catch (error) {
    if (!(error instanceof AppError)) throw error;
    // A refusal in the form of Git's own server.
    await channel.send(packet(`NACK ${error.message}\n`));
    return 128;
  }
  const child = await git.start({
    directory,
    args: ["upload-archive", directory],
    signal: channel.gone,
    yields: true,
  });
  const problems = firstText(child.stderr!);
  child.stdin!.on("error", () => undefined);
  child.stdin!.end(checked);
  const [exitCode] = await Promise.all([child.closed, channel.sendAll(child.stdout!)]);
  if (exitCode !== 0 && !channel.gone.aborted)
    exchange.logger.info({ exit_code: exitCode, stderr: problems() }, "git upload-archive ended early");
  return exitCode ?? 128;
}

/** Undefined if the client ends, or sends no valid request. */
function firstRequest(channel: CommandChannel, room: RequestMemory): Promise<Buffer | undefined> {
  const requests = createPacketRequests(room);
  const { promise, resolve } = Promise.withResolvers<Buffer | undefined>();
  let over = false;
  channel.receive(
    (chunk) => {
      if (over) return;
      try {
        const [request] = requests.push(chunk);
        over = request !== undefined;
        if (request) resolve(request);
      } catch {
        over = true;
        resolve(undefined);
      }
    },
    () => resolve(undefined),
  );
  return promise;
}

/** With the full name of the branch or tag. Throws `bad_request`. */
async function rewrite({ git, directory }: Exchange, request: Buffer): Promise<Buffer> {
  const { before, tree, after } = splitArguments(readArguments(request));
  if (!tree) return writeArguments(before);
  if (tree.name === "HEAD") return writeArguments([...before, `HEAD${tree.path}`, ...after]);
  const candidates = candidateRefs(tree.name);
  const there = candidates.length > 0 && (await readRefs(git.run, directory, candidates));
  const ref = there && candidates.find((each) => there.get(each) !== zeroId);
  if (!ref) throw new AppError("bad_request", { message: "The branch or tag does not exist." });
  return writeArguments([...before, `${ref}${tree.path}`, ...after]);
}
