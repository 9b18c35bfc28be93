/**
 * Rows 60 and 63 to 66 of the table of threats, as a whole and in a real browser: pages of others, bytes and names that users
 * made do nothing. Says also of every page there is that nothing is wrong in its console.
 */
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import type { Browser, BrowserContext, Page } from "playwright-core";
import { logWatchPath } from "@forgeline/schemas/logs/routes.ts";
import type { ApiServer } from "../support/api-server.ts";
import { databaseState, type DatabaseState } from "../support/database-state.ts";
import { attack, frameAll, openSocket } from "../support/web/foreign-page.ts";
import { consentPath, otherPages, pagesWithNames } from "../support/web/hostile-pages.ts";
import { evil, makeHostileWorld, type HostileWorld } from "../support/web/hostile-world.ts";
import { openChromium, openVisitor, password, startWebServer, type Visitor } from "../support/web/visitor.ts";

/** Another site; and another port of the same host, to which browsers send cookies that are for one site. */
const foreignOrigins = ["https://evil.example", "https://localhost:9443"];

describe("in the browser of somebody who is signed in", () => {
  let server: ApiServer;
  let browser: Browser;
  let world: HostileWorld;
  let ada: Visitor;
  let content: DatabaseState;
  const said: string[] = [];

  beforeAll(async () => {
    [server, browser] = await Promise.all([
      startWebServer({ env: { FORGELINE_LIMIT_CORE: "100000" } }),
      // Else it asks the person before any page of the network asks something of this machine.
      openChromium(["--disable-features=LocalNetworkAccessChecks,PrivateNetworkAccessForNavigations"]),
    ]);
    world = await makeHostileWorld(server);
    ada = await openVisitor(browser, server.webUrl);
    await ada.signIn("ada", password);
    content = await databaseState(server.database);
    noteDialogs(ada.context);
    for (const origin of foreignOrigins)
      await ada.context.route(`${origin}/**`, (route) =>
        route.fulfill({ contentType: "text/html", body: "<title>foreign</title><body></body>" }),
      );
  });
  afterAll(async () => {
    await browser?.close();
    await content?.close();
    await world?.code.client.remove();
    await server?.stop();
  });

  const noteDialogs = (context: BrowserContext) =>
    context.on("dialog", (dialog) => {
      said.push(`${dialog.type()}: ${dialog.message()} on ${dialog.page()?.url()}`);
      void dialog.dismiss();
    });

  async function openForeign(origin: string): Promise<Page> {
    const page = await ada.context.newPage();
    await page.goto(`${origin}/`);
    return page;
  }

  test.for(foreignOrigins)(
    "forms and requests of a page of %s change nothing and tell it nothing",
    async (origin) => {
      await content.changed();
      const page = await openForeign(origin);
      const answers: { status: number; hasCookie: boolean }[] = [];
      page.on("response", async (answer) => {
        if (answer.request().method() === "GET") return;
        const hasCookie = "cookie" in (await answer.request().allHeaders());
        answers.push({ status: answer.status(), hasCookie });
      });
      const read = await page.evaluate<string[]>(`(${attack})(${JSON.stringify(server.webUrl)})`);
      await expect.poll(() => answers.length).toBeGreaterThanOrEqual(12);
      expect(answers.filter(({ status }) => status < 400)).toEqual([]);
      expect(answers.some(({ hasCookie }) => hasCookie)).toBe(origin.includes("localhost"));
      expect(read).toEqual([]);
      expect(await content.changed()).toEqual([]);
      await page.close();
    },
  );

  test.for(foreignOrigins)(
    "a page of %s can neither frame nor hold a page, nor open a socket",
    async (origin) => {
      const page = await openForeign(origin);
      const refusals: string[] = [];
      page.on("console", (message) => refusals.push(message.text()));
      const framed = [
        "/",
        "/settings/tokens",
        consentPath(world),
        "/api/v1/user",
        "/api/v1/repos/ada/code/raw/main/src/script.html",
      ];
      const addresses = framed.map((path) => server.webUrl + path);
      await page.evaluate(`(${frameAll})(${JSON.stringify(addresses)})`);
      // Chromium's own page about what it does not show.
      const shown = () =>
        page
          .frames()
          .slice(1)
          .map((frame) => frame.url());
      await expect.poll(shown).toEqual(framed.map(() => "chrome-error://chromewebdata/"));
      const [popup] = await Promise.all([
        page.waitForEvent("popup"),
        page.evaluate("void (globalThis.opened = open(" + JSON.stringify(`${server.webUrl}/settings`) + "))"),
      ]);
      await popup.getByRole("heading", { level: 1 }).waitFor();
      expect(await page.evaluate("opened.closed")).toBe(true);
      await popup.close();
      const watch = `${world.runPath.replace("/ada/runs", "/repos/ada/runs")}/logs/stream`;
      expect(watch).toMatch(new RegExp(`^${logWatchPath.replaceAll(/:\w+/g, "[^/]+")}$`));
      for (const path of [watch, "/runners/connect"]) {
        const address = `${server.webUrl.replace("https", "wss")}/api/v1${path}`;
        expect(await page.evaluate(`(${openSocket})(${JSON.stringify(address)})`)).toBe("error");
      }
      const handshakes = refusals.filter((words) => words.includes("Unexpected response code: 4"));
      expect(handshakes).toHaveLength(2);
      await page.close();
    },
  );

  test("bytes that users made are no page when they are opened", async () => {
    const raw = "/api/v1/repos/ada/code/raw/main";
    const { json: user } = await server.api("GET", "/users/ada");
    for (const address of [
      `${raw}/src/script.html`,
      `${raw}/docs/logo.svg`,
      `${raw}/README.md`,
      `${raw}/src/data.bin`,
      "/api/v1/repos/ada/code/zipball/main",
      "/api/v1/repos/ada/code/contents/src/script.html",
      "/api/v1/repos/ada/code",
      `/api/v1/repos${world.runPath}/logs`,
      new URL(user.avatar_url).pathname,
      `/api/v1/repos/ada/code/raw/${encodeURIComponent(evil)}/x`,
    ]) {
      const { headers } = await server.api("GET", `/${address}`, { token: world.code.ada.token });
      expect([address, headers]).toEqual([
        address,
        expect.objectContaining({
          "x-content-type-options": "nosniff",
          "cross-origin-resource-policy": "same-origin",
          "content-security-policy": expect.stringMatching(/^default-src 'none'; sandbox; /),
        }),
      ]);
      const page = await ada.context.newPage();
      const asked: string[] = [];
      page.on("request", (request) => asked.push(new URL(request.url()).pathname));
      const download = page.waitForEvent("download").catch(() => undefined);
      const isPage = await page.goto(server.webUrl + address).then(
        () => true,
        () => false,
      );
      const opened = isPage ? await page.evaluate(whatItCanDo) : (await download) && "download";
      expect([["null", "no cookie", ""], "download"]).toContainEqual(opened);
      expect(asked.filter((path) => path !== "/favicon.ico")).toEqual([
        new URL(server.webUrl + address).pathname,
      ]);
      await page.close();
    }
    expect(said).toEqual([]);
  });

  test("names and texts of users stay text on every page, and nothing is wrong in any", async () => {
    const cookies = await ada.context.cookies();
    const named = pagesWithNames(world);
    const left = [...named, ...otherPages(world)];
    const shown = new Set<string>();
    const wrong: string[] = [];
    await Promise.all(
      Array.from({ length: 2 }, async () => {
        const visitor = await openVisitor(browser, server.webUrl);
        noteDialogs(visitor.context);
        await visitor.context.addCookies(cookies);
        await visitor.goto("/");
        for (let path = left.shift(); path !== undefined; path = left.shift()) {
          await (named.includes(path) ? visitor.goto(path) : visitor.follow(path));
          await visitor.page.getByRole("heading").first().waitFor();
          const { text, markup } = await visitor.page.evaluate<{ text: string; markup: string[] }>(
            whatIsThere,
          );
          // Once by the announcement, which stands above every page.
          if (text.split("onerror=alert(").length > 2) shown.add(path);
          wrong.push(...[...markup, ...visitor.troubles.splice(0)].map((words) => `${path}: ${words}`));
        }
        await visitor.close();
      }),
    );
    expect(said).toEqual([]);
    expect(wrong).toEqual([]);
    expect(named.filter((path) => !shown.has(path))).toEqual([]);
  }, 180_000);
});

/** Its origin, its cookies, and what its title became. */
const whatItCanDo = `(() => {
  const cookies = (() => { try { return document.cookie || "no cookie"; } catch { return "no cookie"; } })();
  return [self.origin, cookies, document.title];
})()`;

const whatIsThere = `({
  text: (document.querySelector("main") ?? document.body).innerText,
  markup: [...document.querySelectorAll("script:not([src^='/assets/']), [onerror], [onload], [onmouseover], iframe:not([sandbox='allow-scripts']), object, embed, a[href^='javascript:' i]")]
    .map((element) => element.outerHTML.slice(0, 160)),
})`;
