/** The board of a team: a discussion is started, answered in threads, kept in order; what members of the organization see of it. */
import { afterAll, beforeAll, expect, test } from "vitest";
import type { Browser, Page } from "playwright-core";
import type { ApiServer } from "../support/api-server.ts";
import { openBrowser, signUp } from "../support/browser.ts";
import { lookAtPage } from "../support/web/look-at-page.ts";
import { closeWindows, sharedChromium } from "../support/web/shared-chromium.ts";
import { openVisitor, password, startWebServer, type Visitor } from "../support/web/visitor.ts";

let server: ApiServer;
let browser: Browser;
let ada: Visitor;
let bob: Visitor;
let page: Page;
const board = "/orgs/acme/teams/core/nested/discussions";

beforeAll(async () => {
  [server, browser] = await Promise.all([startWebServer(), sharedChromium()]);
  for (const name of ["ada", "bob"]) await signUp(server, name, password);
  [ada, bob] = await Promise.all([openVisitor(browser, server.webUrl), openVisitor(browser, server.webUrl)]);
  page = ada.page;
  await Promise.all([ada.signIn("ada", password), bob.signIn("bob", password)]);
  const [sender, guest] = [openBrowser(server), openBrowser(server)];
  await Promise.all([sender.signIn("ada", password), guest.signIn("bob", password)]);
  await sender.send("POST", "/orgs", { name: "acme" });
  const { id } = (await sender.send("POST", "/orgs/acme/invitations", { username: "bob" })).json;
  await guest.send("POST", `/user/invitations/${String(id)}/accept`);
  await sender.send("POST", "/orgs/acme/teams", { name: "core" });
  await sender.send("POST", "/orgs/acme/teams", { name: "nested", parent: "core" });
});
afterAll(async () => {
  await closeWindows(browser);
  await server?.stop();
});

test("one is started from the page of the team", async () => {
  await ada.goto("/orgs/acme/teams/core/nested");
  await page.getByRole("link", { name: "Discussions" }).click();
  await page.getByText("No discussions yet").waitFor();
  await lookAtPage(ada);
  await page.getByRole("link", { name: "New discussion" }).click();
  await page.getByLabel("Title").fill("Who is on call?");
  await page.getByRole("textbox", { name: "Text" }).fill("Weeks:\n\n- [ ] first\n");
  await page.getByRole("button", { name: "Start discussion" }).click();
  await page.getByRole("heading", { name: "Who is on call? #1" }).waitFor();
  expect(await page.title()).toBe("Who is on call? #1 · acme/core/nested · Forgeline");
});

test("replies stand in threads, and are changed and deleted", async () => {
  await page.getByRole("textbox", { name: "Add a reply" }).fill("I am");
  await page.getByRole("button", { name: "Reply", exact: true }).click();
  await page.getByRole("article").getByText("I am").waitFor();
  expect(page.url()).toMatch(/#rply_\w+$/);
  await page.getByRole("button", { name: "Reply in this thread" }).click();
  await page.getByRole("textbox", { name: "Reply to ada" }).fill("Thanks");
  await page.getByRole("button", { name: "Reply", exact: true }).first().click();
  await page.getByRole("article").getByText("Thanks").waitFor();
  await page.getByText("2 replies").waitFor();
  await lookAtPage(ada);
  const actions = page.getByRole("button", { name: "Actions for the reply of ada" });
  await actions.last().click();
  await page.getByRole("menuitem", { name: "Edit" }).click();
  await page.getByRole("textbox", { name: "Edit reply" }).fill("Thank you");
  await page.getByRole("button", { name: "Save" }).click();
  await page.getByText("Reply saved.").waitFor();
  await actions.first().click();
  await page.getByRole("menuitem", { name: "Delete" }).click();
  await page.getByRole("dialog").getByRole("button", { name: "Delete" }).click();
  await page.getByText("Reply deleted.").waitFor();
  await page.getByText("1 reply").waitFor();
  await page.getByRole("article").getByText("Thank you").waitFor();
});

/** In the words of the browser, whose types tests do not have. */
/** On the field that has the focus. */
const send = (kind: string, type: string, field: string, file: string) =>
  page.evaluate(`{
    const data = new DataTransfer();
    data.items.add(${file});
    document.activeElement.dispatchEvent(
      new ${kind}("${type}", { ${field}: data, bubbles: true, cancelable: true }));
  }`);

test("files are chosen, pasted and dropped into a text, and shown in it", async () => {
  const field = page.getByRole("textbox", { name: "Add a reply" });
  await field.fill("See:");
  // One pixel.
  const pixel =
    "iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR42mNk+M9QDwADhgGAWjR9awAAAABJRU5ErkJggg==";
  const chooser = page.waitForEvent("filechooser");
  await page.getByRole("button", { name: "Attach files" }).click();
  const file = { name: "dot.png", mimeType: "text/html", buffer: Buffer.from(pixel, "base64") };
  await (
    await chooser
  ).setFiles([file, { name: "note.txt", mimeType: "image/png", buffer: Buffer.from("x") }]);
  await expect
    .poll(() => field.inputValue())
    .toMatch(/^See:\n!\[dot\.png\]\(https:\S+\)\n\[note\.txt\]\(https:\S+\)\n$/);
  await field.focus();
  await send("DragEvent", "drop", "dataTransfer", `new File(["dropped"], "drop.log")`);
  await expect.poll(() => field.inputValue()).toContain("[drop.log](https:");
  await send("ClipboardEvent", "paste", "clipboardData", `new File([], "empty.txt")`);
  await page.getByText("empty.txt was not uploaded. The file is empty.").waitFor();
  ada.forgiveRefusals();
  await page.getByRole("button", { name: "Dismiss the message about empty.txt" }).click();
  await page.getByRole("button", { name: "Reply", exact: true }).click();
  const picture = page.getByRole("article").getByRole("img", { name: "dot.png" });
  await picture.waitFor();
  await expect
    .poll(() => page.evaluate("document.querySelector('article img[alt=\"dot.png\"]').naturalWidth"))
    .toBe(1);
  await page.getByRole("article").getByRole("link", { name: "note.txt" }).waitFor();
});

test("who manages the team pins, locks and deletes; others of the organization read", async () => {
  await page.getByRole("button", { name: "Pin" }).click();
  await page.getByText("Pinned.").waitFor();
  await page.getByRole("button", { name: "Lock" }).click();
  await page.getByRole("button", { name: "Unlock" }).waitFor();
  await bob.goto(board);
  await bob.page.getByRole("link", { name: "Who is on call?" }).waitFor();
  await lookAtPage(bob);
  expect(await bob.page.getByRole("link", { name: "New discussion" }).count()).toBe(0);
  await bob.page.getByRole("link", { name: "Who is on call?" }).click();
  await bob.page.getByText("This discussion is locked").waitFor();
  expect(await bob.page.getByRole("button", { name: "Edit" }).count()).toBe(0);
  await bob.goto(`${board}/new`);
  await bob.page.getByText("Only members of the team").waitFor();
  await page.getByRole("button", { name: "Delete" }).click();
  await page.getByRole("dialog").getByRole("button", { name: "Delete" }).click();
  await page.getByText("No discussions yet").waitFor();
});

test("those who manage the team choose where it is told; others see no such page", async () => {
  await page.getByRole("link", { name: "Overview" }).click();
  await page.getByRole("navigation", { name: "Team" }).getByRole("link", { name: "Notifications" }).click();
  await page.getByText("No rules: each member is told.").waitFor();
  await page.getByRole("button", { name: "Add a rule" }).click();
  await page.getByLabel("Tell").selectOption({ label: "The shared address" });
  await page.getByRole("button", { name: "Add a rule" }).click();
  await page.getByRole("button", { name: "Move rule 2 up" }).click();
  await lookAtPage(ada);
  await page.getByRole("button", { name: "Save" }).click();
  await page.getByText("Give the team an address first.", { exact: true }).waitFor();
  ada.forgiveRefusals();
  await page.getByLabel("Shared address").fill("core@example.org");
  await page.getByRole("button", { name: "Save" }).click();
  await page.getByText("Nobody has confirmed it yet").waitFor();
  // As if the first mail were some minutes old.
  await server.container.platform.db.query("update team_address_asks set at = at - interval '2 minutes'", []);
  await page.getByRole("button", { name: "Send the link again" }).click();
  await page.getByText("A mail with a link is on its way.").waitFor();
  await page.reload();
  await page.getByRole("group", { name: "Rule 2" }).waitFor();
  await expect
    .poll(() =>
      page.getByLabel("Tell").evaluateAll((all) => all.map((one) => (one as { value?: string }).value)),
    )
    .toEqual(["members", "address"]);
  await bob.goto("/orgs/acme/teams/core/nested");
  await bob.page.getByRole("link", { name: "Discussions" }).waitFor();
  expect(await bob.page.getByRole("navigation", { name: "Team" }).getByRole("link").count()).toBe(2);
});
