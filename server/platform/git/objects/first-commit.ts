/** Puts the first commit into an empty repository, durably, without a working tree: one `git fast-import`. */
import { syncRefs } from "../refs/refs.ts";
import type { RunGit } from "../processes/run-git.ts";

export interface FirstCommit {
  directory: string;
  branch: string;
  author: { name: string; email: string };
  message: string;
  /** By path. */
  files: Readonly<Record<string, string>>;
  time: Date;
}

export async function writeFirstCommit(runGit: RunGit, commit: FirstCommit): Promise<void> {
  const seconds = Math.floor(commit.time.getTime() / 1000);
  const lines = [
    `commit refs/heads/${commit.branch}`,
    `committer ${plain(commit.author.name)} <${plain(commit.author.email)}> ${seconds} +0000`,
    data(commit.message),
    ...Object.entries(commit.files).flatMap(([path, text]) => [`M 100644 inline ${path}`, data(text)]),
    "done",
    "",
  ];
  const { directory } = commit;
  await runGit({ directory, args: ["fast-import", "--quiet", "--done"], input: lines.join("\n") });
  await syncRefs(directory, [`refs/heads/${commit.branch}`]);
}

function data(text: string): string {
  return `data ${Buffer.byteLength(text)}\n${text}`;
}

/** Names of people must not contain the separators of the line. */
function plain(text: string): string {
  return text.replaceAll(/[<>\p{Cc}]/gu, "").trim() || "unknown";
}
