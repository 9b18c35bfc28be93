/** What `forgeline-init netfilter` prints, read back. */
import type { Frame } from "./netlink.ts";

export interface Answer {
  /** Objects that were listed. */
  count: number;
  /** What the kernel refused, in words; null when it took all. */
  refused: string | null;
}

/** One answer for each frame. Throws where one is missing. */
export function readAnswers(text: string, frames: readonly Frame[]): Answer[] {
  const answers: Answer[] = [];
  let refused: string | null = null;
  for (const line of text.split("\n")) {
    const [word, first = "", , ...rest] = line.split(" ");
    const asked = frames[answers.length]?.asked.get(Number(first));
    if (word === "error") refused ??= `${asked ?? "the request"}: ${rest.join(" ")}`;
    if (word !== "end") continue;
    answers.push({ count: Number(first), refused });
    refused = null;
  }
  if (answers.length < frames.length) throw new Error(refused ?? `no answer: ${text.trim()}`);
  return answers;
}

/** As the program reads it: each frame with its length before it. */
export function framesAsBytes(frames: readonly Frame[]): Buffer {
  return Buffer.concat(
    frames.flatMap(({ bytes }) => {
      const length = Buffer.alloc(4);
      length.writeUInt32LE(bytes.length);
      return [length, bytes];
    }),
  );
}
