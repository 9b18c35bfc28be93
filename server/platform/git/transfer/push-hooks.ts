/**
 * The conversation with the hooks of one push, over a socket that the hooks inherit as handle 3.
 * They say `pre-receive`, `update` or `post-receive`, perhaps `quarantine <directory>`, perhaps
 * `certificate <object> <what Git thinks of its nonce>`, `option <text>` lines, `<before> <after> <ref>` lines, `end`. We answer any number of `say <text>` lines, then `accept` or `refuse`
 * (pre-receive, update), or `done` (post-receive).
 */
import type { Duplex } from "node:stream";
import type { ErrorCode } from "@forgeline/schemas/core/errors.ts";
import { AppError } from "../../app-error.ts";
import type { RefUpdate } from "../refs/ref-update.ts";
import type { GivenCertificate } from "./push-certificate.ts";

export interface Verdict {
  accept: boolean;
  /** Shown to the pusher. */
  lines: string[];
  /** Of a refusal, for entry points that answer with codes; `forbidden` when it says nothing else. */
  code?: ErrorCode;
}

export interface PushProposal {
  /** The whole list. */
  updates: RefUpdate[];
  options: string[];
  /** Directory of the objects that came along; null when they are in the repository. */
  quarantine: string | null;
  /** Of a signed push; Git took the list of updates from it. */
  certificate: GivenCertificate | null;
  /** All refs are to move, or none. */
  isAtomic: boolean;
  /** Files above the limit, with their sizes, where what came was looked at before; not for pushes of clients. */
  tooLarge?: ReadonlyMap<string, number>;
}

export interface PushHandlers {
  /** No ref has moved yet. Unless the verdict is on the whole push, `mayMove` has one for each ref. */
  beforeRefsMove(proposal: PushProposal): Promise<Verdict>;
  /** The verdict on one ref of an accepted push, if Git asks about each. */
  mayMove(ref: string): Verdict;
  /** `updates` are those that moved. Gives lines for the pusher. */
  afterRefsMoved(updates: RefUpdate[]): Promise<string[]>;
}

/** About 70,000 updates; a push with more is refused as unreadable. */
const maxListBytes = 8 * 1024 * 1024;

/** Errors of the handlers are theirs to log; the pusher is told to try again. */
export function serveHooks(socket: Duplex, handlers: PushHandlers, isAtomic: () => boolean): void {
  let text = "";
  let size = 0;
  // A hook that dies takes its end of the socket along; Git's exit tells what became of the push.
  socket.on("error", () => undefined);
  socket.setEncoding("utf8");
  socket.on("data", (chunk: string) => {
    size += chunk.length;
    if (size <= maxListBytes) text += chunk;
    // Which hook it is, and as much as the end takes, which may come in pieces.
    else text = text.slice(0, 64) + (text + chunk).slice(-64);
    if (!text.endsWith("\nend\n")) return;
    const message = size <= maxListBytes ? parse(text) : null;
    const hook = text.slice(0, text.indexOf("\n"));
    text = "";
    size = 0;
    const proposal = message && { ...message, isAtomic: isAtomic() };
    void answer(proposal, hook, handlers).then((reply) => socket.write(reply));
  });
}

async function answer(message: PushProposal | null, hook: string, handlers: PushHandlers): Promise<string> {
  const isPost = hook === "post-receive";
  try {
    if (isPost) return `${say(await handlers.afterRefsMoved(message?.updates ?? []))}done\n`;
    if (!message) return `${say(["The list of refs is too long or unreadable."])}refuse\n`;
    if (hook === "update") return told(handlers.mayMove(message.updates[0]?.ref ?? ""));
    return told(await handlers.beforeRefsMove(message));
  } catch (error) {
    if (isPost) return "done\n";
    const ours = error instanceof AppError && error.code !== "unavailable";
    return `${say([ours ? error.message : "Forgeline cannot record the push right now; push again."])}refuse\n`;
  }
}

function told(verdict: Verdict): string {
  return `${say(verdict.lines)}${verdict.accept ? "accept" : "refuse"}\n`;
}

/** One line each, without control characters, so that no text can pass for an answer or drive a terminal. */
function say(lines: readonly string[]): string {
  return lines.map((line) => `say ${line.replaceAll(/\p{Cc}/gu, "?")}\n`).join("");
}

function parse(text: string): Omit<PushProposal, "isAtomic"> | null {
  const updates: RefUpdate[] = [];
  const options: string[] = [];
  let quarantine: string | null = null;
  let certificate: GivenCertificate | null = null;
  for (const line of text.split("\n").slice(1, -2)) {
    const update = /^(?<before>[0-9a-f]{40}) (?<after>[0-9a-f]{40}) (?<ref>.+)$/.exec(line)?.groups;
    if (update) updates.push({ ref: update["ref"]!, before: update["before"]!, after: update["after"]! });
    else if (line.startsWith("option ")) options.push(line.slice("option ".length));
    else if (line.startsWith("quarantine ")) quarantine = line.slice("quarantine ".length);
    else if (line.startsWith("certificate ")) {
      const [, oid, nonce] = line.split(" ");
      if (!oid || !nonce) return null;
      certificate = { oid, nonceIsOurs: nonce === "OK" };
    } else return null;
  }
  return { updates, options, quarantine, certificate };
}
