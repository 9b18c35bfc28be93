/** `forgeline repo|branch|tag|commit|file|bot`: a repository and what is in it, from a terminal without a clone. */
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import type { TestPerson } from "../../support/api-server.ts";
import { peopleAtTerminals, type PeopleAtTerminals } from "../../support/people-at-terminals.ts";

let people: PeopleAtTerminals;
let ada: TestPerson;
let ben: TestPerson;

const put = (path: string, text: string, more: Record<string, unknown> = {}) =>
  people.server.api("PUT", `/repos/ada/code/contents/${path}`, {
    token: ada.token,
    body: { message: `Add ${path}`, content: Buffer.from(text).toString("base64"), ...more },
  });
const inCode = (...args: string[]) => people.told(ada, ...args, "-R", "ada/code");

beforeAll(async () => {
  people = await peopleAtTerminals();
  ada = await people.server.person("ada");
  ben = await people.server.person("ben");
  await people.told(ada, "repo", "create", "code", "--readme");
  await put("src/main.c", "int main;\n");
});
afterAll(() => people.stop());

describe("repo", () => {
  it("tells what the default branch is made of, and by whom", async () => {
    await people.told(ada, "repo", "create", "counted", "--readme");
    expect(await people.told(ada, "repo", "stats", "ada/counted")).toMatch(
      /^0 commits: not computed yet; ask again in some seconds\n/,
    );
    const made = await people.server.api("PUT", "/repos/ada/counted/contents/a.c", {
      token: ada.token,
      body: { message: "a", content: Buffer.from("int a;\n").toString("base64") },
    });
    const { json } = await people.server.api("GET", "/repos/ada/counted", { token: ada.token });
    await people.server.container.hosting.statistics.compute(json.id, new AbortController().signal);
    const told = await people.told(ada, "repo", "stats", "-R", "ada/counted", "--weeks", "1");
    expect(told).toMatch(
      /^2 commits at [0-9a-f]{8}: up to date\n\nC\t100\t7\n\nada\t2\t\d+\t0\t\d{4}-\d\d-\d\d\n\n\d{4}-\d\d-\d\d\t2\t\d+\t0\n$/,
    );
    expect(told).toContain(made.json.commit.sha.slice(0, 8));
    expect((await people.as(ada, "repo", "stats", "ada/counted", "--weeks", "521")).code).toBe(2);
    for (const [path, text] of [
      ["go.mod", "module x\nrequire (\n\ta.org/b v1.0.0\n\tc.org/d v1.1.0 // indirect\n)\n"],
      ["pom.xml", "<project>"],
    ] as const)
      await people.server.api("PUT", `/repos/ada/counted/contents/${path}`, {
        token: ada.token,
        body: { message: path, content: Buffer.from(text).toString("base64") },
      });
    await people.server.container.hosting.statistics.compute(json.id, new AbortController().signal);
    expect(await people.told(ada, "repo", "dependencies", "ada/counted")).toMatch(
      /^go\.mod\ta\.org\/b\tv1\.0\.0\tv1\.0\.0\truntime\n\npom\.xml\t\S.*\n$/,
    );
    expect(await people.told(ada, "repo", "dependencies", "ada/counted", "--all")).toContain("c.org/d");
  });

  it("is shown and changed, and goes on being found by its old name", async () => {
    await people.told(ada, "repo", "create", "before", "--readme");
    expect(await people.told(ada, "repo", "view", "ada/before")).toMatch(
      /^name\tada\/before\n[^]*\nvisibility\tprivate\nstate\tactive\ndefault branch\tmain\n[^]*you may\tadmin\n/,
    );
    const settings = ["--name", "after", "--visibility", "public", "--description", "two\nlines\u001b[2J"];
    expect(await people.told(ada, "repo", "edit", "ada/before", ...settings)).toBe("changed ada/after\n");
    expect(await people.told(ada, "repo", "view", "-R", "ada/before")).toContain(
      "name\tada/after\ndescription\ttwo␊lines␛[2J\n",
    );
    expect(await people.told(ada, "file", "show", "README.md", "-R", "ada/before")).toContain("# before");
    await people.told(ada, "repo", "edit", "ada/after", "--job-permissions-max", "read");
    expect(await people.told(ada, "repo", "view", "ada/after")).toContain("\ntokens of jobs\tonly read\n");
    const nothing = await people.as(ada, "repo", "edit", "ada/after");
    expect([nothing.code, nothing.stderr]).toEqual([2, expect.stringContaining("nothing to change")]);
  });

  it("gets collaborators, and another owner who agrees", async () => {
    const shared = ["ada/code", "ben", "--permission", "triage"];
    expect(await people.told(ada, "repo", "set-collaborator", ...shared)).toBe(
      "ben has triage on ada/code\n",
    );
    expect(await people.told(ada, "repo", "collaborators", "ada/code")).toMatch(/^ben\ttriage\t\S+Z\n$/);
    expect(await people.told(ben, "repo", "view", "ada/code")).toContain("you may\ttriage\n");
    await people.told(ada, "repo", "remove-collaborator", "ada/code", "ben");
    expect((await people.as(ben, "repo", "view", "ada/code")).code).toBe(1);

    await people.told(ada, "repo", "create", "gift");
    expect(await people.told(ada, "repo", "transfer", "ada/gift", "ben")).toContain(
      "offered ada/gift to ben",
    );
    expect(await people.told(ben, "repo", "transfers")).toMatch(/^ada\/gift\tben\tyours to accept\t/m);
    expect(await people.told(ben, "repo", "cancel-transfer", "ada/gift")).toContain("no longer offered");
    await people.told(ada, "repo", "transfer", "ada/gift", "ben");
    expect(await people.told(ben, "repo", "accept-transfer", "ada/gift")).toBe("ada/gift is ben/gift now\n");
  });
});

describe("what is in it", () => {
  it("files are listed, and shown byte by byte", async () => {
    expect(await inCode("file", "list")).toMatch(/^directory\t\tsrc\nfile\t\d+\tREADME\.md\n$/);
    expect(await inCode("file", "list", "src")).toBe("file\t10\tsrc/main.c\n");
    expect(await inCode("file", "show", "src/main.c")).toBe("int main;\n");
    await put("escape.txt", "\u001b]0;title\u0007no newline", { branch: "main" });
    expect(await inCode("file", "show", "escape.txt")).toBe("\u001b]0;title\u0007no newline");
    const absent = await people.as(ada, "file", "show", "src", "-R", "ada/code", "--ref", "main");
    expect([absent.code, absent.stderr]).toEqual([
      1,
      "error: ada/code has no file src in main, or you may not see it\n",
    ]);
  });

  it("a file cannot speak to the terminal that it is shown on", async () => {
    await put("attack.txt", "\u001b]0;title\u0007", { branch: "main" });
    const args = ["file", "show", "attack.txt", "-R", "ada/code"];
    const { stdout } = await people.cli.run(args, { terminal: true, env: { FORGELINE_TOKEN: ada.token } });
    expect(stdout).toContain("␛]0;title␇");
    expect(stdout).not.toContain("\u001b]");
  });

  it("branches are created, listed and deleted, but for the default one", async () => {
    expect(await inCode("branch", "create", "feature/x")).toMatch(/^created feature\/x at [0-9a-f]{8}\n$/);
    expect(await inCode("branch", "list")).toMatch(
      /^feature\/x\t[0-9a-f]{8}\t\t[^\n]+\nmain\t[0-9a-f]{8}\tdefault\t[^\n]+\n$/,
    );
    expect(await inCode("file", "show", "src/main.c", "--ref", "feature/x")).toBe("int main;\n");
    expect(await inCode("branch", "delete", "feature/x")).toBe("deleted feature/x\n");
    expect((await people.as(ada, "branch", "delete", "main", "-R", "ada/code")).code).toBe(1);
  });

  it("tags are created, annotated or not, listed and deleted", async () => {
    expect(await inCode("tag", "create", "v1")).toMatch(/^created v1 at [0-9a-f]{8}\n$/);
    await inCode("tag", "create", "v2", "--ref", "v1", "-m", "The second\n\nwith a body");
    expect(await inCode("tag", "list")).toMatch(/^v1\t[0-9a-f]{8}\t[^\n]+\nv2\t[0-9a-f]{8}\tThe second\n$/);
    expect(await inCode("tag", "delete", "v1")).toBe("deleted v1\n");
    expect(await inCode("tag", "delete", "v2")).toBe("deleted v2\n");
    expect(await inCode("tag", "list")).toBe("");
  });

  it("commits are listed, narrowed down, and shown with what they changed", async () => {
    const listed = await inCode("commit", "list", "--path", "src", "-n", "5");
    expect(listed).toMatch(/^[0-9a-f]{8}\t\S+Z\tada\tAdd src\/main\.c\n$/);
    const [{ sha }] = JSON.parse(await inCode("commit", "list", "--path", "src", "--json")) as [
      { sha: string },
    ];
    const shown = await inCode("commit", "view", sha);
    expect(shown).toContain(`commit ${sha}\nAuthor: ada `);
    expect(shown).toContain("\n    Add src/main.c\n\nadded src/main.c (+1 -0)\n");
    expect(shown).toContain("\n+int main;\n");
    expect(await inCode("commit", "diff", sha)).toBe("added src/main.c (+1 -0)\n@@ -0,0 +1 @@\n+int main;\n");
    expect(await inCode("commit", "diff", sha, "--stat", "-w")).toBe("src/main.c\tadded\t+1\t-0\n");
    expect(await inCode("commit", "diff", `main...${sha}`, "--name-only")).toBe("");
    expect(await inCode("commit", "diff", sha, "--path", "src/main.c", "--json")).toContain('"kind": "file"');
  });
});

describe("bot", () => {
  it("is created, changed and deleted, and its tokens are its own", async () => {
    await people.told(ada, "org", "create", "acme");
    const scopes = ["--scopes", "repo:read,repo:write"];
    expect(await people.told(ada, "bot", "create", "acme/cd", ...scopes)).toBe("created acme/cd\n");
    expect(await people.told(ada, "bot", "list", "acme")).toBe("acme/cd\trepo:read,repo:write\t\t\n");
    const wanted = ["acme/cd", "deploys", "--scopes", "repo:read", "--expires", "7"];
    const token = (await people.told(ada, "bot", "create-token", ...wanted)).trim();
    expect(token).toMatch(/^svc_bot_/);
    expect((await people.server.api("GET", "/user/repos", { token })).status).toBe(200);
    const id = (await people.told(ada, "bot", "tokens", "acme/cd")).split("\t")[0] ?? "";
    expect(await people.told(ada, "bot", "revoke-token", "acme/cd", id)).toBe(`revoked ${id}\n`);
    expect((await people.server.api("GET", "/user/repos", { token })).status).toBe(401);
    await people.told(ada, "bot", "edit", "acme/cd", "--scopes", "repo:read");
    expect(await people.told(ada, "bot", "list", "acme")).toBe("acme/cd\trepo:read\t\t\n");
    expect(await people.told(ada, "bot", "delete", "acme/cd")).toBe("deleted acme/cd\n");
    const unnamed = await people.as(ada, "bot", "create", "cd", ...scopes);
    expect([unnamed.code, unnamed.stderr]).toEqual([2, 'error: "cd" is not of the form ORG/BOT\n']);
  });
});
