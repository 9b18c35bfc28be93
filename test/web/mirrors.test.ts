/** The page about the mirror of a repository: set up after a preview, synced, failing, changed, and made ordinary again. */
import { afterAll, beforeAll, expect, test } from "vitest";
import type { Browser, Page } from "playwright-core";
import type { ApiServer } from "../support/api-server.ts";
import { readBed } from "../support/bed.ts";
import { openBrowser, signUp } from "../support/browser.ts";
import { startWorker } from "../support/failing-work.ts";
import { startGitSource, type GitSource, type SourceRepository } from "../support/git-source.ts";
import { lookAtPage } from "../support/web/look-at-page.ts";
import { closeWindows, sharedChromium } from "../support/web/shared-chromium.ts";
import { openVisitor, password, startWebServer, type Visitor } from "../support/web/visitor.ts";

let server: ApiServer;
let browser: Browser;
let ada: Visitor;
let page: Page;
let source: GitSource;
let followed: SourceRepository;
let stopWorker: () => Promise<void>;

beforeAll(async () => {
  source = await startGitSource();
  followed = await source.create("followed");
  await followed.commit("main", { "a.txt": "a" });
  await followed.commit("topic", { "t.txt": "t" });
  const { caFile } = (await readBed()).certificates;
  const env = {
    FORGELINE_TASK_QUEUE: `test-mirror-page-${process.pid}`,
    FORGELINE_OUTBOUND_ALLOW: "127.0.0.1",
    FORGELINE_OUTBOUND_CA_FILE: caFile,
  };
  [server, browser] = await Promise.all([startWebServer({ env }), sharedChromium()]);
  stopWorker = await startWorker(server);
  await signUp(server, "ada", password);
  ada = await openVisitor(browser, server.webUrl);
  page = ada.page;
  await ada.signIn("ada", password);
  const sender = openBrowser(server);
  await sender.signIn("ada", password);
  await sender.send("POST", "/repos", { name: "copy", readme: true });
  await sender.send("POST", "/repos", { name: "later" });
});
afterAll(async () => {
  await closeWindows(browser);
  await stopWorker?.();
  await server?.stop();
  await source?.close();
});

const button = (name: string) => page.getByRole("button", { name, exact: true });
const inDialog = (name: string) => page.getByRole("dialog").getByRole("button", { name, exact: true });

test("a mirror is set up after it was shown what will change", async () => {
  await ada.goto("/ada/copy/settings/mirror");
  await page.getByRole("heading", { name: "Set up" }).waitFor();
  await lookAtPage(ada);
  await page.getByLabel("Address of the source").fill("https://10.0.0.1/x.git");
  await button("Show what will change").click();
  await page.getByText("This address is not public.", { exact: false }).first().waitFor();
  ada.forgiveRefusals();
  await page.getByLabel("Address of the source").fill(followed.url);
  await button("Show what will change").click();
  await page.getByText("1 created, 1 updated, 0 deleted.").waitFor();
  await page.getByText("are replaced by those of the source", { exact: false }).waitFor();
  await lookAtPage(ada);
  await button("Start mirroring").click();
  await page.getByText("up to date").first().waitFor();
  await page.getByRole("cell", { name: "First sync" }).waitFor();
  await lookAtPage(ada);
  await page.getByText("replaced main", { exact: false }).waitFor();
  await ada.goto("/ada/copy");
  await page.getByText("Follows a repository on another server, and is read-only.").waitFor();
  await page.getByRole("link", { name: "a.txt" }).waitFor();
  await lookAtPage(ada);
});

test("it is synced by hand, says why it fails, and works again", async () => {
  await ada.goto("/ada/copy/settings/mirror");
  source.answer = (_request, response) => void response.writeHead(401).end();
  await button("Sync now").click();
  await page.getByText("A sync was requested.").waitFor();
  await page.getByText("The last sync failed").waitFor();
  await page.getByText("did not accept the credentials", { exact: false }).first().waitFor();
  await page.getByText("Failing since").waitFor();
  await lookAtPage(ada);
  source.answer = (_request, _response, usual) => usual();
  await followed.commit("main", { "b.txt": "b" });
  await button("Sync now").click();
  await page.getByText("up to date").first().waitFor();
  const compared = page.getByRole("row").filter({ hasText: "updated main" }).getByRole("link");
  await compared.waitFor();
});

test("it is paused and resumed, its settings are changed, and it is made ordinary again", async () => {
  await ada.goto("/ada/copy/settings/mirror");
  await button("Pause").click();
  await page.getByText("Nothing is synced until you resume it.").waitFor();
  await lookAtPage(ada);
  await button("Resume").click();
  await page.getByText("Resumed.").waitFor();
  await page.getByLabel("By a cron line").check();
  await page.getByLabel("Cron line", { exact: true }).fill("15 3 * * *");
  await page.getByLabel("Time zone of the cron line").fill("Europe/Berlin");
  await button("Save").click();
  await page.getByText("15 3 * * * Europe/Berlin").waitFor();
  await page.getByLabel("Cron line", { exact: true }).fill("* * * * *");
  await button("Save").click();
  await page.getByText("It must not run more often than every 5 minutes.").first().waitFor();
  ada.forgiveRefusals();
  await button("Make it an ordinary repository").click();
  await inDialog("Make it an ordinary repository").click();
  await page.getByText("It is an ordinary repository now.").waitFor();
  await page.getByRole("heading", { name: "Set up" }).waitFor();
  ada.forgiveRefusals();
  await ada.goto("/ada/copy");
  await page.getByRole("link", { name: "b.txt" }).waitFor();
  expect(await page.getByText("is read-only", { exact: false }).count()).toBe(0);
});

test("a source that cannot be read yet is set up all the same, with a key to take there", async () => {
  await ada.goto("/ada/later/settings/mirror");
  await page.getByLabel("Address of the source").fill("ssh://git@127.0.0.1:1/x.git");
  await button("Show what will change").click();
  await page.getByText("could not be reached", { exact: false }).waitFor();
  ada.forgiveRefusals();
  await lookAtPage(ada);
  await button("Set up without a preview").click();
  await lookAtPage(ada);
  await inDialog("Start mirroring").click();
  await page.getByText("The last sync failed").waitFor();
  expect(await page.getByRole("textbox", { name: "Public key" }).inputValue()).toMatch(/^ssh-ed25519 /);
  await page.getByText("not known yet").waitFor();
  await lookAtPage(ada);
});
