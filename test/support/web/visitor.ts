/**
 * Chromium at a test server: people in windows of their own, and whatever went wrong in a page — messages of the console,
 * failed requests, what the Content-Security-Policy held back.
 */
import { join } from "node:path";
import type { Browser, BrowserContext, Page } from "playwright-core";
import { startApiServer, type ApiServer, type ApiServerOptions } from "../api-server.ts";
import { launchIsolated } from "./isolated/launch.ts";
import { rememberPage } from "./open-pages.ts";
import { watchForRest } from "./page-at-rest.ts";

export const webDirectory = join(import.meta.dirname, "../../../web/dist");

export interface Visitor {
  page: Page;
  context: BrowserContext;
  /** What went wrong so far. */
  troubles: string[];
  /**
   * What the server refused so far on this page was wanted. The browser notes each refusal a little after it came, so those of
   * this page are no trouble from now on, either.
   */
  forgiveRefusals(): void;
  /** Goes to a path of the instance and waits until nothing is fetched any more. */
  goto(path: string): Promise<void>;
  /** Goes there as a link of the page does: what the page has loaded stays. */
  follow(path: string): Promise<void>;
  /** Signs in without a page; the next one that is opened is this person's. */
  signIn(username: string, password: string): Promise<void>;
  /** The same as people do it, by the page. */
  signInByPage(username: string, password: string): Promise<void>;
  close(): Promise<void>;
}

export interface VisitorOptions {
  width?: number;
  height?: number;
  colorScheme?: "light" | "dark";
  /** Its pages look for news as seldom as people's do. */
  isMeasured?: boolean;
}

export const password = "correct horse battery staple";

/** An API server that serves the built pages. */
export function startWebServer(options: ApiServerOptions = {}): Promise<ApiServer> {
  return startApiServer({ ...options, env: { FORGELINE_WEB_DIR: webDirectory, ...options.env } });
}

/** Pages of tests live for a second or two: compiling their code for speed takes a fifth of a browser's time and never pays. */
const shortLived = "--js-flags=--no-opt,--no-maglev";

/** `isMeasured`: as quick as people's; `more`: further arguments. */
export async function openChromium(
  more: readonly string[] = [],
  { isMeasured = false } = {},
): Promise<Browser> {
  return launchIsolated(["--no-sandbox", "--disable-gpu", ...(isMeasured ? [] : [shortLived]), ...more]);
}

/**
 * Run by a page before its own scripts: what looks for news every few seconds does so often. What does so every few
 * minutes is left alone: it stands on every page, and no test waits for it.
 */
function quickIntervals(): void {
  const usual = globalThis.setInterval;
  const quick = (work: () => void, ms = 0) => usual(work, ms < 2_000 || ms > 60_000 ? ms : 400);
  globalThis.setInterval = quick as typeof setInterval;
}

export async function openVisitor(
  browser: Browser,
  webUrl: string,
  { width = 1280, height = 900, colorScheme = "light", isMeasured = false }: VisitorOptions = {},
): Promise<Visitor> {
  const context = await browser.newContext({
    ignoreHTTPSErrors: true,
    viewport: { width, height },
    colorScheme,
    reducedMotion: "reduce",
  });
  if (!isMeasured) await context.addInitScript(quickIntervals);
  const page = await context.newPage();
  const rest = watchForRest(page);
  const troubles: string[] = [];
  rememberPage(page, troubles);
  let forgives = false;
  page.on("domcontentloaded", () => {
    forgives = false;
  });
  const note = (trouble: string) => {
    if (forgives && isRefusal(trouble)) return;
    troubles.push(trouble);
  };
  page.on("console", (message) => {
    if (message.type() === "error" || message.type() === "warning") note(`console: ${message.text()}`);
  });
  page.on("pageerror", (error) => note(`error: ${error.message}`));
  page.on("requestfailed", (request) => {
    if (request.failure()?.errorText !== "net::ERR_ABORTED")
      note(`failed: ${request.url()} ${request.failure()?.errorText}`);
  });
  const visit = async (path: string): Promise<void> => {
    await page.goto(`${webUrl}${path}`, { timeout: 20_000 });
    await rest.wait(20_000);
  };
  const follow = async (path: string): Promise<void> => {
    await page.evaluate(
      `history.pushState(history.state, "", ${JSON.stringify(path)}); dispatchEvent(new PopStateEvent("popstate"))`,
    );
    await rest.wait(20_000);
  };
  const signInByPage = async (username: string, word: string): Promise<void> => {
    await visit("/login");
    await page.getByLabel("User name").fill(username);
    await page.getByLabel("Password").fill(word);
    await page.getByRole("button", { name: "Sign in" }).click();
    await page.getByRole("button", { name: "Your account" }).waitFor({ timeout: 20_000 });
  };
  const signIn = async (username: string, word: string) => {
    const request = { data: { username, password: word }, headers: { Origin: webUrl } };
    const answer = await context.request.post(`${webUrl}/api/v1/user/sessions`, request);
    if (answer.status() !== 201) throw new Error(`${username} is not signed in: ${await answer.text()}`);
  };
  return {
    page,
    context,
    troubles,
    forgiveRefusals() {
      forgives = true;
      troubles.splice(0, Infinity, ...troubles.filter((trouble) => !isRefusal(trouble)));
    },
    goto: visit,
    follow,
    signIn,
    signInByPage,
    close: () => context.close(),
  };
}

/** What Chromium writes into the console about an answer of 400 to 499. */
function isRefusal(trouble: string): boolean {
  return /^console: Failed to load resource: .* status of 4\d\d/.test(trouble);
}
