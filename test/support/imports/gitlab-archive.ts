/** A project export of GitLab, written by hand after docs.gitlab.com/user/project/settings/import_export and its own test data. */
import { createHash } from "node:crypto";
import { readFile } from "node:fs/promises";
import { join } from "node:path";
import type { GitSource } from "../git-source.ts";
import { lines } from "./export-archive.ts";
import type { ExportedProject } from "./github-archive.ts";
import { gitlabProject } from "./gitlab-project.ts";

const day = (number: number) => `2022-05-${String(number).padStart(2, "0")}T08:00:00.000Z`;
export const large = Buffer.from("large file\n");
export const largeId = createHash("sha256").update(large).digest("hex");

const item = (iid: number, more: object) => ({
  id: 5000 + iid,
  iid,
  title: `Item ${iid}`,
  description: null,
  author_id: 26,
  state: "opened",
  created_at: day(iid),
  updated_at: day(iid + 1),
  closed_at: null,
  discussion_locked: null,
  label_links: [],
  notes: [],
  ...more,
});

const note = (id: number, more: object) => ({
  id,
  note: `Note ${id}`,
  author_id: 26,
  author: { name: "Sid Ney" },
  system: false,
  position: null,
  resolved_at: null,
  discussion_id: null,
  confidential: null,
  created_at: day(9),
  updated_at: day(9),
  ...more,
});

const label = (title: string) => ({ id: 1, label_id: 3, label: { id: 3, title, color: "#FF0000" } });

/** As `gitlabProject` has it: issues 1 and 2, and merge requests 1 (merged) and 2 (open), which become 3 and 4; with a file of Git LFS. */
export async function gitlabArchive(source: GitSource, name: string): Promise<ExportedProject> {
  const { repository, commits } = await gitlabProject(source, name);
  const { base, topic, done } = commits;
  const pointer = `version https://git-lfs.github.com/spec/v1\noid sha256:${largeId}\nsize ${large.length}\n`;
  await repository.updateRefs(`create refs/heads/large ${done}\n`);
  await repository.commit("large", {
    ".gitattributes": "*.bin filter=lfs diff=lfs merge=lfs -text\n",
    "large.bin": pointer,
  });
  const bundle = join(repository.directory, "project.bundle");
  await repository.git("bundle", "create", bundle, "--all");
  const merge = (iid: number, more: object) =>
    item(iid, {
      source_branch: "topic",
      target_branch: "main",
      source_project_id: 7,
      target_project_id: 7,
      merge_commit_sha: null,
      approvals: [],
      ...more,
    });
  const position = {
    base_sha: base,
    head_sha: topic,
    start_sha: base,
    new_path: "topic.txt",
    old_path: "topic.txt",
    new_line: 1,
    old_line: null,
  };
  return {
    commits,
    files: {
      VERSION: "0.2.4",
      // No list of GitLab, but a name that every object answers to.
      "tree/project/constructor.ndjson": lines(item(8, {})),
      "tree/project.json": JSON.stringify({ description: "A tool", visibility_level: 0 }),
      "tree/project/issues.ndjson": lines(
        item(1, {
          description: "See !2 and #2, @all",
          label_links: [label("kind::bug"), label("of the group")],
          milestone: { id: 8, title: "v1" },
          issue_assignees: [{ user_id: 16, issue_id: 5001 }],
          notes: [note(11, {}), note(12, { system: true, note: "changed the description" })],
        }),
        item(2, { state: "closed", closed_at: day(6) }),
        item(3, { confidential: true, notes: [note(13, {})] }),
      ),
      "tree/project/labels.ndjson": lines({ id: 3, title: "kind::bug", color: "#FF0000", description: null }),
      "tree/project/milestones.ndjson": lines({
        id: 8,
        title: "v1",
        description: "",
        due_date: "2022-06-01",
        state: "closed",
        created_at: day(1),
      }),
      "tree/project/merge_requests.ndjson": lines(
        merge(1, {
          state: "merged",
          source_branch: "done",
          merge_commit_sha: done,
          metrics: { merged_at: day(7) },
          merge_request_diff: { head_commit_sha: done },
          approvals: [{ user_id: 16, created_at: day(7) }],
        }),
        merge(2, {
          title: "Draft: Item 2",
          description: "After !1",
          merge_request_diff: { head_commit_sha: topic },
          notes: [
            note(21, {}),
            note(22, { position, discussion_id: "7a9c", resolved_at: day(10) }),
            note(23, { position: JSON.stringify(position), discussion_id: "7a9c", author_id: 16 }),
          ],
        }),
      ),
      "tree/project/project_members.ndjson": lines({
        id: 36,
        user_id: 16,
        user: { id: 16, username: "maria" },
      }),
      "project.bundle": await readFile(bundle),
      [`lfs-objects/${largeId}`]: large,
    },
  };
}
