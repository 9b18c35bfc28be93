/**
 * Reads what an SSH client asks to run. No shell ever sees it: one program of a fixed list, one path, and quotes as Git's
 * clients write them. Whatever else a shell would understand is refused.
 */
import { ownerName, repositoryName } from "@forgeline/schemas/core/ids.ts";

export type SshProgram = "upload-pack" | "receive-pack" | "upload-archive";

export interface SshCommand {
  program: SshProgram;
  owner: string;
  name: string;
}

/** What was asked for, or in words for the client why that cannot be. */
export type ReadCommand = SshCommand | { problem: string };

const longest = 1_024;
const programs = new Set<string>(["upload-pack", "receive-pack", "upload-archive"]);

export function readCommand(text: string): ReadCommand {
  const match = text.length > longest ? null : /^git[- ](?<program>[a-z-]+) (?<rest>\S.*)$/s.exec(text);
  const { program = "", rest = "" } = match?.groups ?? {};
  if (/^git[- ]lfs-(?:authenticate|transfer)\b/.test(text)) return { problem: "Git LFS is not served here." };
  if (!programs.has(program))
    return { problem: "Only git clone, fetch, push and archive --remote work over SSH." };
  const path = unquote(rest);
  const [, owner, name] = /^\/?([^/]+)\/([^/]+?)(?:\.git)?\/?$/.exec(path ?? "") ?? [];
  if (!ownerName.safeParse(owner).success || !repositoryName.safeParse(name).success)
    return { problem: "Repository not found." };
  return { program: program as SshProgram, owner: owner!, name: name! };
}

/**
 * One word as Git's clients quote it: within single quotes, `'\''` or `'\!'` for what these cannot hold; or without any
 * quote. Undefined for all else.
 */
function unquote(word: string): string | undefined {
  if (/^[A-Za-z0-9._/-]+$/.test(word)) return word;
  if (!/^'(?:[^'\\]|'\\['!]')*'$/s.test(word)) return undefined;
  return word.slice(1, -1).replaceAll(/'\\(['!])'/g, "$1");
}
