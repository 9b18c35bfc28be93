/** What became of each ref of a push: the lines of `git push --porcelain` (git-push(1), "OUTPUT"). */

export interface PushedRef {
  ref: string;
  /** Null where the ref has moved. `stale`: the target has another value than it had before. Otherwise the reason of its refusal. */
  problem: null | { kind: "stale" } | { kind: "refused"; reason: string };
}

const line = /^(?<flag>[ +*!=-])\t[^\t]*:(?<ref>refs\/[^\t:]+)\t(?<summary>.*)$/;
const maxReason = 200;

export function readStatusLines(text: string): PushedRef[] {
  return text.split("\n").flatMap((each) => {
    const { flag, ref, summary = "" } = line.exec(each)?.groups ?? {};
    return ref === undefined ? [] : [{ ref, problem: flag === "!" ? problemOf(summary) : null }];
  });
}

function problemOf(summary: string): NonNullable<PushedRef["problem"]> {
  const { kind = "", reason = "" } =
    /^\[(?<kind>[^\]]*)\] ?(?:\((?<reason>.*)\))?$/.exec(summary)?.groups ?? {};
  if (kind === "rejected") return { kind: "stale" };
  return { kind: "refused", reason: printable(reason === "" ? summary : reason) };
}

/** What somebody else's server says becomes part of a sentence of ours. */
export function printable(text: string): string {
  return text
    .replaceAll(/[^\x20-\x7e]+/g, " ")
    .trim()
    .slice(0, maxReason);
}
