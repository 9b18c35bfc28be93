/** Reads the object of an annotated tag. */
import { parsePerson, type CommitPerson } from "./commit.ts";

export interface TagInfo {
  message: string;
  /** null in very old tags. */
  tagger: CommitPerson | null;
}

export function parseTag(bytes: Buffer): TagInfo {
  const text = bytes.toString("utf8");
  const split = text.indexOf("\n\n");
  const head = split < 0 ? text : text.slice(0, split);
  const tagger = head.split("\n").find((line) => line.startsWith("tagger "));
  return {
    message: split < 0 ? "" : text.slice(split + 2),
    tagger: tagger === undefined ? null : parsePerson(tagger.slice("tagger ".length)),
  };
}
