/** What a new merge request says before somebody writes it. */
import { bodyOf, titleOf } from "../commits/commit-message.ts";

const maxTitleChars = 255;

/** `messages`: of the commits that would be merged. A single one says what it does; of several the branch's name does. */
export function prefill(branch: string, messages: readonly string[]): { title: string; description: string } {
  const [only] = messages;
  if (only === undefined || messages.length > 1) return { title: cut(wordsOf(branch)), description: "" };
  return { title: cut(titleOf(only)), description: bodyOf(only) };
}

/** What the commit says comes first, as its author has written it. */
export function withTemplate(description: string, template: string | undefined): string {
  return [description, template ?? ""].filter((part) => part.trim() !== "").join("\n\n");
}

/** `ada/retry-uploads` becomes `Retry uploads`. */
function wordsOf(branch: string): string {
  const last = branch.split("/").findLast((part) => part !== "") ?? branch;
  const words = last.replace(/[-_]+/g, " ").trim() || branch;
  return words.charAt(0).toUpperCase() + words.slice(1);
}

function cut(title: string): string {
  return title.length <= maxTitleChars ? title : `${title.slice(0, maxTitleChars - 1)}…`;
}
