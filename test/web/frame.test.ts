/** The frame of the web interface: signing in, what holds of every page, and what is told when things go wrong. */
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import type { Browser } from "playwright-core";
import type { ApiServer } from "../support/api-server.ts";
import { openBrowser, signUp } from "../support/browser.ts";
import { lookAtPage } from "../support/web/look-at-page.ts";
import { tabFindings } from "../support/web/tab-through-page.ts";
import { closeWindows, sharedChromium } from "../support/web/shared-chromium.ts";
import { openVisitor, password, startWebServer, type Visitor } from "../support/web/visitor.ts";

describe("the frame", () => {
  let server: ApiServer;
  let browser: Browser;
  let ada: Visitor;

  beforeAll(async () => {
    [server, browser] = await Promise.all([startWebServer(), sharedChromium()]);
    await signUp(server, "ada", password);
    ada = await openVisitor(browser, server.webUrl);
    await ada.signIn("ada", password);
  });
  afterAll(async () => {
    await closeWindows(browser);
    await server?.stop();
  });

  test.for(["/", "/-/components"])("%s is a good page", async (path) => {
    await ada.goto(path);
    await ada.page
      .getByRole("heading", { level: 1 })
      .or(ada.page.getByRole("heading", { level: 2 }))
      .first()
      .waitFor();
    await lookAtPage(ada);
  });

  test("what a keyboard does not reach or show, and what keeps it, is found by looking at a page", async () => {
    await ada.goto("/-/components");
    await ada.page.getByRole("heading", { name: "Components" }).waitFor();
    // The last that comes by itself.
    await ada.page.getByText("Text of the diagram").waitFor();
    await ada.page.evaluate(`document.querySelector("main").insertAdjacentHTML("afterbegin",
      '<button tabindex=-1>beyond</button><a id=unseen href="/">unseen</a>'); document.getElementById("unseen").style.outline = "none"`);
    const found = await tabFindings(ada.page);
    expect(found.map((finding) => finding.split(": ")[0])).toEqual([
      "focus is not seen",
      "Tab does not reach",
    ]);
    await ada.page.evaluate(
      `document.getElementById("unseen").addEventListener("keydown", (event) => event.preventDefault())`,
    );
    expect((await tabFindings(ada.page))[0]).toMatch("Tab does not come to the end");
  });

  test("what is hidden looks like what is absent", async () => {
    const bob = await server.person("bob");
    await server.api("POST", "/repos", { token: bob.token, body: { name: "secret", visibility: "private" } });
    const seen: string[] = [];
    let refused = 0;
    ada.page.on("response", (answer) => (refused += answer.status() === 404 ? 1 : 0));
    for (const path of ["/bob/secret", "/bob/absent"]) {
      refused = 0;
      await ada.goto(path);
      await ada.page.getByRole("heading", { name: "Nothing here" }).waitFor();
      // The browser notes every answer of 404, each a little after it came.
      await expect.poll(() => ada.troubles.length).toBe(refused);
      expect(ada.troubles.splice(0).every((trouble) => trouble.includes("404"))).toBe(true);
      await lookAtPage(ada);
      seen.push(await ada.page.locator("main").innerHTML());
    }
    expect(seen[0]).toBe(seen[1]);
  });

  test("a visitor is asked to sign in, and comes back to where they wanted to go", async () => {
    const visitor = await openVisitor(browser, server.webUrl);
    await visitor.goto("/login?next=%2F-%2Fcomponents%3Fx%3D1");
    await visitor.page.getByLabel("User name").waitFor();
    await lookAtPage(visitor);
    await visitor.page.getByLabel("User name").fill("ada");
    await visitor.page.getByLabel("Password").fill("not the password");
    await visitor.page.getByRole("button", { name: "Sign in" }).click();
    await visitor.page.getByRole("alert").waitFor();
    expect(await visitor.page.getByLabel("User name").inputValue()).toBe("ada");
    await visitor.page.getByLabel("Password").fill(password);
    await visitor.page.getByRole("button", { name: "Sign in" }).click();
    await visitor.page.waitForURL(`${server.webUrl}/-/components?x=1`);
    await visitor.close();
  });

  test("the address to go to after signing in stays on this instance", async () => {
    const visitor = await openVisitor(browser, server.webUrl);
    await visitor.goto(`/login?next=${encodeURIComponent("https://evil.example/")}`);
    await visitor.page.getByLabel("User name").fill("ada");
    await visitor.page.getByLabel("Password").fill(password);
    await visitor.page.getByRole("button", { name: "Sign in" }).click();
    await visitor.page.waitForURL(`${server.webUrl}/`);
    await visitor.close();
  });

  test("a session that ends is asked for above the page, and what was typed stays", async () => {
    const visitor = await openVisitor(browser, server.webUrl);
    await visitor.signIn("ada", password);
    await visitor.goto("/-/components");
    await visitor.page.getByLabel("A longer text").fill("half a thought");
    await visitor.context.clearCookies();
    // The palette asks for repositories.
    await visitor.page.getByRole("button", { name: "Go to…" }).click();
    const dialog = visitor.page.getByRole("dialog", { name: "Your session has ended" });
    await dialog.waitFor();
    await dialog.getByLabel("Password").fill(password);
    await dialog.getByRole("button", { name: "Sign in" }).click();
    await dialog.waitFor({ state: "detached" });
    expect(await visitor.page.getByLabel("A longer text").inputValue()).toBe("half a thought");
    await visitor.close();
  });

  test("a lost connection is told and found again", async () => {
    const visitor = await openVisitor(browser, server.webUrl);
    await visitor.signIn("ada", password);
    await visitor.goto("/");
    await visitor.context.setOffline(true);
    await visitor.page.getByRole("button", { name: "Go to…" }).click();
    await visitor.page.getByText("No connection to the server").waitFor();
    await visitor.context.setOffline(false);
    await visitor.page.getByText("No connection to the server").waitFor({ state: "detached" });
    await visitor.close();
  });

  test("the palette leads to a page by the keyboard alone", async () => {
    await ada.goto("/-/components");
    await ada.page.keyboard.press("Control+k");
    await ada.page.getByPlaceholder("Go to a page or a repository").fill("home");
    await ada.page.keyboard.press("Enter");
    await ada.page.waitForURL(`${server.webUrl}/`);
  });

  test("keys lead to pages, say what they do, and can be turned off", async () => {
    const { page } = ada;
    await ada.goto("/-/components");
    // Its style sheet does not come at first.
    await page.route(/assets\/shortcuts-dialog-.*\.css/, (route) => route.abort(), { times: 1 });
    await page.keyboard.press("?");
    const help = page.getByRole("dialog", { name: "Keyboard shortcuts" });
    await help.getByText("g h").waitFor();
    const display = "getComputedStyle(document.querySelector('dialog dl')).display";
    await expect.poll(() => page.evaluate(display)).toBe("grid");
    await expect.poll(() => ada.troubles.join()).toContain("shortcuts-dialog");
    ada.troubles.length = 0;
    await lookAtPage(ada);
    await help.getByLabel("Single-key shortcuts").uncheck();
    await page.keyboard.press("Escape");
    await help.waitFor({ state: "detached" });
    await page.keyboard.type("gh?");
    await page.keyboard.press("Control+k");
    await page.getByPlaceholder("Go to a page or a repository").fill("settings access tok");
    await page.keyboard.press("Enter");
    await page.waitForURL(`${server.webUrl}/settings/tokens`);
    expect(await help.count()).toBe(0);
    await page.evaluate("localStorage.clear()");
    await page.keyboard.type("gh");
    await page.waitForURL(`${server.webUrl}/`);
  });

  test("an empty repository leads to its first push, and shows it without a reload", async () => {
    const person = openBrowser(server);
    await person.signIn("ada", password);
    await person.send("POST", "/repos", { name: "fresh" });
    await ada.goto("/ada/fresh");
    await ada.page.getByText("git push --set-upstream origin main").first().waitFor();
    await lookAtPage(ada);
    const token = await ada.page.getByRole("link", { name: "Create a token for Git" }).getAttribute("href");
    await ada.goto("/ada/fresh/commits");
    await ada.page.getByRole("heading", { name: "Nothing here yet" }).waitFor();
    await ada.goto(token ?? "");
    await expect.poll(() => ada.page.getByLabel("repo:write").isChecked()).toBe(true);
    expect(await ada.page.getByRole("checkbox", { checked: true }).count()).toBe(1);
    await ada.goto("/ada/fresh");
    await ada.page.getByText("Push something").waitFor();
    const content = Buffer.from("# Words of the first push").toString("base64");
    const body = { message: "Begin", branch: "main", content };
    expect((await person.send("PUT", "/repos/ada/fresh/contents/README.md", body)).status).toBe(200);
    await ada.page.getByRole("heading", { name: "Words of the first push" }).waitFor();
    await ada.page.getByRole("link", { name: "Begin", exact: true }).waitFor();
    // The repository is private: without the session it is not there, and that is told as what it is.
    await ada.goto("/ada/fresh/edit/main/README.md");
    await ada.page.getByLabel("Content").fill("half a thought");
    await ada.context.clearCookies();
    await ada.page.getByRole("button", { name: "Save" }).click();
    const ended = ada.page.getByRole("dialog", { name: "Your session has ended" });
    await ended.getByLabel("Password").fill(password);
    await ended.getByRole("button", { name: "Sign in" }).click();
    await ended.waitFor({ state: "detached" });
    expect(await ada.page.getByLabel("Content").inputValue()).toBe("half a thought");
    await ada.page.getByRole("button", { name: "Save" }).click();
    await ada.page.waitForURL(`${server.webUrl}/ada/fresh/blob/main/README.md`);
    ada.troubles.length = 0;
  });

  test("the page may run no script but ours and be in nobody's frame; assets are kept for ever and come compressed", async () => {
    const page = await server.api("GET", "//", { headers: { Accept: "text/html" } });
    expect(page.status).toBe(200);
    const policy = String(page.headers["content-security-policy"]);
    expect(policy).toContain("default-src 'none'; script-src 'self';");
    expect(policy).toContain("frame-ancestors 'none'");
    expect(policy).not.toContain("unsafe");
    expect(page.headers["x-frame-options"]).toBe("DENY");
    const nonce = /'nonce-([^']+)'/.exec(policy)?.[1] ?? "";
    expect(page.text).toContain(`content="${nonce}"`);
    expect(page.text).not.toMatch(/<script(?![^>]*\bsrc="\/assets\/)/);
    const script = /src="(\/assets\/[^"]+)"/.exec(page.text)?.[1] ?? "";
    const asset = await server.api("GET", `/${script}`, {
      headers: { "Accept-Encoding": "gzip, deflate, br, zstd" },
    });
    expect(asset.status).toBe(200);
    expect(asset.headers["content-encoding"], "as Chromium asks").toBe("br");
    const older = await server.api("GET", `/${script}`, { headers: { "Accept-Encoding": "gzip, br;q=0" } });
    expect(older.headers["content-encoding"]).toBe("gzip");
    expect(asset.headers["cache-control"]).toContain("immutable");
    expect((await server.api("GET", "//assets/../server/main.ts")).status).toBe(404);
    expect((await server.api("GET", "//", { headers: { Accept: "application/json" } })).status).toBe(404);
  });
});
