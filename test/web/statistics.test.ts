/** The dashboard of a repository: pushed with the real Git, computed by the real service, read on pages. */
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import type { Browser, Locator } from "playwright-core";
import { pushedRepository, type TestRepository } from "../integration/api/statistics/pushed-repository.ts";
import { createGitClient, type GitClient } from "../integration/git/git-client.ts";
import type { ApiServer, TestPerson } from "../support/api-server.ts";
import { signUp } from "../support/browser.ts";
import { endRun } from "../support/ended-runs.ts";
import { lookAtPage } from "../support/web/look-at-page.ts";
import { closeWindows, sharedChromium } from "../support/web/shared-chromium.ts";
import { openVisitor, password, startWebServer, type Visitor } from "../support/web/visitor.ts";

/** So many weeks ago, as Git wants it. */
const weeksAgo = (weeks: number) => new Date(Date.now() - weeks * 7 * 86_400_000).toISOString().slice(0, 10);
const script = "<img src=x onerror=alert(1)>";
const grace = { GIT_AUTHOR_NAME: "Grace & Co", GIT_AUTHOR_EMAIL: "grace@example.org" };

/** In the window, which shows all of it. */
async function middleOf(graph: Locator): Promise<{ x: number; y: number }> {
  await graph.scrollIntoViewIfNeeded();
  const box = await graph.locator("svg").boundingBox();
  if (!box) throw new Error("The graph is not on the screen.");
  return { x: box.x + box.width / 2, y: box.y + box.height / 2 };
}

describe("statistics", () => {
  let server: ApiServer;
  let browser: Browser;
  let git: GitClient;
  let owner: TestPerson;
  let visitor: Visitor;

  beforeAll(async () => {
    [server, browser] = await Promise.all([startWebServer(), sharedChromium()]);
    [git, owner, visitor] = await Promise.all([
      createGitClient(server.caFile),
      server.person("ada"),
      openVisitor(browser, server.webUrl),
      signUp(server, "bob", password),
    ]);
    await visitor.signIn("bob", password);
  });
  afterAll(async () => {
    await closeWindows(browser);
    await git?.remove();
    await server?.stop();
  });

  const repository = () => pushedRepository({ server, git, owner }, { visibility: "public" });
  const compute = (one: TestRepository) =>
    server.container.hosting.statistics.compute(one.id, new AbortController().signal);
  const open = (one: TestRepository, rest = "") => visitor.goto(`/ada/${one.name}/statistics${rest}`);

  test("show what is computed as soon as it is, without being asked anew", async () => {
    const one = await repository();
    await visitor.goto(`/ada/${one.name}/insights`);
    await visitor.page.waitForURL(`**/ada/${one.name}/statistics`);
    await visitor.page.getByRole("heading", { name: "The statistics are being computed" }).waitFor();
    await lookAtPage(visitor);
    await one.commit({ "a.ts": "export const a = 1;\n" }, weeksAgo(1));
    await one.push();
    await compute(one);
    await visitor.page.getByRole("heading", { name: "Commits by week" }).waitFor();
    await visitor.page.getByText("1 commit in 13 weeks, 1 in all.").waitFor();
  });

  test("show commits, lines, languages and contributors, as plots and as numbers", async () => {
    const one = await repository();
    await one.commit({ "src/a.ts": "export const a = 1;\n", run: "#!/bin/sh\nls\n" }, weeksAgo(4));
    await one.commit({ "src/a.ts": "export const a = 2;\nexport const b = 3;\n" }, weeksAgo(4));
    await one.commit({ "lib.py": "x = 1\n" }, weeksAgo(2), grace);
    await one.commit({ "old.py": "y = 1\n" }, weeksAgo(40), grace);
    await one.push();
    await compute(one);
    await open(one);
    const { page } = visitor;
    await page.getByText("4 commits in 52 weeks, 4 in all.").waitFor();
    await page.getByText("7 added and 1 deleted.").waitFor();
    // Each week with commits is a bar.
    const plot = page.locator(".recharts-wrapper").first();
    await expect.poll(() => plot.locator(".recharts-bar-rectangle path").count()).toBe(3);
    await page.getByText("As a table").click();
    const weeks = page.getByRole("table", { name: /^Commits by week/ });
    expect(await weeks.getByRole("row").nth(2).getByRole("cell").allInnerTexts()).toEqual([
      expect.stringMatching(/^\w+ \d+, \d{4}$/),
      "2",
      "5",
      "1",
    ]);
    const languages = page.getByRole("table", { name: "Languages" });
    expect(await languages.getByRole("row").nth(1).innerText()).toMatch(/TypeScript\s+61\.5%\s+40 B\s+1/);
    const people = page.getByRole("table", { name: "Contributors" });
    expect(await people.getByRole("row").nth(2).innerText()).toMatch(
      /Grace & Co\s*grace@example\.org\s+2\s+\+2\s+−0/,
    );
    await lookAtPage(visitor);
    await page.getByLabel("Time span").selectOption("3 months");
    await page.getByText("3 commits in 13 weeks, 4 in all.").waitFor();
    expect(page.url()).toContain("weeks=13");
    expect(visitor.troubles).toEqual([]);
  });

  /** As npm writes it: `a` needs `b`, and both need each other's. */
  const lock = JSON.stringify({
    lockfileVersion: 3,
    packages: {
      "": { dependencies: { a: "^1.0.0" } },
      "node_modules/a": { version: "1.1.0", dependencies: { b: "*" } },
      "node_modules/b": { version: "2.0.0", dependencies: { a: "*", [script]: "*" } },
      [`node_modules/${script}`]: { version: "3.0.0" },
    },
  });

  test("show dependencies as a graph to move in, to search and to choose from", async () => {
    const one = await repository();
    await one.commit({
      "package.json": '{"dependencies":{"a":"^1.0.0"},"devDependencies":{"tool":"2"}}',
      "package-lock.json": lock,
      "core/Cargo.toml": '[dependencies]\nserde = "1"\n',
      "broken/package.json": "{",
    });
    await one.push();
    await compute(one);
    await open(one);
    const { page } = visitor;
    await page.getByRole("link", { name: "Dependencies" }).click();
    await page.getByText("3 direct dependencies in 2 files, and 2 indirect.").waitFor();
    await page.getByText("1 file could not be read").waitFor();
    await lookAtPage(visitor);

    const details = (name: string) => page.getByRole("region", { name: `Details of ${name}`, exact: true });
    const find = page.getByLabel("Find a package");
    await find.fill("B");
    await page.getByText("1 package found.").waitFor();
    await find.press("Enter");
    // Nothing asks for it directly, so the graph now shows all.
    await details("b").getByText("2.0.0").waitFor();
    expect(new URL(page.url()).searchParams.get("show")).toBe("all");
    await details("b").getByRole("button", { name: "a 1.1.0" }).first().click();
    expect(await details("a").locator("dd").allInnerTexts()).toEqual([
      "Running",
      "npm",
      "^1.0.0",
      "1.1.0",
      "package.json",
      "package-lock.json",
      "2 packages",
    ]);
    await find.fill("");
    await lookAtPage(visitor);
    const graph = page.getByRole("application", { name: "Dependency graph" });
    /** So many pixels from the middle of the graph stands this one. */
    const stands = async (name: string, x = 0, y = 0) => {
      await graph.press("Escape");
      await details(name).waitFor({ state: "detached" });
      const middle = await middleOf(graph);
      await expect
        .poll(async () => {
          await page.mouse.click(middle.x + x, middle.y + y);
          return details(name).isVisible();
        })
        .toBe(true);
    };
    await stands("a");
    const { x, y } = await middleOf(graph);
    await page.mouse.move(x + 20, y + 20);
    await page.mouse.down();
    await page.mouse.move(x + 60, y - 10, { steps: 4 });
    await page.mouse.up();
    await stands("a", 40, -30);
    await graph.press("ArrowLeft");
    await stands("a", 100, -30);
    await graph.press("+");
    await stands("a", 135, -40.5);
    await page.getByRole("button", { name: "Zoom out" }).click();
    await stands("a", 100, -30);
    await page.mouse.move(x + 100, y - 30);
    await page.mouse.wheel(0, -300);
    await stands("a", 100, -30);
    expect(visitor.troubles).toEqual([]);
  });

  test("show of dependencies what is chosen, as a table too", async () => {
    const one = await repository();
    await one.commit({
      "web/package.json": '{"dependencies":{"a":"^1.0.0"},"devDependencies":{"tool":"2"}}',
      "core/Cargo.toml": '[dependencies]\nserde = "1"\n',
    });
    await one.push();
    await compute(one);
    const { page } = visitor;
    await open(one, "/dependencies?ecosystem=npm&kind=development");
    const table = page.getByRole("table", { name: "As a table" });
    await table.getByRole("cell", { name: "tool" }).waitFor();
    expect(await table.getByRole("row").nth(1).getByRole("cell").allInnerTexts()).toEqual([
      "tool",
      "Development",
      "2",
      "–",
      "web/package.json",
    ]);
    expect(await table.getByRole("row").count()).toBe(2);
    await page.getByLabel("Needed for").selectOption("");
    await table.getByRole("cell", { name: "a", exact: true }).waitFor();
    await page.getByLabel("Ecosystem").selectOption("Cargo");
    await table.getByRole("link", { name: "core/Cargo.toml" }).waitFor();
    await table.getByRole("button", { name: "serde" }).click();
    await page
      .getByRole("region", { name: "Details of serde" })
      .getByRole("link", { name: "core/Cargo.toml" })
      .click();
    await page.waitForURL(`**/ada/${one.name}/blob/main/core/Cargo.toml`);
    await open(one, "/dependencies?manifest=gone.json");
    await page.getByRole("heading", { name: "Nothing to show" }).waitFor();
    await lookAtPage(visitor);
    await one.commit({ "web/package.json": null, "core/Cargo.toml": null, "a.md": "a\n" });
    await one.push();
    await compute(one);
    await open(one, "/dependencies");
    await page.getByRole("heading", { name: "No manifests" }).waitFor();
    await lookAtPage(visitor);
  });

  test("say so where there are no commits, and where the last attempt failed", async () => {
    const one = await repository();
    await compute(one);
    await open(one);
    await visitor.page.getByRole("heading", { name: "No commits yet" }).waitFor();
    await lookAtPage(visitor);
    await one.commit({ "a.ts": "let a;\n" }, weeksAgo(1));
    await one.push();
    await compute(one);
    await server.container.hosting.statistics.giveUp(one.id, "no disk at /secret");
    await open(one);
    await visitor.page.getByText("Processing the newest commits failed.").waitFor();
    await visitor.page.getByText("1 commit in 13 weeks, 1 in all.").waitFor();
    expect(await visitor.page.getByText("/secret").count()).toBe(0);
    await lookAtPage(visitor);
  });

  test("of runs tell of a repository how they go, and of an organization what they cost", async () => {
    await server.api("POST", "/orgs", { token: owner.token, body: { name: "acme" } });
    await server.container.platform.db.query(
      `insert into organization_members (organization_id, user_id, role)
       select o.id, u.id, 'owner' from owners o, users u where o.name = 'acme' and u.username = 'bob'`,
    );
    for (const [name, ran] of [
      ["cheap", 60],
      ["dear", 900],
    ] as const) {
      const body = { owner: "acme", name };
      const { json } = await server.api("POST", "/repos", { token: owner.token, body });
      for (const [at, status] of ["success", "success", "failed", "cancelled"].entries())
        await endRun(server, {
          repositoryId: json.id as string,
          number: at + 1,
          status,
          startedAt: new Date(Date.now() - (at + 1) * 3 * 86_400_000),
          seconds: ran + 10,
          jobs: [{ key: "unit", status, attempts: [{ queued: 5, ran, steps: { [script]: ran - 10 } }] }],
        });
    }
    const stopping = new AbortController();
    const following = server.container.automation.followerRunner.run("runs", stopping.signal);
    const { page } = visitor;
    try {
      await expect
        .poll(
          async () =>
            (await server.api("GET", "/orgs/acme/pipelines/statistics", { token: owner.token })).json.runs,
        )
        .toBe(8);
    } finally {
      stopping.abort();
      await following;
    }
    await visitor.goto("/orgs/acme/statistics");
    const costs = page.getByRole("table", { name: "Time on runners by repository" });
    await costs.getByRole("row").nth(2).waitFor();
    expect(await costs.getByRole("row").nth(1).getByRole("cell").allInnerTexts()).toEqual([
      "acme/dear",
      "4",
      "66.7%",
      "60",
    ]);
    await lookAtPage(visitor);
    await costs.getByRole("link", { name: "acme/dear" }).click();
    await page.getByText("2 succeeded, 1 failed or ended in an error, 1 cancelled or skipped.").waitFor();
    await page.getByText("15 min 10 s").first().waitFor();
    const steps = page.getByRole("table", { name: "Slowest steps" });
    expect(await steps.getByRole("row").nth(1).innerText()).toContain(script);
    await expect
      .poll(() => page.locator(".recharts-wrapper").first().locator(".recharts-bar-rectangle path").count())
      .toBe(4);
    await lookAtPage(visitor);
    const address = await page.getByText("Export all runs").getAttribute("href");
    const exported = await page.evaluate(`fetch("${address}").then((answer) => answer.text())`);
    expect(String(exported).split("\n")).toHaveLength(5);
  });
});
