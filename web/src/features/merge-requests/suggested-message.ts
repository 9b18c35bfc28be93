/** What the server would write as the message of the commit that merges, for whoever wants to change it. */
import { titleOf } from "../commits/commit-message.ts";
import type { MergeRequest } from "./merge-request.ts";

type Described = Pick<MergeRequest, "number" | "title" | "description" | "target_branch"> & {
  /** As `sourceName` says it. */
  source: string;
};

const maxSubjects = 100;

/** `messages`: of the commits, newest first, as the API lists them. */
export function suggestedMessage(
  strategy: "merge" | "squash",
  { number, title, description, source, target_branch: target }: Described,
  commits: { messages: readonly string[]; total: number },
): string {
  const named = `${title} (!${number})`;
  if (strategy === "merge") return `Merge branch '${source}' into ${target}\n\n${named}\n`;
  const body = description.trim() || listOf(commits);
  return body === "" ? `${named}\n` : `${named}\n\n${body}\n`;
}

/** Of a single commit the title says enough. */
function listOf({ messages, total }: { messages: readonly string[]; total: number }): string {
  if (total < 2) return "";
  const lines = messages
    .toReversed()
    .slice(0, maxSubjects)
    .map((message) => `* ${titleOf(message)}`);
  const rest = total - lines.length;
  return [...lines, ...(rest > 0 ? [`* … and ${rest} more`] : [])].join("\n");
}
