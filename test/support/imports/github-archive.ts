/** A migration archive of GitHub, written by hand after the archives that docs.github.com/rest/migrations describes. */
import type { GitSource } from "../git-source.ts";
import { filesBelow, type ArchiveFiles } from "./export-archive.ts";
import { githubProject, type Project } from "./github-project.ts";

const host = "https://github.com";
const day = (number: number) => `2021-03-${String(number).padStart(2, "0")}T10:00:00Z`;

export interface ExportedProject {
  files: ArchiveFiles;
  commits: Project["commits"];
}

/** As `githubProject` has it, beside a second repository: issues 1 and 2, merge requests 3 (open), 4 (merged) and 5 (open, from a fork). */
export async function githubArchive(source: GitSource, name: string): Promise<ExportedProject> {
  const { repository, commits } = await githubProject(source, name);
  const { base, topic, done, fork } = commits;
  await repository.git("repack", "-q");
  const at = `${host}/octo/${name}`;
  const item = (kind: "issues" | "pull", number: number, more: object) => ({
    type: kind === "pull" ? "pull_request" : "issue",
    url: `${at}/${kind}/${number}`,
    repository: at,
    user: `${host}/octocat`,
    title: `Item ${number}`,
    body: null,
    assignee: null,
    assignees: [],
    milestone: null,
    labels: [],
    reactions: [],
    closed_at: null,
    created_at: day(number),
    ...more,
  });
  const pull = (number: number, head: { ref: string; sha: string; repo: string | null }, more: object = {}) =>
    item("pull", number, {
      base: { ref: "main", sha: base, user: `${host}/octo`, repo: at },
      head: { user: `${host}/octo`, ...head },
      review_requests: [],
      work_in_progress: false,
      merged_at: null,
      ...more,
    });
  const comment = (on: string, id: string, more: object) => ({
    url: `${at}/${on}#${id}`,
    user: `${host}/hubot`,
    body: `Text ${id}`,
    formatter: "markdown",
    reactions: [],
    created_at: day(10),
    ...more,
  });
  const review = (id: number, state: number, more: object) =>
    comment("pull/3/files", `pullrequestreview-${id}`, {
      type: "pull_request_review",
      pull_request: `${at}/pull/3`,
      head_sha: topic,
      state,
      submitted_at: day(12),
      ...more,
    });
  const lineComment = (id: number, more: object) =>
    comment("pull/3/files", `r${id}`, {
      type: "pull_request_review_comment",
      pull_request: `${at}/pull/3`,
      pull_request_review: `${at}/pull/3/files#pullrequestreview-900`,
      diff_hunk: "@@ -0,0 +1 @@\n+topic",
      path: "topic.txt",
      position: 1,
      original_position: 1,
      commit_id: topic,
      original_commit_id: topic,
      state: 1,
      in_reply_to: null,
      ...more,
    });
  const lists = {
    "schema.json": { version: "1.2.0" },
    // No list of GitHub, but a name that every object answers to.
    "constructor_000001.json": [item("issues", 8, {})],
    "issues_000001.json": [
      item("issues", 1, {
        user: `${host}/hubot`,
        body: "Ask @octocat.",
        assignees: [`${host}/octocat`],
        milestone: `${at}/milestones/1`,
        labels: [`${at}/labels/good%20first`],
        updated_at: day(20),
      }),
      // Of another repository of the archive.
      { ...item("issues", 9, {}), url: `${host}/octo/other/issues/9`, repository: `${host}/octo/other` },
    ],
    "issues_000002.json": [item("issues", 2, { closed_at: day(4), user: null })],
    "issue_comments_000001.json": [
      comment("issues/1", "issuecomment-51", { type: "issue_comment", issue: `${at}/issues/1` }),
      comment("pull/3", "issuecomment-53", { type: "issue_comment", pull_request: `${at}/pull/3` }),
    ],
    "milestones_000001.json": [
      {
        type: "milestone",
        url: `${at}/milestones/1`,
        repository: at,
        title: "v1",
        description: "First",
        state: "open",
        due_on: "2021-06-01T00:00:00Z",
        created_at: day(1),
        closed_at: null,
      },
    ],
    "pull_requests_000001.json": [
      pull(3, { ref: "topic", sha: topic, repo: at }),
      pull(4, { ref: "done", sha: done, repo: at }, { merged_at: day(5), closed_at: day(5) }),
      pull(5, { ref: "main", sha: fork, repo: null }, { user: `${host}/stranger` }),
    ],
    "pull_request_reviews_000001.json": [review(900, 40, { body: "Good" }), review(901, 0, {})],
    "pull_request_review_comments_000001.json": [
      lineComment(61, {}),
      lineComment(62, { in_reply_to: `${at}/pull/3/files#r61`, user: `${host}/octocat` }),
    ],
    "repositories_000001.json": [
      { type: "repository", url: `${host}/octo/other`, name: "other", labels: [] },
      {
        type: "repository",
        url: at,
        name,
        default_branch: "main",
        labels: [{ type: "label", url: `${at}/labels/good%20first`, name: "good first", color: "7057ff" }],
      },
    ],
  };
  const git = await filesBelow(repository.directory, `./repositories/octo/${name}.git`);
  const json = Object.entries(lists).map(
    ([file, records]) => [`./${file}`, JSON.stringify(records)] as const,
  );
  return { commits, files: { ...Object.fromEntries(json), ...git } };
}
