/** Headings of sections, as GitLab has them: `[Name]`, `^[Name]` for an optional one, `[Name][2]`, each with owners behind it. */
import type { CodeOwnersErrorKind, CodeOwnersSection } from "./file.ts";

const maxApprovals = 100;
const maxName = 255;

export interface Heading {
  section: CodeOwnersSection & { name: string };
  /** Where the owners begin, from 0. */
  restAt: number;
}

export interface HeadingProblem {
  at: number;
  kind: CodeOwnersErrorKind;
  message: string;
  suggestion?: string;
}

export function isHeading(line: string): boolean {
  return line.startsWith("[") || line.startsWith("^[");
}

/** `line` begins as a heading does. */
export function readHeading(line: string): Heading | HeadingProblem {
  const optional = line.startsWith("^");
  const opens = optional ? 1 : 0;
  const closes = line.indexOf("]", opens);
  if (closes < 0)
    return { at: opens, kind: "invalid_section", message: "the name of the section is not closed by ]" };
  const name = line.slice(opens + 1, closes).trim();
  const problem = problemOfName(name);
  if (problem !== undefined) return { at: opens, kind: "invalid_section", message: problem };
  const counted = /^\[([^\]]{0,20})\]/.exec(line.slice(closes + 1, closes + 30));
  const restAt = closes + 1 + (counted?.[0].length ?? 0);
  if (restAt < line.length && !/[ \t]/.test(line.charAt(restAt))) return noHeading(line, restAt);
  const approvals = counted ? countOf(counted[1] ?? "") : 1;
  if (approvals === undefined)
    return {
      at: closes + 1,
      kind: "invalid_section",
      message: `the number of approvals is a whole number from 1 to ${maxApprovals}`,
    };
  return { section: { name, optional, approvals }, restAt };
}

function problemOfName(name: string): string | undefined {
  if (name === "") return "the section has no name";
  return name.length > maxName ? `the name of a section has at most ${maxName} characters` : undefined;
}

/** Most likely a path such as `[id].ts` at the top of the repository. */
function noHeading(line: string, at: number): HeadingProblem {
  const [pattern = ""] = line.split(/[ \t]/, 1);
  return {
    at,
    kind: "invalid_section",
    message: "a blank has to follow the heading of a section; in a pattern, put a backslash before [ and ]",
    suggestion: pattern.replaceAll(/[[\]]/g, "\\$&"),
  };
}

function countOf(text: string): number | undefined {
  if (!/^\d{1,3}$/.test(text)) return undefined;
  const count = Number(text);
  return count >= 1 && count <= maxApprovals ? count : undefined;
}
