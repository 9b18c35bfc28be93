/** Making repositories and forks, and the pages on which their admins change them. */
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import type { Browser, Page } from "playwright-core";
import type { ApiServer } from "../support/api-server.ts";
import { openBrowser, signUp, type Browser as Session } from "../support/browser.ts";
import { newSshKeyLine } from "../support/ssh-key-line.ts";
import { lookAtPage } from "../support/web/look-at-page.ts";
import { closeWindows, sharedChromium } from "../support/web/shared-chromium.ts";
import { openVisitor, password, startWebServer, type Visitor } from "../support/web/visitor.ts";

const markup = "<img src=x onerror=alert(1)>";

describe("creating and settings of repositories", () => {
  let server: ApiServer;
  let browser: Browser;
  let ada: Visitor;
  let page: Page;
  /** The same person over REST. */
  let rest: Session;

  beforeAll(async () => {
    [server, browser] = await Promise.all([startWebServer(), sharedChromium()]);
    await signUp(server, "ada", password);
    await signUp(server, "bob", password);
    rest = openBrowser(server);
    await rest.signIn("ada", password);
    await rest.send("POST", "/orgs", { name: "acme" });
    ada = await openVisitor(browser, server.webUrl);
    page = ada.page;
    await ada.signIn("ada", password);
  });
  afterAll(async () => {
    await closeWindows(browser);
    await server?.stop();
  });

  const read = async (path: string) => (await rest.send("GET", path)).json;

  describe("a new repository", () => {
    test("is reached from the plus, in an organization as in one's own name, and begins with what was chosen", async () => {
      await ada.goto("/");
      await page.getByRole("button", { name: "Create" }).click();
      await page.getByRole("menuitem", { name: "New repository" }).click();
      await page.waitForURL(`${server.webUrl}/new`);
      expect(await page.getByLabel("Internal").count()).toBe(0);
      await page.getByLabel("Owner").selectOption("acme");
      await page.getByLabel("Name").fill("tables");
      await page.getByLabel("Description").fill(markup);
      await page.getByLabel("Internal").check();
      await page.getByLabel("A README").check();
      await page.getByLabel("License").fill("MIT");
      await page.getByLabel("Template for .gitignore").fill("Node");
      await page.getByLabel("Default branch").fill("trunk");
      await lookAtPage(ada);
      await page.getByRole("button", { name: "Create repository" }).click();
      await page.waitForURL(`${server.webUrl}/acme/tables`);
      expect(await read("/repos/acme/tables")).toMatchObject({
        visibility: "internal",
        description: markup,
        default_branch: "trunk",
      });
      const files = await read("/repos/acme/tables/contents");
      expect(files.map(({ name }: { name: string }) => name)).toEqual([".gitignore", "LICENSE", "README.md"]);
    });

    test("with a name that is taken keeps what was typed", async () => {
      await rest.send("POST", "/repos", { name: "taken" });
      await ada.goto("/new");
      await page.getByLabel("Name").fill("taken");
      await page.getByLabel("License").fill("no such license");
      await page.getByRole("button", { name: "Create repository" }).click();
      await page.getByText("lists the choices").first().waitFor();
      await page.getByLabel("License").fill("");
      await page.getByRole("button", { name: "Create repository" }).click();
      await page.getByRole("alert").filter({ hasText: "already has a repository with this name" }).waitFor();
      expect(await page.getByLabel("Name").inputValue()).toBe("taken");
      ada.forgiveRefusals();
    });
  });

  test("a fork goes to an owner of one's choice", async () => {
    await rest.send("POST", "/repos", { name: "original", readme: true });
    await ada.goto("/ada/original");
    await page.getByRole("button", { name: "Fork" }).click();
    const dialog = page.getByRole("dialog");
    // One's own name stands there until one's organizations are known.
    await expect.poll(() => dialog.getByLabel("Owner").inputValue()).toBe("acme");
    await dialog.getByLabel("Name").fill("copy");
    await lookAtPage(ada);
    await dialog.getByRole("button", { name: "Fork" }).click();
    await page.waitForURL(`${server.webUrl}/acme/copy`);
    expect(await read("/repos/acme/copy")).toMatchObject({
      fork: true,
      upstream: { full_name: "ada/original" },
    });
  });

  describe("settings", () => {
    const dialog = () => page.getByRole("dialog");
    const confirm = (name: string) => dialog().getByRole("button", { name, exact: true }).click();

    test("are a tab for admins, and nothing for others", async () => {
      await rest.send("POST", "/repos", { name: "shown", visibility: "public", readme: true });
      const bob = await openVisitor(browser, server.webUrl);
      await bob.signIn("bob", password);
      await bob.goto("/ada/shown");
      await bob.page.getByRole("button", { name: "Fork" }).waitFor();
      expect(await bob.page.getByRole("link", { name: "Settings" }).count()).toBe(0);
      await bob.goto("/ada/shown/settings/collaborators");
      await bob.page.getByRole("heading", { name: "Nothing here" }).waitFor();
      await bob.close();
      await ada.goto("/ada/shown");
      await page.getByRole("link", { name: "Settings" }).click();
      await page.getByRole("heading", { name: "General" }).waitFor();
    });

    test("change what it says about itself, who sees it and what it is called", async () => {
      await ada.goto("/ada/shown/settings");
      await page.getByLabel("Description").fill(markup);
      await page.getByLabel("Topics").fill("tables, fast");
      await page.getByLabel("Everyone sees the runs and logs of a public repository").uncheck();
      await page.getByLabel("Tokens of jobs may").selectOption("only read");
      await page.getByRole("button", { name: "Save" }).click();
      await page.getByText("Saved.").first().waitFor();
      await lookAtPage(ada);
      expect(await read("/repos/ada/shown")).toMatchObject({
        description: markup,
        topics: ["fast", "tables"],
        public_pipelines: false,
        job_permissions_max: "read",
      });
      await page.getByRole("button", { name: "Change visibility" }).click();
      await dialog().getByLabel("Private").check();
      await confirm("Change visibility");
      await page.getByText("This repository is private.").waitFor();
      await page.getByRole("textbox", { name: "Name" }).fill("renamed");
      await page.getByRole("button", { name: "Rename" }).click();
      await page.waitForURL(`${server.webUrl}/ada/renamed/settings`);
    });

    test("add, change and remove collaborators", async () => {
      await ada.goto("/ada/renamed/settings/collaborators");
      await page.getByText("No collaborators").waitFor();
      await page.getByRole("button", { name: "Add a collaborator" }).click();
      await dialog().getByLabel("User name").fill("bob");
      await dialog().getByLabel("Access").selectOption("triage");
      await confirm("Add");
      await page.getByLabel("What bob may do").selectOption("maintain");
      await page.getByText("Saved.").first().waitFor();
      await lookAtPage(ada);
      const held = await read("/repos/ada/renamed/collaborators");
      expect(held).toMatchObject([{ user: { username: "bob" }, permission: "maintain" }]);
      await page.getByRole("button", { name: "Remove bob" }).click();
      await confirm("Remove");
      await page.getByText("No collaborators").waitFor();
    });

    test("protect branches and tags by rules", async () => {
      await ada.goto("/ada/renamed/settings/branches");
      await page.getByRole("button", { name: "Protect branches" }).click();
      await dialog().getByLabel("Pattern").fill("refs/heads/main");
      await confirm("Save");
      await dialog().getByText("without `refs/heads/`").first().waitFor();
      ada.forgiveRefusals();
      await dialog().getByLabel("Pattern").fill("release/*");
      await dialog().getByLabel("Who may push").selectOption("none");
      await dialog().getByLabel("Also these people and bots").fill("ada");
      await dialog().getByLabel("Require a successful run").check();
      await dialog().getByLabel("Code owners of the changed files").check();
      await dialog().getByLabel("Runs and jobs that have to pass").fill("ci.yml#test other.yml");
      await dialog().getByLabel("Merge commit", { exact: true }).uncheck();
      await dialog().getByLabel("Who may merge although something is missing").fill("ada");
      await confirm("Save");
      await page.getByRole("button", { name: "Change the rule for release/*" }).click();
      expect(await dialog().getByLabel("Also these people and bots").inputValue()).toBe("ada");
      await dialog().getByLabel("Allow deletion").check();
      await lookAtPage(ada);
      await confirm("Save");
      await page.getByText("deletion allowed").waitFor();
      await lookAtPage(ada);
      expect(await read("/repos/ada/renamed/branch-protections")).toMatchObject([
        {
          pattern: "release/*",
          push_level: "none",
          push_users: ["ada"],
          require_pipeline: true,
          require_code_owners: true,
          required_checks: [{ pipeline: "ci.yml", job: "test" }, { pipeline: "other.yml" }],
          merge_strategies: ["squash", "rebase", "fast_forward"],
          merge_level: "write",
          bypass_users: ["ada"],
          allow_deletion: true,
          allow_force_push: false,
        },
      ]);
      await page.getByRole("button", { name: "Remove release/*" }).click();
      await confirm("Remove");
      await page.getByText("No protected branches").waitFor();

      await page.getByRole("link", { name: "Protected tags" }).click();
      await page.getByRole("button", { name: "Protect tags" }).click();
      await dialog().getByLabel("Pattern").fill("v*");
      await confirm("Save");
      await page.getByRole("button", { name: "Remove v*" }).waitFor();
      await lookAtPage(ada);
      expect(await read("/repos/ada/renamed/tag-protections")).toMatchObject([
        { pattern: "v*", create_level: "maintain" },
      ]);
    });

    test("add and remove deploy keys", async () => {
      await ada.goto("/ada/renamed/settings/deploy-keys");
      await page.getByRole("button", { name: "Add deploy key" }).click();
      await dialog().getByLabel("Public key").fill("no key");
      await confirm("Add");
      await dialog().getByRole("alert").first().waitFor();
      ada.forgiveRefusals();
      await dialog().getByLabel("Public key").fill(newSshKeyLine());
      await dialog().getByLabel("Title").fill(markup);
      await dialog().getByLabel("Allow pushes").check();
      await confirm("Add");
      await page.getByRole("cell").getByText(markup, { exact: true }).waitFor();
      await lookAtPage(ada);
      expect(await read("/repos/ada/renamed/deploy-keys")).toMatchObject([
        { title: markup, permission: "write" },
      ]);
      await page.getByRole("button", { name: `Remove ${markup}` }).click();
      await confirm("Remove");
      await page.getByText("No deploy keys").waitFor();
    });

    test("show what it takes and how it lies on disk, and look after it now", async () => {
      await ada.goto("/ada/renamed/settings/storage");
      await page.getByText("Loose objects").waitFor();
      await page.getByRole("meter", { name: "Git" }).waitFor();
      await lookAtPage(ada);
      await page.getByRole("button", { name: "Repack and check now" }).click();
      await confirm("Repack and check now");
      await page.getByText("Started; it continues in the background.").waitFor();
      expect((await read("/repos/ada/renamed/maintenance")).requested_at).not.toBeNull();
    });

    test("archive it and take that back", async () => {
      await ada.goto("/ada/renamed/settings");
      await page.getByRole("button", { name: "Archive" }).click();
      await confirm("Archive");
      await page.getByText("This repository is archived").waitFor();
      await lookAtPage(ada);
      expect(await page.getByRole("button", { name: "Save" }).count()).toBe(0);
      await page.getByRole("button", { name: "Unarchive" }).click();
      await confirm("Unarchive");
      await page.getByRole("button", { name: "Save" }).waitFor();
    });

    test("give it to somebody else, who accepts", async () => {
      await ada.goto("/ada/renamed/transfer");
      await page.getByLabel("New owner").fill("bob");
      await page.getByRole("button", { name: "Offer" }).click();
      await page.getByRole("button", { name: "Withdraw" }).waitFor();
      expect(await page.getByRole("button", { name: "Accept" }).count()).toBe(0);
      await lookAtPage(ada);
      const bob = await openVisitor(browser, server.webUrl);
      await bob.signIn("bob", password);
      await bob.goto("/");
      await bob.page.getByText("ada/renamed is offered to bob.").waitFor();
      await lookAtPage(bob);
      await bob.page.getByRole("link", { name: "Look at the offer" }).click();
      await bob.page.getByRole("button", { name: "Accept" }).click();
      await bob.page.getByRole("dialog").getByRole("button", { name: "Accept" }).click();
      await bob.page.waitForURL(`${server.webUrl}/bob/renamed`);
      await bob.close();
    });

    test("delete it once its name is typed, and bring it back", async () => {
      await ada.goto("/ada/original/settings");
      await page.getByRole("button", { name: "Delete" }).click();
      await dialog().getByLabel("Type ada/original to confirm").fill("ada/origin");
      expect(await dialog().getByRole("button", { name: "Delete" }).isDisabled()).toBe(true);
      await dialog().getByLabel("Type ada/original to confirm").fill("ada/original");
      await lookAtPage(ada);
      await confirm("Delete");
      await page.getByRole("heading", { name: "ada/original is deleted" }).waitFor();
      expect((await rest.send("GET", "/repos/ada/original")).status).toBe(404);
      await lookAtPage(ada);
      await page.getByRole("button", { name: "Restore" }).click();
      await page.waitForURL(`${server.webUrl}/ada/original`);
      await page.getByRole("link", { name: "Settings" }).waitFor();
    });
  });
});
