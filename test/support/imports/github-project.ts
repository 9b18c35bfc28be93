/** A project at GitHub, written by hand after docs.github.com/rest: what its lists answer, and its Git repository. */
import type { GitSource, SourceRepository } from "../git-source.ts";

const two = (number: number) => String(number).padStart(2, "0");
const day = (number: number, second = 0) => `2021-03-${two(number)}T10:00:${two(second)}Z`;
const user = (login: string) => ({ login, id: 1, type: "User", html_url: `https://github.com/${login}` });
const bug = { id: 208045946, name: "bug", color: "F29513", description: "Something is not working" };

function issue(number: number, more: object) {
  return {
    id: 1000 + number,
    number,
    title: `Issue ${number}`,
    body: null,
    user: user("octocat"),
    labels: [],
    assignees: [],
    milestone: null,
    locked: false,
    state: "open",
    state_reason: null,
    created_at: day(number),
    updated_at: day(number + 1),
    closed_at: null,
    ...more,
  };
}

const comment = (id: number, number: number, more: object) => ({
  id,
  issue_url: `https://api.github.com/repos/octo/hello/issues/${number}`,
  user: user("hubot"),
  body: `Comment ${id}`,
  created_at: day(10, (id - 50) * 5),
  updated_at: day(10, (id - 50) * 5),
  ...more,
});

const review = (id: number, state: string, more: object) => ({
  id,
  user: user("hubot"),
  body: "",
  state,
  submitted_at: day(12),
  ...more,
});

const lineComment = (id: number, number: number, more: object) => ({
  id,
  pull_request_url: `https://api.github.com/repos/octo/hello/pulls/${number}`,
  pull_request_review_id: 900,
  user: user("hubot"),
  body: `Line ${id}`,
  path: "topic.txt",
  line: 1,
  original_line: 1,
  original_start_line: null,
  side: "RIGHT",
  diff_hunk: "@@ -0,0 +1 @@\n+topic",
  created_at: day(12, (id - 60) * 5),
  updated_at: day(12, (id - 60) * 5),
  ...more,
});

export interface Project {
  repository: SourceRepository;
  lists: Record<string, unknown>;
  commits: { base: string; topic: string; done: string; fork: string };
}

/** `octo/NAME`: issues 1 and 2, merge requests 3 (open), 4 (merged), 5 (open, from a fork) and 6 (closed, without commits). */
export async function githubProject(source: GitSource, name: string): Promise<Project> {
  const repository = await source.create(`octo/${name}`);
  const base = await repository.commit("main", { "a.txt": "a" });
  const begin = (branch: string) => repository.updateRefs(`create refs/heads/${branch} ${base}\n`);
  await begin("topic");
  const topic = await repository.commit("topic", { "a.txt": "a", "topic.txt": "topic\n" });
  await begin("done");
  const done = await repository.commit("done", { "a.txt": "a", "done.txt": "done\n" });
  await begin("fork");
  const fork = await repository.commit("fork", { "a.txt": "a", "fork.txt": "fork\n" });
  const heads = [`3/head ${topic}`, `4/head ${done}`, `5/head ${fork}`];
  const refs = heads.map((head) => `create refs/pull/${head}\n`).join("");
  await repository.updateRefs(
    `${refs}update refs/heads/main ${done}\ndelete refs/heads/done\ndelete refs/heads/fork\n`,
  );
  const commits = { base, topic, done, fork };
  const at = `/repos/octo/${name}`;
  const pull = (number: number, head: { ref: string; sha: string; repo?: object }, more: object) =>
    issue(number, {
      title: `Change ${number}`,
      draft: false,
      merged_at: null,
      merge_commit_sha: null,
      head: { repo: { id: 7 }, ...head },
      base: { ref: "main", sha: base, repo: { id: 7 } },
      ...more,
    });
  const pulls = [
    pull(3, { ref: "topic", sha: topic }, { body: "As #1 says, @hubot." }),
    pull(
      4,
      { ref: "done", sha: done },
      { state: "closed", merged_at: day(5), closed_at: day(5), merge_commit_sha: done },
    ),
    pull(5, { ref: "main", sha: fork, repo: { id: 8 } }, { user: user("stranger") }),
    pull(6, { ref: "lost", sha: "d".repeat(40) }, { state: "closed", closed_at: day(8) }),
  ];
  const issues = [
    issue(1, {
      body: "Ask @octocat and @ada, not `@code`.\n\n<!-- hidden -->\n\n![image](https://example.com/x.png)",
      labels: [bug],
      milestone: { title: "v1" },
      assignees: [user("octocat"), user("hubot")],
      user: user("hubot"),
    }),
    issue(2, { state: "closed", state_reason: "not_planned", closed_at: day(4), user: null }),
    ...pulls.map(({ number }) => issue(number, { pull_request: {} })),
  ];
  const lists = {
    [`${at}/labels`]: [bug, { id: 2, name: "idea", color: "00ff00", description: null }],
    [`${at}/milestones`]: [
      {
        number: 1,
        title: "v1",
        description: "First",
        due_on: "2021-06-01T07:00:00Z",
        state: "open",
        created_at: day(1),
        closed_at: null,
      },
    ],
    [`${at}/issues`]: issues,
    [`${at}/pulls`]: pulls,
    [`${at}/issues/comments`]: [
      comment(51, 1, {}),
      comment(52, 1, { user: user("octocat"), body: "Second" }),
      comment(53, 3, {}),
      { id: 54, body: 7 },
    ],
    [`${at}/pulls/3/reviews`]: [
      review(900, "APPROVED", { commit_id: topic, body: "Good" }),
      review(901, "CHANGES_REQUESTED", { commit_id: topic, user: user("octocat") }),
    ],
    ...Object.fromEntries([4, 5, 6].map((number) => [`${at}/pulls/${number}/reviews`, []])),
    [`${at}/pulls/comments`]: [
      lineComment(61, 3, { original_commit_id: topic }),
      lineComment(62, 3, { original_commit_id: topic, in_reply_to_id: 61, user: user("octocat") }),
      lineComment(63, 3, { original_commit_id: "e".repeat(40), line: null }),
    ],
  };
  return { repository, lists, commits };
}
