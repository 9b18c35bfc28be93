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
