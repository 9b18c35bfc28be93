/** The pages of concurrency groups: who holds a slot, who waits, and giving one back by hand. */
import { afterAll, beforeAll, expect, test } from "vitest";
import type { Browser } from "playwright-core";
import type { ApiServer } from "../support/api-server.ts";
import { openBrowser, signUp, type Browser as Sender } from "../support/browser.ts";
import { asksForSlot, inGroup } from "../support/slot-runs.ts";
import { lookAtPage } from "../support/web/look-at-page.ts";
import { closeWindows, sharedChromium } from "../support/web/shared-chromium.ts";
import { openVisitor, password, startWebServer, type Visitor } from "../support/web/visitor.ts";

let server: ApiServer;
let browser: Browser;
let ada: Visitor;
let bob: Visitor;
let sender: Sender;
const repositories = new Map<string, string>();

beforeAll(async () => {
  [server, browser] = await Promise.all([startWebServer(), sharedChromium()]);
  for (const name of ["ada", "bob"]) await signUp(server, name, password);
  [ada, bob] = [await openVisitor(browser, server.webUrl), await openVisitor(browser, server.webUrl)];
  await Promise.all([ada.signIn("ada", password), bob.signIn("bob", password)]);
  sender = openBrowser(server);
  await sender.signIn("ada", password);
  await sender.send("POST", "/orgs", { name: "acme" });
  await sender.send("PATCH", "/orgs/acme", { shared_concurrency: true });
  await sender.send("PUT", "/orgs/acme/members/bob", { role: "member" });
  for (const name of ["shop", "site"]) {
    const { json } = await sender.send("POST", "/repos", { owner: "acme", name, private: true });
    repositories.set(name, (json as { id: string }).id);
    await sender.send("PUT", `/repos/acme/${name}/collaborators/bob`, { permission: "write" });
  }
});
afterAll(async () => {
  await closeWindows(browser);
  await server?.stop();
});

/** A run whose one job asks for its slot. */
async function asks(name: string, group: string, scope: "repo" | "org") {
  const { db } = server.container.platform;
  const [user] = await db.query<{ id: string }>("select id from users where username = 'ada'");
  const id = repositories.get(name) ?? "";
  const place = { id, userId: user?.id ?? "", owner: "acme", name };
  return (await asksForSlot(db, place, inGroup(group, { scope, order: "ready" }))).number;
}

const section = (visitor: Visitor, group: string) =>
  visitor.page.locator("section", { has: visitor.page.getByRole("heading", { name: group, exact: true }) });

test("a repository shows holder and queue, and a maintainer gives the slot to the next one", async () => {
  const { page } = ada;
  await ada.goto("/acme/shop/pipelines/concurrency");
  await page.getByText("No groups in use").waitFor();
  await lookAtPage(ada);
  const [first, second, third] = [
    await asks("shop", "production", "repo"),
    await asks("shop", "production", "repo"),
    await asks("shop", "production", "repo"),
  ];
  await ada.goto("/acme/shop/pipelines/concurrency");
  const group = section(ada, "production");
  await group.getByText("Held (1 of 1)").waitFor();
  await group.getByText("Queue (2)").waitFor();
  expect(await group.getByRole("link").allTextContents()).toEqual(
    [first, second, third].map((number) => `#${number} ship`),
  );
  await lookAtPage(ada);
  await group.getByRole("button", { name: `Release the slot of run #${first}` }).click();
  const dialog = page.getByRole("dialog");
  await dialog.getByText("both run at the same time").waitFor();
  await lookAtPage(ada);
  await dialog.getByRole("button", { name: "Release" }).click();
  await page.getByText("Released.").waitFor();
  await group.getByText("Queue (1)").waitFor();
  expect(await group.getByRole("link").allTextContents()).toEqual(
    [second, third].map((number) => `#${number} ship`),
  );

  await bob.goto("/acme/shop/pipelines/concurrency");
  await section(bob, "production").getByText("Held (1 of 1)").waitFor();
  expect(await bob.page.getByRole("button", { name: /Release/ }).count()).toBe(0);
});

test("an organization shows its owners the groups that its repositories share", async () => {
  const { page } = ada;
  await ada.goto("/orgs/acme/concurrency-groups");
  await page.getByText("No groups in use").waitFor();
  const [first, second] = [await asks("shop", "cluster", "org"), await asks("site", "cluster", "org")];
  await ada.goto("/orgs/acme");
  await page.getByRole("link", { name: "Concurrency groups" }).click();
  const group = section(ada, "cluster");
  await group.getByText("Held (1 of 1)").waitFor();
  expect(
    await group.getByRole("link").evaluateAll((links) => links.map((link) => link.getAttribute("href"))),
  ).toEqual([`/acme/shop/pipelines/${first}`, `/acme/site/pipelines/${second}`]);
  expect(await page.getByText("production").count()).toBe(0);
  await lookAtPage(ada);
  await group.getByRole("button", { name: `Release the slot of run #${first}` }).click();
  await page.getByRole("dialog").getByRole("button", { name: "Release" }).click();
  await page.getByText("Released.").waitFor();
  await expect
    .poll(() =>
      group.getByRole("link").evaluateAll((links) => links.map((link) => link.getAttribute("href"))),
    )
    .toEqual([`/acme/site/pipelines/${second}`]);

  // Owners free what a repository that left still holds, although they do not learn whose run that is.
  for (const name of ["away", "here"]) {
    const { json } = await sender.send("POST", "/repos", { owner: "acme", name, private: true });
    repositories.set(name, (json as { id: string }).id);
  }
  await asks("away", "rollout", "org");
  const next = await asks("here", "rollout", "org");
  await sender.send("POST", "/repos/acme/away/transfer", { new_owner: "ada" });
  await ada.goto("/orgs/acme/concurrency-groups");
  const left = section(ada, "rollout");
  await left.getByText("a run of another repository").waitFor();
  await left.getByRole("button", { name: "Release the slot of a run of another repository" }).click();
  await page.getByRole("dialog").getByText("has left the organization").waitFor();
  await page.getByRole("dialog").getByRole("button", { name: "Release" }).click();
  await left.getByText("a run of another repository").waitFor({ state: "detached" });
  await left.getByRole("link", { name: `#${next} ship` }).waitFor();

  await bob.goto("/orgs/acme");
  await bob.page.getByRole("link", { name: "People" }).waitFor();
  expect(await bob.page.getByRole("link", { name: "Concurrency groups" }).count()).toBe(0);
});
