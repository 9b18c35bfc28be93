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
  const head = bytes.subarray(0, split < 0 ? bytes.length : split).toString("latin1");
  const encoding = /^encoding (.+)$/m.exec(head)?.[1] ?? "utf-8";
  const text = decoder(encoding);
  const lines = text.decode(bytes.subarray(0, split < 0 ? bytes.length : split)).split("\n");
  const value = (key: string) =>
    lines.find((line) => line.startsWith(`${key} `))?.slice(key.length + 1) ?? "";
  return {
    sha,
    tree: value("tree"),
    message: split < 0 ? "" : text.decode(bytes.subarray(split + 2)),
    author: parsePerson(value("author")),
    committer: parsePerson(value("committer")),
    parents: lines.filter((line) => line.startsWith("parent ")).map((line) => line.slice(7)),
  };
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
  const match = /^(?<name>.*?) ?<(?<email>[^>]*)>(?: (?<seconds>-?\d+))?/.exec(text);
  const date = new Date(Number(match?.groups?.["seconds"] ?? 0) * 1000);
  return {
    name: match?.groups?.["name"] ?? "",
    email: match?.groups?.["email"] ?? "",
    date: (Number.isNaN(date.getTime()) ? new Date(0) : date).toISOString(),
  };
}
