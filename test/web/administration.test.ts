/** Administration of the instance, which only administrators find. */
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import type { Browser, Page } from "playwright-core";
import { scheduleIdOf, upkeepTaskNames } from "@forgeline/schemas/upkeep-schedules/workflow.ts";
import type { ApiAnswer, ApiServer, TestPerson } from "../support/api-server.ts";
import { signUp } from "../support/browser.ts";
import { startFailingStatistics, terminateWorkflow, startWorker } from "../support/failing-work.ts";
import { lookAtPage } from "../support/web/look-at-page.ts";
import { closeWindows, sharedChromium } from "../support/web/shared-chromium.ts";
import { openVisitor, password, startWebServer, type Visitor } from "../support/web/visitor.ts";

const taskQueue = `test-web-${process.pid}`;
const markup = "<img src=x onerror=alert(1)>";

describe("administration", () => {
  let server: ApiServer;
  let browser: Browser;
  let root: TestPerson;
  let ada: Visitor;
  let page: Page;
  let asRoot: (method: string, path: string, body?: unknown) => Promise<ApiAnswer>;

  beforeAll(async () => {
    [server, browser] = await Promise.all([
      startWebServer({ env: { FORGELINE_LIMIT_CORE: "5000", FORGELINE_TASK_QUEUE: taskQueue } }),
      sharedChromium(),
    ]);
    root = await server.person("root", { isAdmin: true });
    asRoot = (method, path, body) => server.api(method, path, { token: root.token, body });
    await Promise.all(["ada", "bob"].map((name) => signUp(server, name, password)));
    await asRoot("PATCH", "/admin/users/ada", { admin: true });
    await asRoot("POST", "/orgs", { name: "acme", display_name: markup });
    await asRoot("POST", "/repos", { name: "kept", readme: true });
    ada = await openVisitor(browser, server.webUrl);
    page = ada.page;
    await ada.signIn("ada", password);
  });
  afterAll(async () => {
    await closeWindows(browser);
    await server?.stop();
  });

  const dialog = () => page.getByRole("dialog");
  const confirm = (name: string) => dialog().getByRole("button", { name, exact: true }).click();
  const saved = () => page.getByText("Saved.").first().waitFor();

  test("stands in the menu of administrators, and is not there for others", async () => {
    const bob = await openVisitor(browser, server.webUrl);
    await bob.signIn("bob", password);
    await bob.goto("/-/admin/users");
    await bob.page.getByRole("heading", { name: "Nothing here" }).waitFor();
    await bob.close();
    await ada.goto("/");
    await page.getByRole("button", { name: "Your account" }).click();
    await page.getByRole("menuitem", { name: "Administration" }).click();
    await page.getByText("All required services are working").waitFor();
    await page.getByRole("cell", { name: "working" }).first().waitFor();
    await page.getByRole("main").getByRole("link", { name: "3", exact: true }).waitFor();
    await lookAtPage(ada);
  });

  test("says that a part is missing although the server answers", async () => {
    const checks = { postgresql: "ok", temporal: "failed" };
    await page.route("**/readyz", (route) => route.fulfill({ json: { status: "ok", checks } }));
    await page.getByText("a service it depends on is not responding").waitFor();
    await page.getByRole("row", { name: "Temporal" }).getByText("not responding").waitFor();
    await lookAtPage(ada);
    await page.unroute("**/readyz");
  });

  test("finds an account, limits it, makes it an administrator, and suspends it", async () => {
    await ada.goto("/-/admin/users");
    await page.getByLabel("Search").fill("bo");
    await page.getByLabel("Search").press("Enter");
    await page.waitForURL(/q=bo/);
    await page.getByRole("link", { name: "root" }).waitFor({ state: "detached" });
    await lookAtPage(ada);
    await page.getByRole("link", { name: "bob" }).click();
    await page.getByLabel("core").fill("7000");
    await page.getByRole("button", { name: "Save" }).click();
    await page.getByText("Set to 7,000 per").waitFor();
    await lookAtPage(ada);
    await page.getByLabel("Plan of bob").selectOption("pro");
    await page.getByRole("button", { name: "Make an administrator" }).click();
    await confirm("Make an administrator");
    await page.getByRole("button", { name: "Remove administrator rights" }).waitFor();
    await page.getByRole("button", { name: "Suspend" }).click();
    await confirm("Suspend");
    await page.getByRole("button", { name: "Lift the suspension" }).waitFor();
    expect((await asRoot("GET", "/admin/users/bob")).json).toMatchObject({
      admin: true,
      suspended: true,
      plan: "pro",
    });
  });

  test("sets plans and limits of organizations", async () => {
    await ada.goto("/-/admin/organizations");
    await page.getByLabel("Plan of acme").selectOption("pro");
    await saved();
    await lookAtPage(ada);
    expect((await asRoot("GET", "/orgs/acme")).json.plan).toBe("pro");
    await page.getByRole("link", { name: "Limits of acme" }).click();
    // Those of this plan are fixed.
    await page.getByText("Default of the pro plan.").waitFor();
    expect(
      await page
        .getByRole("button")
        .filter({ hasText: /^(Save|Set the limit)$/ })
        .count(),
    ).toBe(0);
    await page.goBack();
    await page.getByLabel("Plan of acme").selectOption("enterprise");
    await expect.poll(async () => (await asRoot("GET", "/orgs/acme")).json.plan).toBe("enterprise");
    await page.getByRole("link", { name: "Limits of acme" }).click();
    await page.getByLabel("Limit in GB").fill("0.5");
    await page.getByRole("button", { name: "Set the limit" }).click();
    await page.getByText("Set for this owner.").waitFor();
    await page.getByText("0 B of 500 MB").waitFor();
    await lookAtPage(ada);
    await page.getByLabel("core").fill("7");
    await page.getByRole("button", { name: "Save" }).click();
    // The plan's "Saved." may still stand there.
    const isCustom = async () => {
      const { limits } = (await asRoot("GET", "/admin/organizations/acme/limits")).json;
      return limits.find((limit: { resource: string }) => limit.resource === "core").custom as boolean;
    };
    await expect.poll(isCustom).toBe(true);
    // This instance has switched all limits off: the form stays one that can be sent.
    const sent = page.waitForResponse((answer) => answer.request().method() === "PUT");
    await page.getByRole("button", { name: "Save" }).click();
    expect((await sent).status()).toBe(200);
  });

  test("sets limits of pipelines, which the page of an organization shows", async () => {
    await ada.goto("/-/admin/pipeline-limits");
    await page.getByLabel("Jobs in a run").fill("300");
    await page.getByRole("button", { name: "Set these limits" }).click();
    await page.getByText("Set. New runs").waitFor();
    await lookAtPage(ada);
    await ada.goto("/-/admin/organizations/acme");
    await page.getByText("The instance allows 300.").waitFor();
  });

  test("announces something, at the address that the record names, and takes it back", async () => {
    await ada.goto("/-/admin/announcements");
    await page.getByRole("button", { name: "New announcement" }).click();
    await dialog().getByLabel("Message").fill(markup);
    await dialog().getByLabel("Level").selectOption("warning");
    await confirm("New announcement");
    await page.getByRole("button", { name: `Take back: ${markup}` }).waitFor();
    await lookAtPage(ada);
    const [made] = (await asRoot("GET", "/admin/announcements")).json;
    expect(made).toMatchObject({ message: markup, level: "warning" });
    await ada.goto(new URL(made.web_url).pathname);
    await page.getByRole("heading", { name: markup }).waitFor();
    await page.getByRole("button", { name: `Take back: ${markup}` }).click();
    await confirm("Take back");
    await page.getByText("No announcements").waitFor();
  });

  test("shows mails, at the address that the record names", async () => {
    await ada.goto("/-/admin/mails");
    await page.getByRole("cell", { name: "bob@example.com" }).first().waitFor();
    await lookAtPage(ada);
    const [mail] = (await asRoot("GET", "/admin/mails")).json;
    await ada.goto(new URL(mail.web_url).pathname);
    await page.getByRole("heading", { name: mail.subject }).waitFor();
    await lookAtPage(ada);
  });

  test.for([
    ["/-/admin/storage", "By repository"],
    ["/-/admin/maintenance", "root/kept"],
    ["/-/admin/audit-log", "user.create"],
  ])("%s is a good page", async ([path = "", until = ""]) => {
    await ada.goto(path);
    await page.getByText(until).first().waitFor();
    await lookAtPage(ada);
  });

  describe("background work", () => {
    const chip = (words: string) => page.getByText(words, { exact: true }).first();

    test("waits while no worker is there, is ended and begun again", async () => {
      await ada.goto("/-/admin/work");
      await page.getByText("No worker is connected, so everything waits").waitFor();
      await page.getByText("No background work").waitFor();
      await lookAtPage(ada);
      const { name, workflowId } = await startFailingStatistics(server, root, taskQueue);
      await page.getByRole("link", { name: `root/${name}` }).waitFor();
      await chip("waiting for a worker").waitFor();
      await page.getByRole("link", { name: "Statistics", exact: true }).click();
      await page.getByText(workflowId).waitFor();
      await terminateWorkflow(server, workflowId);
      await page.getByText("by hand, with password=[redacted]").waitFor();
      await lookAtPage(ada);
      await page.getByRole("button", { name: "Try again" }).click();
      await confirm("Try again");
      await chip("running").waitFor();
      await page.getByRole("button", { name: "End now" }).click();
      await confirm("End now");
      await page.getByText("ended by ada").waitFor();
      await ada.goto("/-/admin/work");
      await page.getByLabel("State").selectOption("unsuccessful");
      await chip("retried").waitFor();
      await lookAtPage(ada);
      await page.getByLabel("Kind").selectOption("pipeline_run");
      await page.getByText("No matching work").waitFor();
    });

    test("shows the step that fails, and tries it now", async () => {
      const { temporal } = server.container.platform;
      const stopWorker = await startWorker(server);
      try {
        const { name, workflowId: id, repair } = await startFailingStatistics(server, root, taskQueue);
        await ada.goto(`/-/admin/work/${encodeURIComponent(id)}`);
        await chip(`counting commits, languages and dependencies of root/${name}`).waitFor();
        await chip("failed, to be retried").waitFor();
        await page.getByRole("button", { name: "Retry now" }).click();
        await confirm("Retry now");
        await page.getByText("Started again.").waitFor();
        await repair();
        await chip("succeeded").waitFor();
        const other = await startFailingStatistics(server, root, taskQueue);
        await ada.goto(`/-/admin/work/${encodeURIComponent(other.workflowId)}`);
        await chip("failed, to be retried").waitFor();
        // It would fail a second time while it is looked at.
        await temporal.client.workflowService.pauseActivity({
          namespace: "default",
          execution: { workflowId: other.workflowId },
          type: "computeStatistics",
        });
        await chip("paused in Temporal").waitFor();
        await lookAtPage(ada);
        await page.getByRole("button", { name: "Retry now" }).waitFor();
        await page.getByRole("button", { name: "Cancel it" }).click();
        await confirm("Cancel it");
        await chip("cancelled").waitFor();
      } finally {
        await stopWorker();
      }
    });
  });

  test("shows what one owner keeps, and leads to the account", async () => {
    await ada.goto("/-/admin/storage");
    await page.getByRole("link", { name: "repositories of root" }).click();
    await page.getByRole("heading", { name: "Repositories of root" }).waitFor();
    await page.getByRole("cell", { name: "root/kept" }).waitFor();
    await page.getByRole("link", { name: "root", exact: true }).click();
    await page.getByRole("heading", { name: "Git LFS storage" }).waitFor();
    await lookAtPage(ada);
  });

  test("says who may sign up", async () => {
    await ada.goto("/-/admin/settings");
    await page.getByLabel("Who may sign up").selectOption("closed");
    await page.getByRole("button", { name: "Save" }).click();
    await saved();
    await lookAtPage(ada);
    expect((await asRoot("GET", "/admin/settings")).json).toEqual({ sign_up: "closed" });
  });

  test("shows schedules, pauses one and runs it", async () => {
    await ada.goto("/-/admin/work");
    await page.getByText("No schedules").waitFor();
    await lookAtPage(ada);
    const { upkeep, platform } = server.container;
    await upkeep.upkeepSchedules.keep();
    try {
      const row = page.getByRole("row", { name: "Set aside directories without a repository" });
      await row.getByText("not yet").waitFor();
      await row.getByRole("button", { name: /^Pause/ }).click();
      await row.getByText("paused").waitFor();
      await lookAtPage(ada);
      await row.getByRole("button", { name: /^Run now/ }).click();
      await row.getByRole("link", { name: "running" }).waitFor();
      // The list above learns of it later: Temporal writes what it lists after what it runs.
      await page.getByRole("link", { name: "Schedule", exact: true }).waitFor();
      await row.getByRole("button", { name: /^Resume/ }).click();
      await row.getByRole("button", { name: /^Pause/ }).waitFor();
      await lookAtPage(ada);
    } finally {
      for (const name of upkeepTaskNames)
        await platform.temporal.client.schedule.getHandle(scheduleIdOf(name, taskQueue)).delete();
    }
  });

  test("shows encryption keys, and replaces the current one", async () => {
    await ada.goto("/-/admin/keys");
    await page.getByText("The key has not been replaced yet").waitFor();
    await lookAtPage(ada);
    await page.getByRole("button", { name: "Replace the key", exact: true }).click();
    await page.getByRole("dialog").getByRole("button", { name: "Replace the key", exact: true }).click();
    await page.getByRole("cell", { name: "running" }).waitFor();
    await lookAtPage(ada);
  });
});
