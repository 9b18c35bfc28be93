/** The inbox in the browser: the bell counts, keys and buttons change entries, reading an issue reads its entry; watching and subscribing. */
import { afterAll, beforeAll, expect, test } from "vitest";
import type { Browser, Page } from "playwright-core";
import { newId } from "@forgeline/server/platform/ids.ts";
import type { ApiServer } from "../support/api-server.ts";
import { openBrowser, signUp, type Browser as Sender } from "../support/browser.ts";
import { lookAtPage } from "../support/web/look-at-page.ts";
import { closeWindows, sharedChromium } from "../support/web/shared-chromium.ts";
import { openVisitor, password, startWebServer, type Visitor } from "../support/web/visitor.ts";

let server: ApiServer;
let browser: Browser;
let ada: Visitor;
let page: Page;
let sender: Sender;
let bob: Sender;
let following: Promise<unknown>;
const stopping = new AbortController();
const at = "/repos/ada/app";

beforeAll(async () => {
  [server, browser] = await Promise.all([startWebServer(), sharedChromium()]);
  following = server.container.automation.followerRunner.run("notifications", stopping.signal);
  for (const name of ["ada", "bob"]) await signUp(server, name, password);
  ada = await openVisitor(browser, server.webUrl);
  page = ada.page;
  await ada.signIn("ada", password);
  sender = openBrowser(server);
  await sender.signIn("ada", password);
  bob = openBrowser(server);
  await bob.signIn("bob", password);
  await sender.send("POST", "/repos", { name: "app" });
  await sender.send("PUT", `${at}/collaborators/bob`, { permission: "triage" });
});
afterAll(async () => {
  stopping.abort();
  await following;
  await closeWindows(browser);
  await server?.stop();
});

const bell = (unread: number) => page.getByRole("link", { name: `Notifications: ${unread} unread` });
const rows = () => page.locator("main li").filter({ has: page.getByRole("checkbox") });

test("a repository is watched, and what happens in it comes into the inbox", async () => {
  await ada.goto("/notifications");
  await page.getByText("You are told when somebody mentions").waitFor();
  await lookAtPage(ada);
  await ada.goto("/ada/app");
  // As whoever creates one.
  await page.getByRole("button", { name: "Watch: Watching" }).click();
  await page.getByRole("menuitemradio", { name: "What involves you", exact: true }).click();
  await page.getByRole("button", { name: "Watch: Participating" }).click();
  await page.getByRole("menuitemradio", { name: "Everything" }).click();
  await page.getByRole("button", { name: "Watch: Watching" }).waitFor();
  await bob.send("POST", `${at}/issues`, { title: "Lights flicker", body: "At night." });
  await bob.send("POST", `${at}/issues`, { title: "Doors squeak", body: "@ada" });
  await expect.poll(async () => (await sender.send("GET", "/notifications/count")).json.unread).toBe(2);
  await ada.goto("/notifications");
  await bell(2).waitFor();
  expect(await rows().allInnerTexts()).toEqual([
    expect.stringMatching(/Doors squeak[^]*You were mentioned[^]*bob opened it/),
    expect.stringMatching(/Lights flicker[^]*You watch the repository/),
  ]);
  await lookAtPage(ada);
});

test("keys go through it, and entries are done, saved and selected", async () => {
  await page.locator("body").click({ position: { x: 1, y: 1 } });
  await page.keyboard.press("j");
  await page.keyboard.press("s");
  await page.getByRole("button", { name: "No longer save: Doors squeak" }).waitFor();
  await page.keyboard.press("e");
  await page.getByText("Doors squeak").waitFor({ state: "detached" });
  await bell(1).waitFor();
  await page.getByRole("button", { name: "Saved" }).click();
  await page.getByRole("button", { name: "Back to the inbox: Doors squeak" }).click();
  await page.getByRole("button", { name: "Inbox", exact: true }).click();
  await page.getByRole("checkbox", { name: "Select all" }).check();
  await lookAtPage(ada);
  const bulk = page.getByRole("group", { name: "Change the selected ones together" });
  await bulk.getByRole("button", { name: "Done" }).click();
  await page.getByText("Nothing here").waitFor();
});

test("opening an issue reads its entry, and says why one is told of it", async () => {
  await bob.send("POST", `${at}/issues/2/comments`, { body: "Still." });
  await expect.poll(async () => (await sender.send("GET", "/notifications/count")).json.unread).toBe(1);
  await ada.goto("/ada/app/issues/2");
  await page.getByText("You are told because you were mentioned.").waitFor();
  await page.getByRole("link", { name: "Notifications", exact: true }).waitFor();
  await page.getByRole("button", { name: "Unsubscribe" }).click();
  await page.getByText("only when somebody mentions or assigns you").waitFor();
  await lookAtPage(ada);
  await page.getByRole("button", { name: "Subscribe" }).click();
  await page.getByText("because you subscribed").waitFor();
});

test("an entry that waits for an approval leads to the runs that do", async () => {
  await server.container.platform.db.query(
    "update notifications set reason = 'approval_requested', event = 'approval_requested', done_at = null",
  );
  await ada.goto("/notifications?reason=approval_requested");
  await page.getByText("Waiting for your approval: run by bob").first().waitFor();
  await lookAtPage(ada);
  await page.getByRole("link", { name: "Runs that wait" }).first().click();
  await page.waitForURL(/\/ada\/app\/pipelines\?status=awaiting_approval$/);
});

test("what comes by mail is chosen in the settings", async () => {
  await ada.goto("/notifications");
  await page.getByRole("link", { name: "Mail", exact: true }).click();
  await page.getByText("Nothing is sent until you have a confirmed address.").waitFor();
  await page.getByLabel("Watch repositories that I create or am given").uncheck();
  await page.getByLabel("Of repositories that you watch").uncheck();
  await page.getByLabel("Send", { exact: true }).selectOption("daily");
  await page.getByLabel("Daily at").fill("17:30");
  await page.getByLabel("Time zone").fill("Mars/Olympus");
  await page.getByLabel("Send nothing at certain hours").check();
  for (const day of ["Saturday", "Sunday"]) await page.getByLabel(day).uncheck();
  await lookAtPage(ada);
  await page.getByRole("button", { name: "Save" }).click();
  await page.getByText("This is not an IANA time zone.", { exact: true }).waitFor();
  await page.getByLabel("Time zone").fill("Europe/Berlin");
  await page.getByRole("button", { name: "Save" }).click();
  await page.getByText("Saved.").waitFor();
  expect((await sender.send("GET", "/user/notification-settings")).json).toMatchObject({
    auto_watch: false,
    mail_participating: true,
    mail_watching: false,
    digest: "daily",
    digest_at: "17:30",
    time_zone: "Europe/Berlin",
    quiet_hours: { from: "22:00", to: "07:00", days: ["mon", "tue", "wed", "thu", "fri"] },
  });
});

test("an organization gets an address of its own, as soon as there are two", async () => {
  const { db } = server.container.platform;
  for (const email of ["ada@home.example", "ada@acme.example"])
    await db.query(
      "insert into user_emails (id, user_id, email, verified_at) select $1, id, $2, now() from users where username = 'ada'",
      [newId("eml"), email],
    );
  await sender.send("POST", "/orgs", { name: "acme" });
  await ada.goto("/settings/notifications");
  // Of the time zone that was refused before.
  ada.troubles.splice(0);
  const choice = page.getByLabel("acme", { exact: true });
  await choice.selectOption("ada@acme.example");
  await lookAtPage(ada);
  await page.getByRole("button", { name: "Save" }).click();
  await page.getByText("Saved.").waitFor();
  const shown = async () => (await sender.send("GET", "/user/notification-settings")).json;
  expect(await shown()).toMatchObject({
    organization_addresses: [{ organization: "acme" }],
    digest: "daily",
  });
  await choice.selectOption("As all others");
  await page.getByRole("button", { name: "Save" }).click();
  await expect.poll(async () => (await shown()).organization_addresses).toEqual([]);
});
