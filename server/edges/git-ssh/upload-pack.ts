/** Clone and fetch over SSH: runs Git's `upload-pack` until the client has no further request. */
import { AppError } from "../../platform/app-error.ts";
import type { Capabilities } from "../../platform/git/transfer/capabilities.ts";
import { firstText } from "../../platform/git/processes/first-text.ts";
import { createWholePackets, hasDone } from "../../platform/git/transfer/packet-lines.ts";
import { fetchRefusal } from "../../platform/git/transfer/refusal-answer.ts";
import { wantsEverything, notOurRef, type WantFilter } from "../../platform/git/transfer/wants.ts";
import type { ListRefs } from "../../platform/git/refs/ref-listing.ts";
import type { RequestMemory } from "../../platform/git/processes/request-memory.ts";
import { yieldToOthers } from "../../platform/git/processes/run-git.ts";
import { flushPacket } from "../../platform/git/transfer/packet.ts";
import { startUploadPack } from "../../platform/git/transfer/start-upload-pack.ts";
import { writeWithBackpressure } from "../../platform/git/processes/write-with-backpressure.ts";
import type { StartedProcess } from "../../platform/processes/started-process.ts";
import type { Exchange } from "./exchange.ts";
import { createPacketRequests } from "./packet-requests.ts";

export interface Fetching extends Exchange {
  capabilities: Capabilities;
  listRefs: ListRefs;
  wantFilter: WantFilter;
}

/** Resolves with the exit code for the client. Rejects with what the client did wrong. */
export function serveUploadPack(fetching: Fetching): Promise<number> {
  return fetching.protocol === "version=2"
    ? serveRequests(fetching)
    : fetching.underSlot(() => converse(fetching));
}

/** Under protocol 2 each request stands for itself, and is answered like one over HTTPS. */
async function serveRequests(fetching: Fetching): Promise<number> {
  const { channel, directory, underSlot } = fetching;
  await channel.send(await underSlot(() => fetching.capabilities(directory)));
  const room = fetching.room();
  const requests = createPacketRequests(room);
  const over = Promise.withResolvers<number>();
  let isOver = false;
  let taken = 0;
  const end = (exitCode: number) => {
    isOver = true;
    over.resolve(exitCode);
  };

  async function take(chunk: Buffer): Promise<void> {
    // Frees the memory of a request that was still arriving at the end.
    if (isOver) return;
    for (const request of requests.push(chunk)) {
      if (isOver) return;
      // The client's last packet.
      if (request.equals(flush)) return end(0);
      taken += 1;
      if (taken > maxRequests) throw tooManyRequests();
      const exitCode = await underSlot(() => answer(fetching, request));
      room.free();
      if (exitCode !== 0) end(exitCode);
    }
  }

  channel.gone.addEventListener("abort", () => end(128), { once: true });
  channel.receive(
    (chunk) =>
      take(chunk).catch((error: Error) => {
        isOver = true;
        over.reject(error);
      }),
    () => end(0),
  );
  return reportInProtocol(fetching, over.promise).finally(room.close);
}

const flush = Buffer.from(flushPacket);
/** A fetch asks for the refs, and then in some dozens of rounds at the most; each is work that its one operation pays for. */
const maxRequests = 250;

function tooManyRequests(): AppError {
  return new AppError("payload_too_large", { message: "Too many requests in one command." });
}

/** Messages on standard error are for clients that were sent nothing yet. Later a client shows what is said in Git's own protocol. */
async function reportInProtocol<T>({ channel }: Exchange, work: Promise<T>): Promise<T> {
  try {
    return await work;
  } catch (error) {
    if (error instanceof AppError) await channel.send(fetchRefusal(error));
    throw error;
  }
}

/** Resolves with Git's exit code, or the equivalent. */
async function answer(fetching: Fetching, request: Buffer): Promise<number> {
  const { git, wantFilter, directory, protocol, channel } = fetching;
  const refs = await fetching.listRefs(directory, request);
  const child =
    refs ?? (await startUploadPack({ git, wantFilter, directory, protocol, request, signal: channel.gone }));
  if (child && !Buffer.isBuffer(child)) return sendOutput(fetching, child);
  await channel.send(child ?? notOurRef());
  return child ? 0 : 128;
}

async function sendOutput({ channel, logger }: Exchange, child: StartedProcess): Promise<number> {
  const problems = firstText(child.stderr!);
  await child.pieces!((piece) => channel.send(piece));
  const exitCode = await child.closed;
  if (exitCode !== 0 && !channel.gone.aborted)
    logger.info({ exit_code: exitCode, stderr: problems() }, "git upload-pack ended early");
  return exitCode ?? 128;
}

/**
 * In the older versions Git and the client converse: first comes all that it wants, then in rounds what it has. Git runs all the
 * while, and so it is the client's turn until it has said all.
 */
async function converse(exchange: Fetching): Promise<number> {
  const { git, directory, channel, protocol } = exchange;
  const ended = new AbortController();
  const child = await git.start({
    directory,
    args: ["upload-pack", directory],
    stdio: ["pipe", "pieces", "pipe"],
    env: protocol ? { GIT_PROTOCOL: protocol } : {},
    signal: AbortSignal.any([channel.gone, ended.signal]),
  });
  const room = exchange.room();
  const saidAll = channel.pace.wait();
  const refused = feed(exchange, { child, room, saidAll });
  try {
    const answered = sendOutput(exchange, child);
    const early = await reportInProtocol(exchange, Promise.race([answered, refused]));
    if (typeof early === "number") return early;
    await channel.send(early);
    return 128;
  } finally {
    ended.abort(new Error("the exchange is over"));
    saidAll();
    room.close();
  }
}

interface Feeding {
  child: StartedProcess;
  room: RequestMemory;
  /** To be called when the client has no more to say. */
  saidAll(): void;
}

/**
 * Passes the client's data to Git. Settles only if it must not be passed on: with the answer to a request for unavailable
 * objects, or by rejecting.
 */
function feed(
  { wantFilter, directory, protocol, channel }: Fetching,
  { child, room, saidAll }: Feeding,
): Promise<Buffer> {
  const stdin = child.stdin!;
  // Git may stop reading early, for example after a client's mistake; its answer says why.
  stdin.on("error", () => undefined);
  const refused = Promise.withResolvers<Buffer>();
  let over = false;
  let asked = false;
  const requests = createPacketRequests(room);
  const wholePackets = createWholePackets();

  async function judge(chunk: Buffer): Promise<void> {
    if (asked) return pass(chunk);
    const [first, ...others] = requests.push(chunk);
    if (!first) return;
    asked = true;
    if (wantsEverything(first)) yieldToOthers(child);
    await pass(Buffer.concat([first, ...others, requests.rest()]));
  }

  async function pass(chunk: Buffer): Promise<void> {
    const packets = wholePackets(chunk);
    const judged = await wantFilter({ directory, protocol, packets, signal: channel.gone });
    if (await hasDone(packets)) saidAll();
    if (judged) return writeWithBackpressure(stdin, judged);
    over = true;
    refused.resolve(notOurRef());
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
