/** Reads a commit object. */
import { TextDecoder } from "node:util";

export interface CommitPerson {
  name: string;
  email: string;
  /** ISO 8601, UTC. */
  date: string;
}

export interface CommitInfo {
  sha: string;
  /** Id of its top directory. */
  tree: string;
  message: string;
  author: CommitPerson;
  committer: CommitPerson;
  parents: string[];
}

export function parseCommit(sha: string, bytes: Buffer): CommitInfo {
  const split = bytes.indexOf("\n\n");
  const head = bytes.subarray(0, split < 0 ? bytes.length : split);
  const encoding =
    head.indexOf("\nencoding ") < 0 ? "utf-8" : valuesIn(head.toString("latin1"), "encoding", 1)[0]!;
  const text = decoder(encoding);
  const fields = text.decode(head);
  const value = (key: string) => valuesIn(fields, key, 1)[0] ?? "";
  return {
    sha,
    tree: value("tree"),
    message: split < 0 ? "" : text.decode(bytes.subarray(split + 2)),
    author: parsePerson(value("author")),
    committer: parsePerson(value("committer")),
    parents: valuesIn(fields, "parent", Infinity),
  };
}

/** The first `max`. Makes no list of all lines, of which a commit may have half a million. */
function valuesIn(head: string, key: string, max: number): string[] {
  const text = `\n${head}`;
  const start = `\n${key} `;
  const found: string[] = [];
  for (let at = text.indexOf(start); at >= 0 && found.length < max;) {
    const end = text.indexOf("\n", at + 1);
    found.push(text.slice(at + start.length, end < 0 ? text.length : end));
    at = end < 0 ? -1 : text.indexOf(start, end);
  }
  return found;
}

function decoder(encoding: string): TextDecoder {
  try {
    return new TextDecoder(encoding);
  } catch {
    // Unknown encoding: unreadable characters are better than no commit.
    return new TextDecoder("utf-8");
  }
}

/** `Ada <ada@example.org> 1767225600 +0100`; whatever is missing is left empty. */
export function parsePerson(text: string): CommitPerson {
  // By hand, since a regular expression tries every `<` to the end.
  const open = text.indexOf("<");
  const close = open < 0 ? -1 : text.indexOf(">", open);
  if (close < 0) return { name: "", email: "", date: new Date(0).toISOString() };
  const seconds = /^ (-?\d{1,20})/.exec(text.slice(close + 1, close + 32))?.[1] ?? 0;
  const date = new Date(Number(seconds) * 1000);
  return {
    name: text.slice(0, open).replace(/ $/, ""),
    email: text.slice(open + 1, close),
    date: (Number.isNaN(date.getTime()) ? new Date(0) : date).toISOString(),
  };
}
