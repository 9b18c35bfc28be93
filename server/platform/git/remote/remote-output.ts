/** What Git says while it talks to a remote repository. The other side can say as much as it likes, so only the end is kept. */
import type { Readable } from "node:stream";

export interface RemoteOutput {
  /** Whether it has said what was looked for. */
  hasSeen(): boolean;
  /** The end of all that was said, progress included. */
  tail(): string;
  /** The same without progress. */
  problems(): string;
}

const keptText = 8_192;
const progress =
  /^(?:remote: )?(?:Enumerating|Counting|Compressing|Receiving|Resolving|Writing|Total|Unpacking)\b/;

export function listenTo(stream: Readable, lookedFor: RegExp): RemoteOutput {
  let text = "";
  let seen = false;
  stream.on("data", (chunk: Buffer) => {
    text = (text + chunk.toString("utf8")).slice(-keptText);
    seen ||= lookedFor.test(text);
  });
  return {
    hasSeen: () => seen,
    tail: () => text,
    problems: () =>
      text
        .split(/[\r\n]+/)
        .filter((line) => line !== "" && !progress.test(line))
        .join("\n"),
  };
}
