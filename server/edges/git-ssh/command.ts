/**
 * Reads what an SSH client asks to run. No shell ever sees it: one program of a fixed list, one path, and quotes as Git's
 * clients write them. Everything else that a shell would understand is refused.
 */
import { ownerName, repositoryName } from "@forgeline/schemas/core/ids.ts";
import type { GitProgram } from "../../domains/hosting/domain.ts";

interface Repository {
  owner: string;
  name: string;
}

export type SshCommand = GitCommand | LfsCommand;

export interface GitCommand extends Repository {
  program: GitProgram;
}

export interface LfsCommand extends Repository {
  program: "lfs-authenticate";
  /** What the client is about to do over HTTPS. */
  operation: "download" | "upload";
}

/** The requested command, or a message for the client that says why it is refused. */
export type ReadCommand = SshCommand | { problem: string };

const longest = 1_024;
const programs = new Set<string>(["upload-pack", "receive-pack", "upload-archive"]);

export function readCommand(text: string): ReadCommand {
  const match = text.length > longest ? null : /^git[- ](?<program>[a-z-]+) (?<rest>\S.*)$/s.exec(text);
  const { program = "", rest = "" } = match?.groups ?? {};
  if (program === "lfs-authenticate") return readLfs(rest);
  if (program === "lfs-transfer") return { problem: "Git LFS objects are transferred over HTTPS." };
  if (!programs.has(program))
    return { problem: "Only git clone, fetch, push, archive --remote and Git LFS work over SSH." };
  const repository = readRepository(rest);
  return repository
    ? { program: program as GitProgram, ...repository }
    : { problem: "Repository not found." };
}

/** `PATH download|upload`; some clients also name an object, which does not affect permissions. */
function readLfs(rest: string): ReadCommand {
  const match = /^(?<word>.*) (?<operation>download|upload)(?: [0-9a-f]{64})?$/s.exec(rest);
  const { word = "", operation } = match?.groups ?? {};
  if (!match) return { problem: "The Git LFS operation must be download or upload." };
  const repository = readRepository(word);
  if (!repository) return { problem: "Repository not found." };
  return { program: "lfs-authenticate", ...repository, operation: operation as "download" | "upload" };
}

function readRepository(word: string): Repository | undefined {
  const [, owner, name] = /^\/?([^/]+)\/([^/]+?)(?:\.git)?\/?$/.exec(unquote(word) ?? "") ?? [];
  if (!ownerName.safeParse(owner).success || !repositoryName.safeParse(name).success) return undefined;
  return { owner: owner!, name: name! };
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
