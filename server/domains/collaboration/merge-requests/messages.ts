/** What commits say that merge here, where nobody says otherwise. */
import type { MergeStrategy } from "@forgeline/schemas/core/merge-strategies.ts";

export interface Merged {
  number: number;
  title: string;
  description: string;
  source: string;
  target: string;
  /** First lines of the commits, oldest first. */
  subjects: readonly string[];
}

const maxSubjects = 100;

export function defaultMessage(strategy: MergeStrategy, merged: Merged): string {
  const { number, title, source, target } = merged;
  const named = `${title} (!${number})`;
  if (strategy !== "squash") return `Merge branch '${source}' into ${target}\n\n${named}\n`;
  const body = merged.description.trim() || listOf(merged.subjects);
  return body === "" ? `${named}\n` : `${named}\n\n${body}\n`;
}

/** Of a single commit the title says enough. */
function listOf(subjects: readonly string[]): string {
  if (subjects.length < 2) return "";
  const rest = subjects.length - maxSubjects;
  const lines = subjects.slice(0, maxSubjects).map((subject) => `* ${subject}`);
  return [...lines, ...(rest > 0 ? [`* … and ${rest} more`] : [])].join("\n");
}

const maxCoAuthors = 20;
const maxNameLength = 100;

/** The message, which names the first of these at its end. */
export function withCoAuthors(message: string, people: readonly { name: string; email: string }[]): string {
  const lines = people.slice(0, maxCoAuthors).flatMap(({ name, email }) => {
    // Names are what somebody wrote: they close no issue and mention nobody.
    const shown = name
      .replaceAll(/[<>#!@\p{C}]/gu, "")
      .trim()
      .slice(0, maxNameLength);
    return shown && /^[^<>#!\s\p{C}]{1,254}$/u.test(email) ? [`Co-authored-by: ${shown} <${email}>`] : [];
  });
  return lines.length === 0 ? message : `${message.trimEnd()}\n\n${lines.join("\n")}\n`;
}
