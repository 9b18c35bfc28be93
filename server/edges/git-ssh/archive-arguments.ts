/**
 * Requests of `git archive --remote`. Git's own server accepts any ref name, even hidden ones, and any option of `git archive`;
 * we accept branches, tags and `HEAD`, and the options for the form of the result.
 */
import { AppError } from "../../platform/app-error.ts";
import { isSafeRefName } from "../../platform/git/refs/names.ts";

const maxArguments = 256;
const options = /^(?:--format=(?:tar|zip|tgz|tar\.gz)|--prefix=[^\0]*|-[0-9v]|--verbose|-l|--list|--)$/;

/** The `argument` packets of a request, in order. Throws `bad_request` for everything that we do not accept. */
export function readArguments(request: Buffer): string[] {
  const found: string[] = [];
  for (let at = 0; at + 4 < request.length;) {
    const length = Number.parseInt(request.toString("latin1", at, at + 4), 16);
    if (length < 5) throw notUnderstood();
    const text = request.toString("utf8", at + 4, at + length).replace(/\n$/, "");
    if (!text.startsWith("argument ") || found.length >= maxArguments) throw notUnderstood();
    found.push(text.slice("argument ".length));
    at += length;
  }
  return found;
}

export interface ArchiveArguments {
  before: string[];
  /** Undefined when only the formats are requested. */
  tree: { name: string; path: string } | undefined;
  after: string[];
}

/** The first argument that is not an option names the tree. Throws `bad_request`. */
export function splitArguments(words: readonly string[]): ArchiveArguments {
  const given = joinValues(words);
  const border = given.indexOf("--");
  const read = border < 0 ? given : given.slice(0, border);
  const unknown = read.find((each) => each.startsWith("-") && !options.test(each));
  if (unknown !== undefined)
    throw new AppError("bad_request", { message: "This option of git archive is not supported." });
  const first = read.findIndex((each) => !each.startsWith("-"));
  const at = first < 0 && border >= 0 ? border + 1 : first;
  if (at < 0 || at >= given.length) return { before: given, tree: undefined, after: [] };
  const [name = "", ...path] = given[at]!.split(":");
  const tree = { name, path: path.length === 0 ? "" : `:${path.join(":")}` };
  return { before: given.slice(0, at), tree, after: given.slice(at + 1) };
}

/** Joins options and values that come as separate arguments. */
function joinValues(words: readonly string[]): string[] {
  const joined: string[] = [];
  for (const word of words) {
    const last = joined.at(-1);
    if (last === "--format" || last === "--prefix") joined[joined.length - 1] = `${last}=${word}`;
    else joined.push(word);
  }
  return joined;
}

/** Full names that a name may mean, in order of precedence; none if it is neither a branch nor a tag. */
export function candidateRefs(name: string): string[] {
  const shown = ["refs/heads/", "refs/tags/", "refs/merge-requests/"];
  const full = name.startsWith("refs/") ? [name] : [`refs/tags/${name}`, `refs/heads/${name}`];
  return full.filter((ref) => shown.some((prefix) => ref.startsWith(prefix)) && isSafeRefName(ref));
}

/** The request again, with these arguments. */
export function writeArguments(given: readonly string[]): Buffer {
  const packets = given.map((each) => packet(`argument ${each}\n`));
  return Buffer.concat([...packets, Buffer.from("0000")]);
}

export function packet(text: string): Buffer {
  const body = Buffer.from(text);
  return Buffer.concat([Buffer.from((body.length + 4).toString(16).padStart(4, "0")), body]);
}

function notUnderstood(): AppError {
  return new AppError("bad_request", { message: "This is not a git archive request." });
}
