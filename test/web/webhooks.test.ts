/** The pages about webhooks: each empty and filled, and what can be done there. The receiver answers with markup. */
import { afterAll, beforeAll, expect, test } from "vitest";
import type { Browser, Page } from "playwright-core";
import type { ApiServer } from "../support/api-server.ts";
import { readBed } from "../support/bed.ts";
import { openBrowser, signUp, type Browser as Sender } from "../support/browser.ts";
import { eventually } from "../support/eventually.ts";
import { lookAtPage } from "../support/web/look-at-page.ts";
import { closeWindows, sharedChromium } from "../support/web/shared-chromium.ts";
import { openVisitor, password, startWebServer, type Visitor } from "../support/web/visitor.ts";
import { startReceiver, type Receiver } from "../support/webhook-receiver.ts";

const harmful = "<img src=x onerror=alert(1)>";

let server: ApiServer;
let browser: Browser;
let ada: Visitor;
let page: Page;
let sender: Sender;
let receiver: Receiver;
const stopping = new AbortController();
let following: Promise<void>;

beforeAll(async () => {
  receiver = await startReceiver((request, response) => {
    const status = request.path.includes("refuse") ? 500 : 200;
    response.writeHead(status, { "content-type": "text/html", "x-note": harmful }).end(harmful);
  });
  const { caFile } = (await readBed()).certificates;
  const env = { FORGELINE_OUTBOUND_ALLOW: "127.0.0.1", FORGELINE_OUTBOUND_CA_FILE: caFile };
  [server, browser] = await Promise.all([startWebServer({ env }), sharedChromium()]);
  following = server.container.automation.followerRunner.run("webhooks", stopping.signal);
  await signUp(server, "ada", password);
  ada = await openVisitor(browser, server.webUrl);
  page = ada.page;
  await ada.signIn("ada", password);
  sender = openBrowser(server);
  await sender.signIn("ada", password);
  await sender.send("POST", "/repos", { name: "code", readme: true });
  await sender.send("POST", "/orgs", { name: "acme" });
});
afterAll(async () => {
  stopping.abort();
  await following;
  await closeWindows(browser);
  await server?.stop();
  await receiver?.close();
});

const button = (name: string) => page.getByRole("button", { name, exact: true });
const inDialog = (name: string) => page.getByRole("dialog").getByRole("button", { name, exact: true });

test.for(["/ada/code/settings/webhooks", "/orgs/acme/webhooks", "/ada/code/settings/webhooks/none"])(
  "%s is a good page while there is none",
  async (path) => {
    await ada.goto(path);
    await page.getByRole("heading", { level: 1 }).waitFor();
    if (path.endsWith("none")) ada.forgiveRefusals();
    await lookAtPage(ada);
  },
);

test("a webhook is added, pinged, and its delivery read", async () => {
  await ada.goto("/ada/code/settings/webhooks");
  await button("Add webhook").click();
  await page.getByLabel("Address").fill(`${receiver.url}/hook?token=s3cret`);
  await page.getByRole("checkbox", { name: "tag" }).check();
  await lookAtPage(ada);
  await inDialog("Add webhook").click();
  const secret = page
    .getByRole("dialog", { name: "Secret of the webhook" })
    .getByLabel("Secret", { exact: true });
  await secret.waitFor();
  expect(await secret.inputValue()).toMatch(/^whsec_/);
  await inDialog("Close").click();
  const link = page.getByRole("link", { name: `${receiver.url}/hook?token=***` });
  await lookAtPage(ada);
  await link.click();
  await button("Send ping").click();
  await page.getByText("Ping sent.").waitFor();
  await page.getByRole("cell", { name: "accepted" }).first().waitFor();
  await lookAtPage(ada);
  await page.getByRole("link", { name: "1", exact: true }).click();
  await page.getByText(harmful).first().waitFor();
  await page.getByLabel("Body").first().waitFor();
  await lookAtPage(ada);
  expect(await page.locator("img[src=x]").count()).toBe(0);
  const before = receiver.received.length;
  await button("Send again: 1").click();
  await page.getByText("It is sent once more.").waitFor();
  await eventually(() => receiver.received.length > before);
});

test("settings are changed, and a refused address says why", async () => {
  await ada.goto("/ada/code/settings/webhooks");
  await page.getByRole("link", { name: `${receiver.url}/hook?token=***` }).click();
  await page.getByRole("heading", { name: "Settings" }).waitFor();
  await page.getByLabel("Address").fill("https://10.0.0.1/");
  await button("Save").click();
  await page.getByText("This address is not public.", { exact: false }).first().waitFor();
  ada.forgiveRefusals();
  await page.getByLabel("Address").fill(`${receiver.url}/refuse`);
  await button("Save").click();
  await page.getByText("Saved.").waitFor();
  await page.getByRole("heading", { name: `${receiver.url}/refuse` }).waitFor();
});

test("a webhook that fails says so, and is switched off and on", async () => {
  await ada.goto("/ada/code/settings/webhooks");
  await page.getByRole("link", { name: `${receiver.url}/refuse` }).click();
  await button("Send ping").click();
  await page.getByRole("cell", { name: "retrying" }).first().waitFor();
  await page.getByText("Failing since").waitFor();
  await lookAtPage(ada);
  await page.getByLabel("Status").selectOption("failed");
  await page.getByText("No such deliveries").waitFor();
  await button("Send failed ones again").click();
  await inDialog("Send").click();
  await page.getByText("0 deliveries are sent again.").waitFor();
  await button("Switch off").click();
  await inDialog("Switch off").click();
  await page.getByText("Switched off.").waitFor();
  await button("Switch on").click();
  await page.getByText("Switched on.").waitFor();
  await button("Delete").click();
  await inDialog("Delete").click();
  await page.getByText("Webhook deleted.").waitFor();
  await page.getByText("No webhooks").waitFor();
});
