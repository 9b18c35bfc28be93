/** Why a sync failed, as a sentence for whoever set the mirror up. */
import { AppError } from "../../../platform/app-error.ts";
import { FetchLimitError } from "../../../platform/git/remote/fetch-refs.ts";
import { PushTooSlowError } from "../../../platform/git/remote/push-refs.ts";
import { GitError } from "../../../platform/git/processes/run-git.ts";
import type { RelayProblem } from "../../../platform/git/remote/https-relay.ts";
import { isDiskFull } from "../../../platform/disk-full.ts";
import { outboundErrorIn } from "../../../platform/outbound/outbound-error.ts";

/** Something is wrong with the repository at the other side, or with what it shall get: a sentence. */
export class RemoteProblem extends Error {
  constructor(message: string) {
    super(message);
    this.name = "RemoteProblem";
  }
}

/** Refs are taken from a source, and sent to a target. */
export type RemoteSide = "source" | "target";

interface Words {
  the: string;
  The: string;
  /** What the credentials must allow. */
  use: string;
}

const wordsOf: Record<RemoteSide, Words> = {
  source: { the: "the source", The: "The source", use: "read it" },
  target: { the: "the target", The: "The target", use: "write to it" },
};

const absent = ({ use }: Words) =>
  `There is no repository at this address, or the credentials may not ${use}.`;

/** What Git, curl and ssh say, in the order in which it is looked for. */
const sentences: readonly [RegExp, (words: Words) => string][] = [
  [
    /exec: ssh: not found/,
    () => "The program ssh is missing on the server. Please tell the administrator of the instance.",
  ],
  [
    /Host key verification failed|REMOTE HOST IDENTIFICATION HAS CHANGED/,
    ({ The }) =>
      `${The} showed another host key than the one that is known. If that is right, change the host key of the mirror.`,
  ],
  [
    /Permission denied \(|no matching host key|Too many authentication failures/,
    ({ The }) => `${The} did not accept the SSH key. Add the public key of the mirror there.`,
  ],
  [
    /Could not resolve|Failed to connect|Connection (?:refused|closed)|timed out|No route to host|unable to connect|Network is unreachable/i,
    ({ The }) => `${The} could not be reached, or did not respond in time.`,
  ],
  [/more output than allowed/, ({ The }) => `${The} has too many branches and tags.`],
  [
    /does not appear to be a git repository|Could not read from remote|access denied or repository not exported/i,
    absent,
  ],
];

/** As above, where objects come from the other side. */
const damaged: readonly [RegExp, (words: Words) => string] = [
  /fsck error|index-pack (?:failed|abnormal)|invalid index-pack|pack has bad object|inflate|SHA1 COLLISION|did not send all necessary objects|bad object|missing (?:blob|tree|commit)|pack signature|unresolved deltas/i,
  ({ The }) => `${The} sent objects that are damaged or not allowed.`,
];

const broken: readonly [RegExp, (words: Words) => string] = [
  /unexpected disconnect|early EOF|hung up|RPC failed|reset by peer|remote end|unpack-objects|protocol error|bad line length|invalid (?:server|pkt)|bad pack header/i,
  ({ the }) => `The connection to ${the} broke off, or what it sent was not Git's protocol.`,
];

/** What an `https` server answered instead of Git's protocol. */
function relaySentence(problem: RelayProblem, words: Words): string {
  const { the, The } = words;
  if (problem.kind === "not_git") return "What is at this address is no Git repository.";
  if (problem.kind === "cut") return `The connection to ${the} broke off.`;
  if (problem.kind === "unreachable") return problem.message;
  const { status } = problem;
  if (status === 401 || status === 403) return `${The} did not accept the credentials, or requires some.`;
  if (status === 404 || status === 410) return absent(words);
  if (status === 413) return `${The} takes no pushes of this size.`;
  if (status === 429) return `${The} allows no more requests for now.`;
  if (status >= 300 && status < 400) return `${The} redirects to another address. Use that address instead.`;
  return `The server of ${the} answered with status ${status}.`;
}

/**
 * `relayed`: what the other side answered, if that was not Git's protocol. Undefined for what is not about it: a database that is
 * away, or a fault of ours.
 */
export function problemOf(
  error: unknown,
  { side, relayed }: { side: RemoteSide; relayed: RelayProblem | undefined },
): string | undefined {
  const words = wordsOf[side];
  if (error instanceof RemoteProblem) return error.message;
  if (relayed && error instanceof GitError) return relaySentence(relayed, words);
  if (error instanceof FetchLimitError) return limitSentences[error.reason];
  if (error instanceof PushTooSlowError)
    return "The target takes what is sent too slowly, or did not finish in time.";
  const outbound = outboundErrorIn(error);
  if (outbound) return outbound.message;
  if (error instanceof AppError && error.code !== "unavailable") return error.message;
  if (isDiskFull(error)) return diskFull;
  if (!(error instanceof GitError)) return undefined;
  if (side === "source" && /No space left on device/.test(error.stderr)) return diskFull;
  const all = [...sentences, ...(side === "source" ? [damaged] : []), broken];
  const known = all.find(([pattern]) => pattern.test(error.stderr));
  if (known) return known[1](words) + fsckDetail(error.stderr);
  if (error.exitCode === null) return `${words.The} did not respond in time.`;
  const tried = side === "source" ? "be read" : "be pushed to";
  return `${words.The} could not ${tried}${saying(error.stderr)}.`;
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
