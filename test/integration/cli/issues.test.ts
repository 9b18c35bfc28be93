/** `forgeline issue`: opened, sorted, found, discussed, closed and deleted at the terminal. */
import { afterAll, beforeAll, expect, test } from "vitest";
import { mkdtemp, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import type { TestPerson } from "../../support/api-server.ts";
import { peopleAtTerminals, type PeopleAtTerminals } from "../../support/people-at-terminals.ts";

let people: PeopleAtTerminals;
let ada: TestPerson;
beforeAll(async () => {
  people = await peopleAtTerminals();
  ada = await people.server.person("ada");
  await people.told(ada, "repo", "create", "code");
  await people.told(ada, "label", "create", "bug", "-R", "ada/code");
  await people.told(ada, "label", "create", "ui", "-R", "ada/code");
  await people.told(ada, "milestone", "create", "2.0", "-R", "ada/code");
});
afterAll(() => people?.stop());

const issue = (...args: string[]) => people.told(ada, "issue", ...args, "-R", "ada/code");
const refused = async (...args: string[]) => {
  const { code, stderr } = await people.as(ada, "issue", ...args, "-R", "ada/code");
  return `${code} ${stderr.trim()}`;
};

test("an issue goes from its opening to its end", async () => {
  const file = join(await mkdtemp(join(tmpdir(), "issues-")), "report.md");
  await writeFile(file, "It **hangs**.\n");
  const about = ["--label", "bug", "--assignee", "ada", "--milestone", "2.0", "--due", "2027-03-31"];
  expect(await issue("create", "--title", "Cancelling hangs", "--body-file", file, ...about)).toMatch(
    /^opened #1: https:.*\/ada\/code\/issues\/1\n$/,
  );
  expect(await issue("list")).toBe("#1\tCancelling hangs\tbug\tada\topen\n");
  expect(await issue("edit", "#1", "--add-label", "ui", "--remove-label", "BUG", "--no-milestone")).toBe(
    "changed #1: Cancelling hangs\n",
  );
  expect(await issue("list", "--label", "bug")).toBe("");
  expect(await issue("list", "-l", "ui", "--assignee", "ada", "--search", "hangs")).toContain("#1");
  await issue("comment", "1", "--body", "Seen too.");
  expect(await issue("close", "1", "--reason", "not_planned", "--comment", "As documented.")).toBe(
    "closed #1\n",
  );
  const shown = await issue("view", "1", "--comments");
  expect(shown).toContain("state\tclosed, not planned\n");
  expect(shown).toContain("due\t2027-03-31\n");
  expect(shown).not.toContain("milestone");
  expect(shown).toContain("\n\nIt **hangs**.\n\n");
  expect(shown).toMatch(/ada, [^:]+.*:\nSeen too\.\n\nada, .*:\nAs documented\.\n$/s);
  expect(await issue("reopen", "1")).toBe("reopened #1\n");
  expect(await issue("pin", "1")).toBe("pinned #1\n");
  expect(await issue("unpin", "1")).toBe("unpinned #1\n");
  expect(await issue("lock", "1")).toBe("locked #1\n");
  expect(await issue("unlock", "1")).toBe("unlocked #1\n");
  expect(await refused("delete", "1")).toMatch(/^2 .*deletes issue #1, Cancelling hangs/);
  expect(await issue("delete", "1", "--yes")).toBe("deleted #1\n");
  expect(await issue("list", "--state", "all")).toBe("");
});

test("issues are found by queries, saved filters, in all repositories and on boards", async () => {
  await issue("create", "--title", "Page is slow", "--label", "ui");
  await issue("create", "--title", "Page is blank");
  expect(await people.told(ada, "filter", "save", "Of UI", "label:ui", "-R", "ada/code")).toBe(
    "saved Of UI\n",
  );
  expect(await issue("list", "--filter", "of ui", "--search", "page")).toMatch(
    /^#\d+\tPage is slow\tui\tada\topen\n$/,
  );
  expect(await issue("list", "--overdue", "--search", "page")).toBe("");
  expect(await people.told(ada, "filter", "list")).toBe("Of UI\tissues\tada/code\tlabel:ui\n");
  const renamed = ["--name", "UI, all", "--query", "label:ui state:all", "-R", "ada/code"];
  expect(await people.told(ada, "filter", "edit", "of ui", ...renamed)).toBe("changed UI, all\n");
  const back = ["--name", "Of UI", "-R", "ada/code"];
  expect(await people.told(ada, "filter", "edit", "UI, all", ...back)).toBe("changed Of UI\n");
  expect(await people.told(ada, "filter", "list")).toBe("Of UI\tissues\tada/code\tlabel:ui state:all\n");
  expect(await people.told(ada, "filter", "delete", "Of UI", "-R", "ada/code")).toBe("deleted Of UI\n");
  expect(await refused("list", "--filter", "Of UI")).toMatch(/^2 .*there is no filter Of UI here/);
  const filter = (...args: string[]) => people.told(ada, "filter", ...args, "--shared", "-R", "ada/code");
  expect(await filter("save", "Of UI", "label:ui")).toBe("shared Of UI\n");
  expect(await filter("list")).toBe("Of UI\tissues\tlabel:ui\n");
  expect(await issue("list", "--filter", "of ui")).toMatch(/^#\d+\tPage is slow\t/);
  expect(await filter("edit", "Of UI", "--query", "label:ui no:assignee")).toBe("changed Of UI\n");
  expect(await filter("list")).toBe("Of UI\tissues\tlabel:ui no:assignee\n");
  expect(await filter("delete", "of ui")).toBe("deleted Of UI\n");
  expect(await refused("list", "--search", "is:lost")).toContain("is:lost cannot be understood");
  expect(await people.told(ada, "search", "issues", "slow no:assignee")).toMatch(
    /^ada\/code#\d+\tPage is slow\tui\tada\topen\n$/,
  );
  expect(await people.told(ada, "search", "merge-requests", "slow")).toBe("");
  await people.server.api("POST", "/repos/ada/code/boards", {
    token: ada.token,
    body: { name: "Flow", columns: ["ui"] },
  });
  expect(await people.told(ada, "board", "list", "-R", "ada/code")).toBe("Flow\tOpen, ui, Closed\t\n");
  expect(await people.told(ada, "board", "view", "flow", "-R", "ada/code")).toMatch(
    /^Open \(1\)\n  #\d+ Page is blank\n\nui \(1\)\n  #\d+ Page is slow\n\nClosed \(0\)\n$/,
  );
  const board = (...args: string[]) => people.told(ada, "board", ...args, "-R", "ada/code");
  expect(await board("limit", "flow", "UI", "--max", "4")).toBe("UI: at most 4 issues\n");
  expect(await board("view", "flow")).toContain("\nui (1/4)\n");
  expect(await board("view", "flow", "--search", "slow")).toContain("\nui (1)\n");
  expect(await board("limit", "flow", "ui", "--no-max")).toBe("ui has no limit\n");
});

test("several are changed at once", async () => {
  const made = [await issue("create", "--title", "First"), await issue("create", "--title", "Second")];
  const numbers = made.map((text) => /#(\d+)/.exec(text)?.[1] ?? "");
  const all = numbers.map((number) => `#${number}`);
  expect(await issue("edit", ...numbers, "--add-label", "bug", "--milestone", "2.0")).toBe(
    all.map((each) => `changed ${each}\n`).join(""),
  );
  const partly = await people.as(
    ada,
    "issue",
    "close",
    ...numbers,
    "4000",
    "-r",
    "not_planned",
    "-R",
    "ada/code",
  );
  expect([partly.code, partly.stdout]).toEqual([
    1,
    `closed ${all[0]}\nclosed ${all[1]}\n#4000 stays as it was: There is no such issue in this repository.\n`,
  ]);
  expect(await issue("reopen", ...numbers)).toContain(`reopened ${all[1]}`);
  expect(await refused("edit", ...numbers, "--title", "x")).toMatch(/^2 .*one issue at a time/);
  await issue("close", ...numbers);
});

test("a template of the repository gives text and labels", async () => {
  const path = ".forgeline/issue-templates/bug.md";
  await people.server.api("PUT", `/repos/ada/code/contents/${path}`, {
    token: ada.token,
    body: {
      message: "Add a template",
      content: Buffer.from("---\nname: Bug\nlabels: bug\n---\nSteps?\n").toString("base64"),
    },
  });
  expect(await issue("templates")).toBe(`Bug\t\t${path}\n`);
  const made = await issue("create", "--title", "Broken", "--template", "bug");
  const [, number = ""] = /#(\d+)/.exec(made) ?? [];
  const shown = await issue("view", number);
  expect(shown).toMatch(/^labels\tbug$/m);
  expect(shown).toContain("Steps?");
  expect(await refused("create", "--title", "x", "--template", "none")).toMatch(/no template none/);
});

test("a file is uploaded for a text", async () => {
  const file = join(await mkdtemp(join(tmpdir(), "issues-")), "shot.png");
  await writeFile(file, Buffer.from("\x89PNG\r\n\x1a\n", "latin1"));
  const upload = (...args: string[]) => people.as(ada, "attachment", "upload", ...args);
  expect((await upload(file, "-R", "ada/code")).stdout).toMatch(
    /^!\[shot\.png\]\(https:.*\/api\/v1\/attachments\/atm_\w+\/shot\.png\)\n$/,
  );
  expect(await upload(`${file}x`, "-R", "ada/code")).toMatchObject({
    code: 2,
    stderr: expect.stringContaining("cannot be read"),
  });
  expect(await upload(file, "--team", "acme/none")).toMatchObject({ code: 1 });
});

test("wrong use is told", async () => {
  expect(await refused("create", "--body", "x")).toBe("2 error: give --title");
  expect(await refused("create", "--title", "x", "--body", "x", "--body-file", "y")).toMatch(/^2 .*not both/);
  expect(await refused("edit", "1")).toMatch(/^2 .*nothing to change/);
  expect(await refused("create", "--title", "x", "--milestone", "9.9")).toBe(
    "2 error: there is no milestone 9.9 in ada/code",
  );
  expect(await refused("create", "--title", "x", "--label", "none such")).toMatch(/^1 error: .*none such/);
  expect(await refused("view", "one")).toMatch(/^2 /);
});
