/** Runners of the instance and of a repository: what is shown of them, what can be done with them, and how one more is added. */
import { createHash } from "node:crypto";
import { mkdtemp, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import type { Browser } from "playwright-core";
import type { ApiServer, TestPerson } from "../support/api-server.ts";
import { signUp } from "../support/browser.ts";
import { ProtocolRunner } from "../support/protocol-runner.ts";
import { queueJob } from "../support/queue-job.ts";
import { testLimits } from "../support/runner-limits.ts";
import { lookAtPage } from "../support/web/look-at-page.ts";
import { tryToDismiss } from "../support/web/try-to-dismiss.ts";
import { closeWindows, sharedChromium } from "../support/web/shared-chromium.ts";
import { openVisitor, password, startWebServer, type Visitor } from "../support/web/visitor.ts";

const evil = "<img src=x onerror=alert(1)>";
const limits = { ...testLimits, memoryBytes: { max: 4 * 1024 ** 3, default: 512 * 1024 ** 2 } };
const certificate = "the authority's certificate";

describe("runners", () => {
  let server: ApiServer;
  let browser: Browser;
  let downloads: string;
  let root: TestPerson;
  let admin: Visitor;
  let ada: Visitor;

  beforeAll(async () => {
    downloads = await mkdtemp(join(tmpdir(), "forgeline-downloads-"));
    await writeFile(join(downloads, "ca.pem"), certificate);
    [server, browser] = await Promise.all([
      startWebServer({ env: { FORGELINE_DOWNLOADS_DIR: downloads } }),
      sharedChromium(),
    ]);
    root = await server.person("root", { isAdmin: true });
    for (const name of ["grace", "ada"]) await signUp(server, name, password);
    await server.container.platform.db.query("update users set is_admin = true where username = 'grace'");
    [admin, ada] = await Promise.all([
      openVisitor(browser, server.webUrl),
      openVisitor(browser, server.webUrl),
    ]);
    await admin.signIn("grace", password);
    await ada.signIn("ada", password);
  });
  afterAll(async () => {
    await closeWindows(browser);
    await server?.stop();
    await rm(downloads, { recursive: true, force: true });
  });

  async function register(name: string) {
    const token = await server.api("POST", "/runners/registration-tokens", { token: root.token, body: {} });
    const body = { token: token.json.token, name, labels: ["docker", "os=linux"], capacity: 4 };
    return (await server.api("POST", "/runners/register", { body })).json as {
      id: string;
      credential: string;
      connect_url: string;
    };
  }

  const get = async (id: string) => (await server.api("GET", `/runners/${id}`, { token: root.token })).json;

  test("keys that sign jobs are created, shown and deleted below the runners", async () => {
    const { page } = admin;
    await admin.goto("/runners");
    await page.getByText("Jobs are not signed.").waitFor();
    await page.getByRole("button", { name: "Create a key" }).click();
    await page.getByRole("dialog").getByRole("button", { name: "Create a key" }).click();
    const line = page.getByText(/^ed25519 \S{44}$/);
    await line.waitFor();
    await lookAtPage(admin);
    await page.getByRole("button", { name: /^Delete the key sgk_/ }).click();
    await page.getByRole("dialog").getByRole("button", { name: "Delete" }).click();
    await line.waitFor({ state: "detached" });
  });

  test("an instance without runners says what to do; the command with its token is shown once", async () => {
    await admin.goto("/");
    await admin.page.getByRole("navigation", { name: "Main" }).getByRole("link", { name: "Runners" }).click();
    await admin.page.getByRole("heading", { name: "No runner yet" }).waitFor();
    await lookAtPage(admin);
    await admin.page.getByRole("button", { name: "Add a runner" }).click();
    const dialog = admin.page.getByRole("dialog", { name: "Add a runner" });
    await dialog.getByLabel("Machines").fill("2");
    await dialog.getByLabel("Name").fill("the build's box");
    await dialog.getByLabel("Labels, separated by commas").fill("gpu=a100,  fast");
    await lookAtPage(admin);
    await dialog.getByRole("button", { name: "Create the command" }).click();
    const command = (await dialog.getByLabel("Command", { exact: true }).textContent()) ?? "";
    const sum = createHash("sha256").update(certificate).digest("hex");
    expect(command).toContain(
      `/downloads/install-runner.sh | FORGELINE_URL=${server.webUrl} sh -s -- ${sum} `,
    );
    await lookAtPage(admin);
    await tryToDismiss(admin.page);
    expect(command).toContain(` --name 'the build'\\''s box' --labels gpu=a100,fast`);
    const token = /svc_reg_\S+/.exec(command)?.[0];
    await dialog.getByText("Waiting for the machine…").waitFor();
    for (const name of [evil, "second"])
      expect((await server.api("POST", "/runners/register", { body: { token, name } })).status).toBe(201);
    await dialog.getByRole("link", { name: "second" }).waitFor();
    await dialog.getByRole("button", { name: "Done" }).click();
    await admin.page.getByRole("link", { name: evil }).waitFor();
    expect(await admin.page.getByText("svc_reg_").count()).toBe(0);
    await lookAtPage(admin);
  });

  test("a runner is seen when it comes, is drained, resumed, paused, changed and deleted", async () => {
    const { id, credential, connect_url: url } = await register("builder");
    await admin.goto(`/runners/${id}`);
    await admin.page.getByText("offline", { exact: true }).waitFor();
    await admin.page.getByText("This runner has never connected.").nth(1).waitFor();
    await server.container.platform.db.query("update runners set last_seen_at = now() where id = $1", [id]);
    await admin.page.getByText("This runner is an older version").waitFor();
    await admin.page.getByText("Unknown: an older version that does not report it.").waitFor();
    const egress = { state: "unfiltered", reason: `no ${evil}`, allow: ["10.1.2.0/24"] } as const;
    const said = {
      egress: { ...egress, allow: [...egress.allow] },
      labels: ["own"],
      capacity: 8,
      limits,
      executor: "process" as const,
    };
    const runner = new ProtocolRunner({ url, ca: server.ca, credential, ...said });
    await runner.hello();
    await admin.page.getByText("online", { exact: true }).waitFor();
    await admin.page.getByText(`It should keep them from these, but cannot: no ${evil}`).waitFor();
    await admin.page.getByText("Also allowed: 10.1.2.0/24.").waitFor();
    await admin.page.getByText("Its jobs are not isolated").waitFor();
    await admin.page.getByText("0 of 8").waitFor();
    await admin.page.getByText("up to 4.3 GB; 537 MB by default").waitFor();
    await lookAtPage(admin);

    const press = (name: string) => admin.page.getByRole("button", { name, exact: true }).click();
    await press("Drain");
    const drain = admin.page.getByRole("dialog", { name: "Drain builder?" });
    await drain.getByLabel("Stop jobs after").fill("30");
    await drain.getByRole("button", { name: "Drain" }).click();
    await admin.page.getByText("draining", { exact: true }).waitFor();
    await admin.page.getByText("Jobs are stopped", { exact: true }).waitFor();
    await runner.take("drain", ({ deadlineMs }) => deadlineMs !== null);
    await press("Resume");
    await admin.page.getByText("online", { exact: true }).waitFor();
    await press("Pause");
    await admin.page.getByText("paused", { exact: true }).waitFor();

    await press("Change");
    const change = admin.page.getByRole("dialog", { name: "Change builder" });
    await change.getByLabel("Name").fill("renamed");
    await change.getByLabel("Use these instead").check();
    await change.getByLabel("Labels, separated by commas").fill("gpu=t4, not a label!");
    await change.getByRole("button", { name: "Save" }).click();
    await change.getByRole("alert").first().waitFor();
    // The browser tells the refusal in its console.
    admin.forgiveRefusals();
    await lookAtPage(admin);
    expect(await change.getByLabel("Name").inputValue()).toBe("renamed");
    await change.getByLabel("Labels, separated by commas").fill("gpu=t4, fast");
    await change.getByRole("button", { name: "Save" }).click();
    await admin.page.getByRole("heading", { name: "renamed" }).waitFor();
    expect(await get(id)).toMatchObject({
      labels: ["gpu=t4", "fast", "!executor=process"],
      capacity: 8,
      paused: true,
    });

    await press("Delete");
    const asked = admin.page.getByRole("dialog", { name: "Delete renamed?" });
    await asked.getByRole("button", { name: "Delete" }).click();
    await admin.page.waitForURL(`${server.webUrl}/runners`);
    expect((await server.api("GET", `/runners/${id}`, { token: root.token })).status).toBe(404);
    await admin.page.getByRole("link", { name: "renamed" }).waitFor({ state: "detached" });
  });

  test("who runs no instance sees its runners nowhere, and those of an own repository", async () => {
    const { id } = await register("hidden");
    expect(await ada.page.getByRole("link", { name: "Runners" }).count()).toBe(0);
    for (const path of ["/runners", `/runners/${id}`]) {
      await ada.goto(path);
      await ada.page.getByRole("heading", { name: "Nothing here" }).waitFor();
    }
    ada.forgiveRefusals();
    const own = await server.container.platform.db.one<{ id: string }>(
      "select id from users where username = 'ada'",
      [],
    );
    const token = await server.tokenFor({ id: own?.id ?? "", username: "ada", token: "" }, ["repo:admin"]);
    await server.api("POST", "/repos", { token, body: { name: "app" } });
    await ada.goto("/ada/app/settings");
    await ada.page.getByRole("link", { name: "Runners" }).click();
    await ada.page.getByRole("button", { name: "Add a runner" }).click();
    await ada.page.getByRole("button", { name: "Create the command" }).click();
    const command = (await ada.page.getByLabel("Command", { exact: true }).textContent()) ?? "";
    const body = { token: /svc_reg_\S+/.exec(command)?.[0], name: "mine" };
    expect((await server.api("POST", "/runners/register", { body })).status).toBe(201);
    await ada.page.getByRole("button", { name: "Done" }).click();
    await ada.page.getByRole("link", { name: "mine" }).waitFor();
    await lookAtPage(ada);
    await ada.page.getByRole("link", { name: "mine" }).click();
    await ada.page.getByText("only ada/app").waitFor();
    await lookAtPage(ada);
  });

  test("owners add runners of their organization, also for one job; an old one says how it is updated", async () => {
    const owner = await server.container.platform.db.one<{ id: string }>(
      "select id from users where username = 'ada'",
      [],
    );
    const scopes = ["org:admin"] as const;
    const token = await server.tokenFor({ id: owner?.id ?? "", username: "ada", token: "" }, [...scopes]);
    await server.api("POST", "/orgs", { token, body: { name: "acme" } });
    await ada.goto("/orgs/acme");
    await ada.page.getByRole("link", { name: "Runners" }).click();
    await ada.page.getByRole("button", { name: "Add a runner" }).click();
    await ada.page.getByLabel("Labels, separated by commas").fill("!gpu");
    await ada.page.getByLabel("One job only").check();
    await lookAtPage(ada);
    await ada.page.getByRole("button", { name: "Create the command" }).click();
    const command = (await ada.page.getByLabel("Command", { exact: true }).textContent()) ?? "";
    expect(command).toMatch(/ --labels '!gpu' --one-job$/);
    const body = { token: /svc_reg_\S+/.exec(command)?.[0], name: "shared", one_job: true };
    const { json } = await server.api("POST", "/runners/register", { body });
    await ada.page.getByRole("button", { name: "Done" }).click();
    const runner = new ProtocolRunner({
      url: json.connect_url,
      ca: server.ca,
      credential: json.credential,
      labels: ["!gpu"],
    });
    await runner.hello();
    await ada.page.getByRole("link", { name: "shared" }).click();
    await ada.page.getByText("only repositories of acme").waitFor();
    await ada.page.getByText("ends after one job").waitFor();
    const update = (await ada.page.getByLabel("Command to update", { exact: true }).textContent()) ?? "";
    expect(update).toMatch(/install-runner\.sh .* [0-9a-f]{64} --update$/);
    await lookAtPage(ada);
    runner.vanish();
  });

  test("a group is made for some, a runner put into it, and the group deleted when that has left", async () => {
    const { id } = await register("grouped");
    const { page } = admin;
    await admin.goto("/runners");
    await page.getByRole("button", { name: "Create a group" }).click();
    const dialog = page.getByRole("dialog", { name: "Create a group" });
    await dialog.getByLabel("Group name").fill("gpu");
    await dialog.getByLabel("Only these").check();
    const names = dialog.getByLabel("Owners and repositories, separated by commas");
    await names.fill("nobody-here");
    await dialog.getByRole("button", { name: "Create a group" }).click();
    await dialog
      .getByText("There is no user and no organization with the name nobody-here.", { exact: true })
      .waitFor();
    // The browser tells the refusal in its console.
    admin.forgiveRefusals();
    await names.fill("grace");
    await dialog.getByRole("button", { name: "Create a group" }).click();
    await page.getByRole("cell", { name: "grace", exact: true }).waitFor();
    await page.getByRole("button", { name: "Access to gpu" }).click();
    await page.getByRole("dialog").getByLabel("All that its runners serve").check();
    await lookAtPage(admin);
    await page.getByRole("dialog").getByRole("button", { name: "Save" }).click();
    await page.getByRole("cell", { name: "all", exact: true }).waitFor();
    for (const group of ["gpu", ""]) {
      await admin.goto(`/runners/${id}`);
      await page.getByRole("button", { name: "Change", exact: true }).click();
      const change = page.getByRole("dialog", { name: "Change grouped" });
      await change.getByLabel("Group").selectOption(group === "" ? { value: "" } : { label: group });
      await change.getByRole("button", { name: "Save" }).click();
      await change.waitFor({ state: "detached" });
      expect((await get(id)).group?.name ?? "").toBe(group);
      if (group !== "") await page.getByText("Group", { exact: true }).waitFor();
    }
    await queueJob(server, root, ["@lease_v2", "@network_none", "gpu=*"]);
    await admin.goto("/runners");
    await page.getByRole("row", { name: /^network: none ?gpu=\* 1 \d+ s 0 0$/ }).waitFor();
    await lookAtPage(admin);
    await page.getByRole("button", { name: "Delete gpu" }).click();
    await page.getByRole("dialog").getByRole("button", { name: "Delete" }).click();
    await page.getByRole("cell", { name: "gpu", exact: true }).waitFor({ state: "detached" });
  });

  test("an administrator says which repositories may have privileged jobs", async () => {
    const { page } = admin;
    await server.api("POST", "/repos", { token: root.token, body: { name: "images" } });
    await admin.goto("/-/admin/privileged-jobs");
    await page.getByText("No repository may have privileged jobs").waitFor();
    await page.getByRole("button", { name: "Allow a repository" }).click();
    const allow = page.getByRole("dialog", { name: "Allow a repository" });
    await allow.getByLabel("Repository").fill("root/images");
    await allow.getByRole("button", { name: "Allow a repository" }).click();
    await page.getByRole("row", { name: /root\/images.*grace/ }).waitFor();
    await lookAtPage(admin);
    await page.getByRole("button", { name: "Refuse privileged jobs to root/images" }).click();
    await page.getByRole("dialog").getByRole("button", { name: "Refuse" }).click();
    await page.getByText("No repository may have privileged jobs").waitFor();
  });
});
