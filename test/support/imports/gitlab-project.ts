/** A project at GitLab, written by hand after docs.gitlab.com/api: what its lists answer, and its Git repository. */
import type { GitSource } from "../git-source.ts";
import type { Project } from "./github-project.ts";

const day = (number: number) => `2022-05-${String(number).padStart(2, "0")}T08:00:00.000Z`;
const user = (username: string) => ({ id: 1, username, name: username, state: "active" });

const item = (iid: number, more: object) => ({
  id: 5000 + iid,
  iid,
  title: `Item ${iid}`,
  description: null,
  author: user("sidney"),
  labels: [],
  assignees: [],
  milestone: null,
  discussion_locked: null,
  state: "opened",
  created_at: day(iid),
  updated_at: day(iid + 1),
  closed_at: null,
  ...more,
});

const note = (id: number, more: object) => ({
  id,
  system: false,
  author: user("sidney"),
  body: `Note ${id}`,
  created_at: day(9),
  updated_at: day(9),
  resolvable: false,
  ...more,
});

/** `group/sub/NAME`: issues 1 and 2, and merge requests 1 (merged) and 2 (open), which become 3 and 4. */
export async function gitlabProject(source: GitSource, name: string): Promise<Project> {
  const repository = await source.create(`group/sub/${name}`);
  const base = await repository.commit("main", { "a.txt": "a" });
  await repository.updateRefs(`create refs/heads/topic ${base}\ncreate refs/heads/done ${base}\n`);
  const topic = await repository.commit("topic", { "a.txt": "a", "topic.txt": "topic\n" });
  const done = await repository.commit("done", { "a.txt": "a", "done.txt": "done\n" });
  await repository.updateRefs(
    `create refs/merge-requests/1/head ${done}\ncreate refs/merge-requests/2/head ${topic}\nupdate refs/heads/main ${done}\ndelete refs/heads/done\n`,
  );
  const at = `/projects/group/sub/${name}`;
  const merge = (iid: number, more: object) =>
    item(iid, {
      draft: false,
      source_branch: "topic",
      target_branch: "main",
      source_project_id: 7,
      target_project_id: 7,
      merge_commit_sha: null,
      squash_commit_sha: null,
      merged_at: null,
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
  const lists = {
    [`${at}/labels`]: [{ id: 3, name: "kind::bug", color: "#FF0000", description: null }],
    [`${at}/milestones`]: [
      {
        id: 8,
        iid: 1,
        title: "v1",
        description: "",
        due_date: "2022-06-01",
        state: "closed",
        created_at: day(1),
      },
    ],
    [`${at}/issues`]: [
      item(1, {
        labels: ["kind::bug", "of the group"],
        milestone: { title: "v1" },
        description: "See !2 and #2, @all",
      }),
      item(2, { state: "closed", closed_at: day(6) }),
    ],
    [`${at}/merge_requests`]: [
      merge(1, {
        state: "merged",
        source_branch: "done",
        sha: done,
        merge_commit_sha: done,
        merged_at: day(7),
        closed_at: null,
      }),
      merge(2, { sha: topic, draft: true, description: "After !1" }),
    ],
    [`${at}/issues/1/notes`]: [note(11, {}), note(12, { system: true, body: "changed the description" })],
    [`${at}/issues/2/notes`]: [],
    [`${at}/merge_requests/1/approvals`]: { updated_at: day(7), approved_by: [{ user: user("maria") }] },
    [`${at}/merge_requests/2/approvals`]: { updated_at: day(8), approved_by: [] },
    [`${at}/merge_requests/1/discussions`]: [],
    [`${at}/merge_requests/2/discussions`]: [
      { id: "6a9c1750b37d513a43987b574953fceb50b03ce7", individual_note: true, notes: [note(21, {})] },
      {
        id: "7a9c1750b37d513a43987b574953fceb50b03ce7",
        individual_note: false,
        notes: [
          note(22, { position, resolved: true, resolved_at: day(10) }),
          note(23, { position, author: user("maria") }),
        ],
      },
    ],
  };
  return { repository, lists, commits: { base, topic, done, fork: topic } };
}
