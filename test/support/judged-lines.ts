/** Numbered lines that carry their own proof, `L <id> <seq> <crc32>`, and the judge that counts what is wrong. */
import { crc32 } from "node:zlib";

export interface Verdict {
  missing: number;
  doubled: number;
  outOfOrder: number;
  broken: number;
  seen: number;
}

/** Shell script that prints lines 1 to `count`, in one program, with a pause after each `burst` lines. */
export function linesScript(id: string, count: number, burst: number, pauseSeconds: number): string {
  // The checksum is made by the test, so the shell only copies: one file per burst is read in turn.
  const pause = pauseSeconds > 0 ? `; sleep ${pauseSeconds}` : "";
  const lines = Array.from({ length: count }, (_, i) => judgedLine(id, i + 1));
  const bursts: string[] = [];
  for (let at = 0; at < lines.length; at += burst)
    bursts.push(`cat <<'END'${pause}\n${lines.slice(at, at + burst).join("\n")}\nEND`);
  return `${bursts.join("\n")}\n`;
}

export function judgedLine(id: string, seq: number): string {
  const text = `L ${id} ${seq}`;
  return `${text} ${crc32(text).toString(16)}`;
}

export function judge(text: string, id: string, count: number): Verdict {
  const verdict: Verdict = { missing: 0, doubled: 0, outOfOrder: 0, broken: 0, seen: 0 };
  const seen = new Set<number>();
  let last = 0;
  for (const line of text.split("\n")) {
    if (line === "") continue;
    const seq = Number(line.split(" ")[2]);
    if (line !== judgedLine(id, seq)) {
      verdict.broken++;
      continue;
    }
    if (seen.has(seq)) verdict.doubled++;
    else if (seq < last) verdict.outOfOrder++;
    seen.add(seq);
    last = Math.max(last, seq);
  }
  verdict.seen = seen.size;
  verdict.missing = count - seen.size;
  return verdict;
}

export const flawlessVerdict = (count: number): Verdict => ({
  missing: 0,
  doubled: 0,
  outOfOrder: 0,
  broken: 0,
  seen: count,
});
