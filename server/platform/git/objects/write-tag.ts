/** Makes the object of an annotated tag. */
import type { RunGit } from "../processes/run-git.ts";

export interface NewTag {
  directory: string;
  name: string;
  /** Full id of the commit. */
  sha: string;
  message: string;
  tagger: { name: string; email: string };
  time: Date;
}

/** The object's id; no ref moves. Git checks the object as it checks a pushed one. */
export async function writeTag(runGit: RunGit, tag: NewTag): Promise<string> {
  const seconds = Math.floor(tag.time.getTime() / 1000);
  const lines = [
    `object ${tag.sha}`,
    "type commit",
    `tag ${tag.name}`,
    `tagger ${tag.tagger.name} <${tag.tagger.email}> ${seconds} +0000`,
    "",
    tag.message.endsWith("\n") ? tag.message : `${tag.message}\n`,
  ];
  const { stdout } = await runGit({ directory: tag.directory, args: ["mktag"], input: lines.join("\n") });
  return stdout.toString("latin1").trim();
}
