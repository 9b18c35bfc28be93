/** Why a sync failed, as a sentence for whoever set the mirror up. */
import { AppError } from "../../../platform/app-error.ts";
import { FetchLimitError } from "../../../platform/git/remote/fetch-refs.ts";
import { GitError } from "../../../platform/git/processes/run-git.ts";
import type { RelayProblem } from "../../../platform/git/remote/https-relay.ts";
import { isDiskFull } from "../../../platform/disk-full.ts";
import { outboundErrorIn } from "../../../platform/outbound/outbound-error.ts";

/** The source has something that cannot be taken, or nothing. */
export class SourceProblem extends Error {
  constructor(message: string) {
    super(message);
    this.name = "SourceProblem";
  }
}

/** What Git, curl and ssh say, in the order in which it is looked for. */
const sentences: readonly [RegExp, string][] = [
  [
    /exec: ssh: not found/,
    "The program ssh is missing on the server. Please tell the administrator of the instance.",
  ],
  [
    /Host key verification failed|REMOTE HOST IDENTIFICATION HAS CHANGED/,
    "The source showed another host key than the one that is known. If that is right, change the host key of the mirror.",
  ],
  [
    /Permission denied \(|no matching host key|Too many authentication failures/,
    "The source did not accept the SSH key. Add the public key of the mirror there.",
  ],
  [
    /Could not resolve|Failed to connect|Connection (?:refused|closed)|timed out|No route to host|unable to connect|Network is unreachable/i,
    "The source could not be reached, or did not respond in time.",
  ],
  [
    /does not appear to be a git repository|Could not read from remote|access denied or repository not exported/i,
    "There is no repository at this address, or the credentials may not read it.",
  ],
  [
    /fsck error|index-pack (?:failed|abnormal)|invalid index-pack|pack has bad object|inflate|SHA1 COLLISION|did not send all necessary objects|bad object|missing (?:blob|tree|commit)|pack signature|unresolved deltas/i,
    "The source sent objects that are damaged or not allowed.",
  ],
  [
    /unexpected disconnect|early EOF|hung up|RPC failed|reset by peer|remote end|unpack-objects|protocol error|bad line length|invalid (?:server|pkt)|bad pack header/i,
    "The connection to the source broke off, or what it sent was not Git's protocol.",
  ],
];

/** What an `https` source answered instead of Git's protocol. */
function relaySentence(problem: RelayProblem): string {
  if (problem.kind === "not_git") return "What is at this address is no Git repository.";
  if (problem.kind === "cut") return "The connection to the source broke off.";
  if (problem.kind === "unreachable") return problem.message;
  const { status } = problem;
  if (status === 401 || status === 403) return "The source did not accept the credentials, or requires some.";
  if (status === 404 || status === 410)
    return "There is no repository at this address, or the credentials may not read it.";
  if (status === 429) return "The source allows no more requests for now.";
  if (status >= 300 && status < 400)
    return "The source redirects to another address. Use that address instead.";
  return `The server of the source answered with status ${status}.`;
}

/**
 * `relayed`: what the source answered, if that was not Git's protocol. Undefined for what is not about the source: a database that is
 * away, or a fault of ours.
 */
export function problemOf(error: unknown, relayed?: RelayProblem): string | undefined {
  if (error instanceof SourceProblem) return error.message;
  if (relayed && error instanceof GitError) return relaySentence(relayed);
  if (error instanceof FetchLimitError) return limitSentences[error.reason];
  const outbound = outboundErrorIn(error);
  if (outbound) return outbound.message;
  if (error instanceof AppError && error.code !== "unavailable") return error.message;
  if (isDiskFull(error)) return diskFull;
  if (!(error instanceof GitError)) return undefined;
  if (/No space left on device/.test(error.stderr)) return diskFull;
  const known = sentences.find(([pattern]) => pattern.test(error.stderr));
  const detail = fsckDetail(error.stderr);
  return known ? known[1] + detail : `The source could not be read${saying(error.stderr)}.`;
}

const diskFull = "The disk of the server is full. Please tell the administrator of the instance.";
const limitSentences: Record<FetchLimitError["reason"], string> = {
  too_large: "The source is larger than a repository may be here.",
  too_slow: "The source sends too slowly, or did not finish in time.",
};

/** The rule of fsck that an object breaks, which is no text of the source. */
function fsckDetail(text: string): string {
  const [, id, rule] = /object ([0-9a-f]{40}): ([a-zA-Z]+): /.exec(text) ?? [];
  return id === undefined ? "" : ` (${rule} in ${id})`;
}

function saying(text: string): string {
  const line = text.split("\n").find((each) => each.startsWith("fatal: "));
  const said = line
    ?.slice("fatal: ".length)
    .replaceAll(/[^\x20-\x7e]/g, "?")
    .slice(0, 200);
  return said === undefined ? "" : `: ${said}`;
}
