/** `forgeline mr`, in a clone and without one. */
import { afterAll, beforeAll, expect, test } from "vitest";
import type { TestPerson } from "../../support/api-server.ts";
import { eventually } from "../../support/eventually.ts";
import { peopleAtTerminals, type PeopleAtTerminals } from "../../support/people-at-terminals.ts";
import { createGitClient, type GitClient } from "../git/git-client.ts";

let people: PeopleAtTerminals;
let client: GitClient;
let ada: TestPerson;
let clone: string;
let saidOfPush: string;
beforeAll(async () => {
  people = await peopleAtTerminals();
  const { server } = people;
  ada = await server.person("ada");
  client = await createGitClient(server.caFile);
  await people.told(ada, "repo", "create", "code");
  clone = await client.workTree({ "a.txt": "a\n" });
  const url = server.webUrl.replace("https://", `https://ada:${ada.token}@`);
  await inClone("remote", "add", "origin", `${url}/ada/code.git`);
  await inClone("checkout", "-q", "-b", "fix/retry-uploads");
  await client.commit(clone, { "b.txt": "b\n" }, "Retry once");
  await client.commit(clone, { "c.txt": "c\n" }, "Retry twice");
  const pushed = await client.run(["push", "origin", "main", "fix/retry-uploads"], { cwd: clone });
  saidOfPush = pushed.stderr;
});
afterAll(async () => {
  await client?.remove();
  await people?.stop();
});

const inClone = (...args: string[]) => client.ok(args, { cwd: clone });
const mr = (...args: string[]) => people.told(ada, "mr", ...args, "-R", "ada/code");

test("one is created from its commits, listed, shown, changed, closed and reopened", async () => {
  const page = `${people.server.webUrl}/ada/code/merge-requests/new`;
  expect(saidOfPush).toContain("remote: Create a merge request for fix/retry-uploads:");
  expect(saidOfPush).toContain(`remote:   ${page}?source=fix%2Fretry-uploads`);
  expect(saidOfPush).not.toContain("for main");
  const created = await mr("create", "--fill", "--source", "fix/retry-uploads");
  expect(created).toBe(`opened !1: ${people.server.webUrl}/ada/code/merge-requests/1\n`);
  const cells = (await mr("list", "--author", "ada")).trimEnd().split("\t");
  expect(cells.slice(0, 4)).toEqual(["!1", "Retry uploads", "fix/retry-uploads → main", "ada"]);
  expect(await mr("view", "1")).toContain("\n\n- Retry once\n- Retry twice\n");
  expect(await mr("edit", "1", "--title", "Retry", "--draft")).toBe("changed !1: Retry\n");
  expect(await mr("comment", "1", "-m", "Why twice?")).toContain("commented: ");
  expect(await mr("view", "!1", "--comments")).toMatch(/standing\tdraft\n[^]*ada, .*:\nWhy twice\?\n$/);
  expect(await mr("diff", "1", "--name-only")).toBe("b.txt\nc.txt\n");
  expect(await mr("diff", "1")).toContain("added b.txt (+1 -0)\n@@ -0,0 +1 @@\n+b\n");
  expect(await mr("close", "1")).toBe("closed !1\n");
  expect(await mr("list")).toBe("");
  expect(await mr("reopen", "1")).toBe("reopened !1\n");
  const refused = await people.as(ada, "mr", "merge", "1", "-R", "ada/code");
  expect([refused.code, refused.stderr]).toEqual([1, expect.stringContaining("It is a draft")]);
  await mr("edit", "1", "--no-draft");
});

test("it waits in the merge queue of a branch that has one", async () => {
  const repo = (...args: string[]) => people.told(ada, "repo", ...args);
  const rule = ["protection", "set", "ada/code", "main", "--level", "write"];
  await repo(...rule, "--merge-queue", "3", "--queue-wait", "30", "--queue-batches", "2");
  expect(await repo("protection", "list", "ada/code")).toContain("merge queue of 3");
  const refused = await people.as(ada, "mr", "merge", "1", "-R", "ada/code");
  expect([refused.code, refused.stderr]).toEqual([1, expect.stringContaining("by its merge queue")]);
  expect(await mr("queue", "pause")).toBe("paused the merge queue of main\n");
  expect(await mr("queue", "add", "1", "--strategy", "squash")).toBe("added !1, at position 1\n");
  expect(await mr("queue", "first", "1")).toBe("!1 is the next one\n");
  expect(await mr("queue", "list")).toBe("1\t!1\tRetry\tqueued\tada\npaused: nothing lands\n");
  expect(await mr("queue", "remove", "1")).toBe("took !1 out of the merge queue\n");
  expect(await mr("queue", "resume")).toBe("the merge queue of main goes on\n");
  await repo(...rule, "--no-merge-queue");
  await repo("protection", "delete", "ada/code", "main");
});

test("a suggestion is applied, and only what came since a review is shown", async () => {
  const call = (path: string, body: object) =>
    people.server.api("POST", `/repos/ada/code/merge-requests/1/${path}`, { token: ada.token, body });
  const none = await people.as(ada, "mr", "diff", "1", "--since-review", "-R", "ada/code");
  expect([none.code, none.stderr]).toEqual([2, expect.stringContaining("not reviewed this merge request")]);
  await call("reviews", { event: "comment", body: "Nearly." });
  expect(await mr("diff", "1", "--since-review")).toBe("nothing has changed since then\n");
  const body = "```suggestion\nb, twice\n```";
  const { json: thread } = await call("threads", { path: "b.txt", line: 1, body });
  const unknown = await people.as(ada, "mr", "apply-suggestions", "1", "cmt_x", "-R", "ada/code");
  expect([unknown.code, unknown.stderr]).toEqual([2, expect.stringContaining("no suggestion in a comment")]);
  const applied = await mr("apply-suggestions", "1", thread.comments[0].id, "-m", "Say it twice");
  expect(applied).toMatch(/^applied 1 as [0-9a-f]{12}\n$/);
  const again = await people.as(ada, "mr", "apply-suggestions", "1", "-R", "ada/code");
  expect([again.code, again.stderr]).toEqual([2, expect.stringContaining("nothing is left to apply")]);
  expect(await mr("diff", "1", "--since-review")).toContain("modified b.txt (+1 -1)\n");
});

test("its branch is brought up to date, by a merge or a rebase", async () => {
  expect(await mr("update-branch", "1")).toBe("fix/retry-uploads has all of main already\n");
  await inClone("checkout", "-q", "main");
  await client.commit(clone, { "d.txt": "d\n" }, "Meanwhile");
  await inClone("push", "-q", "origin", "main");
  expect(await mr("update-branch", "1")).toMatch(/^fix\/retry-uploads is at [0-9a-f]{12}\n$/);
  const stale = await people.as(ada, "mr", "rebase", "1", "--sha", "0".repeat(40), "-R", "ada/code");
  expect([stale.code, stale.stderr]).toEqual([1, expect.stringContaining("look at what was pushed first")]);
  expect(await mr("rebase", "1")).toMatch(/^fix\/retry-uploads is at [0-9a-f]{12}\n$/);
});

test("its pipelines run again on the merged result, which can be fetched", async () => {
  const set = (kind: string) =>
    people.told(ada, "repo", "edit", "ada/code", "--merge-request-pipelines", kind);
  await set("merged_result");
  expect(await mr("run-pipelines", "1")).toBe("pipelines of !1 are about to run\n");
  const { mergeRequestRuns } = people.server.container.pipelines;
  await eventually(async () => {
    await mergeRequestRuns.makeDue(new AbortController().signal);
    return (await inClone("ls-remote", "origin", "refs/merge-requests/1/tested/*")) !== "";
  });
  const [sha = ""] = (await inClone("ls-remote", "origin", "refs/merge-requests/1/tested/*")).split("\t");
  // As jobs do: by its id.
  await inClone("fetch", "-q", "origin", sha);
  expect(await inClone("log", "-1", "--format=%s", sha)).toMatch(/^Merge [0-9a-f]{40} into [0-9a-f]{40}$/);
  await set("head");
});

test("its branch is checked out in a clone, and it is merged", async () => {
  await inClone("checkout", "-q", "main");
  await inClone("branch", "-q", "-D", "fix/retry-uploads");
  const env = { FORGELINE_TOKEN: ada.token, GIT_SSL_CAINFO: people.server.caFile };
  const { code, stdout, stderr } = await people.cli.run(["mr", "checkout", "1"], { env, cwd: clone });
  expect([code, stderr, stdout]).toEqual([
    0,
    "",
    expect.stringMatching(/^on fix\/retry-uploads at [0-9a-f]{12}\n$/),
  ]);
  expect(await inClone("log", "-1", "--format=%s")).toBe("Say it twice");
  const merged = await mr("merge", "1", "--strategy", "squash", "-m", "Retry", "--delete-branch");
  expect(merged).toMatch(/^merged !1 as [0-9a-f]{12}\n$/);
  expect(await people.told(ada, "commit", "view", "main", "-R", "ada/code")).toContain("Retry");
  expect(await people.told(ada, "branch", "list", "-R", "ada/code")).not.toContain("fix/");
});

test("what it merged is undone and brought to another branch, and its branch comes back", async () => {
  expect(await mr("restore-branch", "1")).toMatch(/^fix\/retry-uploads is back at [0-9a-f]{12}\n$/);
  const { webUrl } = people.server;
  expect(await mr("revert", "1")).toMatch(
    new RegExp(
      `^pushed revert-1-fix-retry-uploads at [0-9a-f]{12}\nopened !2: ${webUrl}/ada/code/merge-requests/2\n$`,
    ),
  );
  expect(await mr("revert", "1", "--branch", "undo", "--no-merge-request")).toMatch(
    /^pushed undo at .{12}\n$/,
  );
  await inClone("push", "-q", "origin", "main~1:refs/heads/release");
  expect(await mr("cherry-pick", "1", "--target", "release")).toContain("pushed cherry-pick-1-release at ");
});

test("the only template is followed, and files that conflict are listed", async () => {
  const call = (method: string, path: string, body: object) =>
    people.server.api(method, `/repos/ada/code/${path}`, { token: ada.token, body });
  const put = (branch: string, path: string, text: string) =>
    call("PUT", `contents/${path}`, { branch, message: "x", content: Buffer.from(text).toString("base64") });
  const template = ".forgeline/merge-request-template.md";
  await call("POST", "labels", { name: "change" });
  await call("POST", "branches", { name: "clash", ref: "main" });
  await put("clash", "new.txt", "a\n");
  await put("main", "new.txt", "b\n");
  await put("main", template, "---\nname: Change\nlabels: change, none\n---\nWhy:\n");
  expect(await mr("templates")).toBe(`Change\t\t${template}\n`);
  const at = ["--source", "clash", "-R", "ada/code"];
  const unknown = await people.as(ada, "mr", "create", "--template", "x", "--fill", ...at);
  expect([unknown.code, unknown.stderr]).toEqual([2, expect.stringContaining("no template x")]);
  expect(await mr("create", "--title", "Clash", "--source", "clash")).toContain("opened !4");
  const shown = await mr("view", "4");
  expect(shown).toContain("Why:");
  expect(shown).toMatch(/labels\tchange\n/);
  expect(await mr("conflicts", "4")).toBe("new.txt\tboth added it\tcontent, source, target, delete\n");
});

test("a branch of a fork is proposed from a clone of the fork, or by its owner's name", async () => {
  const { server, cli } = people;
  const bob = await server.person("bob");
  await people.told(ada, "repo", "create", "open", "--public");
  const remote = (owner: string, token: string) =>
    server.webUrl.replace("https://", `https://${owner}:${token}@`).concat(`/${owner}/open.git`);
  await inClone("push", "-q", remote("ada", ada.token), "main");
  await server.api("POST", "/repos/ada/open/forks", { token: bob.token, body: {} });
  const fork = await client.workTree({ "a.txt": "a\n" });
  await client.ok(["remote", "add", "origin", remote("bob", bob.token)], { cwd: fork });
  await client.ok(["fetch", "-q", "origin"], { cwd: fork });
  let said = "";
  for (const branch of ["idea", "plan"]) {
    await client.ok(["checkout", "-q", "-b", branch, "origin/main"], { cwd: fork });
    await client.commit(fork, { [`${branch}.txt`]: "x\n" }, `Have an ${branch}`);
    said = (await client.run(["push", "-q", "origin", branch], { cwd: fork })).stderr;
  }
  const page = `${server.webUrl}/ada/open/merge-requests`;
  expect(said).toContain(`remote: Create a merge request for plan:`);
  expect(said).toContain(`remote:   ${page}/new?source=plan&source_repo=bob%2Fopen`);
  const env = { FORGELINE_TOKEN: bob.token, GIT_SSL_CAINFO: server.caFile };
  const apart = ["main...idea", "--head-repo", "bob/open", "--conflicts", "-R", "ada/open"];
  expect(await people.told(bob, "commit", "compare", ...apart)).toMatch(
    /^1 ahead, 0 behind\n[0-9a-f]{8} Have an idea\n$/,
  );
  const made = await cli.run(["mr", "create", "--fill", "--source", "idea"], { env, cwd: fork });
  expect([made.stderr, made.stdout]).toEqual(["", `opened !1: ${server.webUrl}/ada/open/merge-requests/1\n`]);
  const create = (...args: string[]) => people.as(bob, "mr", "create", "-R", "ada/open", "--fill", ...args);
  expect((await create("--head", "bob:plan")).stdout).toContain("opened !2");
  expect((await create("--head", "eve:plan")).stderr).toContain("eve has no fork of ada/open");
  expect((await create("--head", "bob:plan", "--source", "plan")).stderr).toContain("not both");
  const again = await client.run(["push", "-f", "origin", "idea:plan"], { cwd: fork });
  expect(again.stderr).toContain(`remote: Merge request of plan:`);
  expect(again.stderr).toContain(`remote:   ${page}/2`);
  await client.ok(["push", "-q", "-f", "origin", "plan"], { cwd: fork });
  const listed = await people.told(ada, "mr", "list", "-R", "ada/open");
  expect(listed).toMatch(/!2\tHave an plan\tbob:plan → main\tbob\t.*\n!1\tHave an idea\tbob:idea → main/);
  const checkout = await cli.run(["mr", "checkout", "2", "-R", "ada/open"], {
    env: { ...env, FORGELINE_TOKEN: ada.token },
    cwd: await cloneOfOpen(remote("ada", ada.token)),
  });
  expect([checkout.stderr, checkout.stdout]).toEqual([
    "",
    expect.stringMatching(/^on bob\/plan at [0-9a-f]{12}\n$/),
  ]);
});

async function cloneOfOpen(address: string): Promise<string> {
  const folder = `${client.home}/open`;
  await client.ok(["clone", "-q", address, folder]);
  return folder;
}
