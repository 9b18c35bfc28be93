/** The dashboard of a repository: pushed with the real Git, computed by the real service, read on pages. */
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import type { Browser } from "playwright-core";
import { pushedRepository, type TestRepository } from "../integration/api/statistics/pushed-repository.ts";
import { createGitClient, type GitClient } from "../integration/git/git-client.ts";
import type { ApiServer, TestPerson } from "../support/api-server.ts";
import { signUp } from "../support/browser.ts";
import { lookAtPage } from "../support/web/look-at-page.ts";
import {
  hasChromium,
  openChromium,
  openVisitor,
  password,
  startWebServer,
  type Visitor,
} from "../support/web/visitor.ts";

/** So many weeks ago, as Git wants it. */
const weeksAgo = (weeks: number) => new Date(Date.now() - weeks * 7 * 86_400_000).toISOString().slice(0, 10);
const grace = { GIT_AUTHOR_NAME: "Grace & Co", GIT_AUTHOR_EMAIL: "grace@example.org" };

describe.skipIf(!hasChromium)("insights", () => {
  let server: ApiServer;
  let browser: Browser;
  let git: GitClient;
  let owner: TestPerson;
  let visitor: Visitor;

  beforeAll(async () => {
    [server, browser] = await Promise.all([startWebServer(), openChromium()]);
    [git, owner, visitor] = await Promise.all([
      createGitClient(server.caFile),
      server.person("ada"),
      openVisitor(browser, server.webUrl),
      signUp(server, "bob", password),
    ]);
    await visitor.signIn("bob", password);
  });
  afterAll(async () => {
    await browser?.close();
    await git?.remove();
    await server?.stop();
  });

  const repository = () => pushedRepository({ server, git, owner }, { visibility: "public" });
  const compute = (one: TestRepository) =>
    server.container.statistics.compute(one.id, new AbortController().signal);
  const open = (one: TestRepository, rest = "") => visitor.goto(`/ada/${one.name}/insights${rest}`);

  test("show what is computed as soon as it is, without being asked anew", async () => {
    const one = await repository();
    await open(one);
    await visitor.page.getByRole("heading", { name: "Being computed" }).waitFor();
    await lookAtPage(visitor);
    await one.commit({ "a.ts": "export const a = 1;\n" }, weeksAgo(1));
    await one.push();
    await compute(one);
    await visitor.page.getByRole("heading", { name: "Commits by week" }).waitFor();
    await visitor.page.getByText("1 commit in 52 weeks, 1 in all.").waitFor();
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
    await plot.locator(".recharts-bar-rectangle path").first().waitFor();
    expect(await plot.locator(".recharts-bar-rectangle path").count()).toBe(3);
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

  test("say so where there are no commits, and where the last attempt failed", async () => {
    const one = await repository();
    await compute(one);
    await open(one);
    await visitor.page.getByRole("heading", { name: "No commits yet" }).waitFor();
    await lookAtPage(visitor);
    await one.commit({ "a.ts": "let a;\n" }, weeksAgo(1));
    await one.push();
    await compute(one);
    await server.container.statistics.giveUp(one.id, "no disk at /secret");
    await open(one);
    await visitor.page.getByText("The last attempt to look at the newest commits failed.").waitFor();
    await visitor.page.getByText("1 commit in 52 weeks, 1 in all.").waitFor();
    expect(await visitor.page.getByText("/secret").count()).toBe(0);
    await lookAtPage(visitor);
  });
});
