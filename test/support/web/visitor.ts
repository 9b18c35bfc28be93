/**
 * Chromium at a test server: people in windows of their own, and whatever went wrong in a page — messages of the console,
 * failed requests, what the Content-Security-Policy held back.
 */
import { networkInterfaces } from "node:os";
import { join } from "node:path";
import { setTimeout } from "node:timers/promises";
import { chromium, type Browser, type BrowserContext, type Page } from "playwright-core";
import { startApiServer, type ApiServer, type ApiServerOptions } from "../api-server.ts";
import { pathOf } from "../programs/needs.ts";
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
  return chromium.launch({
    executablePath: pathOf("chromium-headless-shell"),
    args: ["--no-sandbox", "--disable-gpu", ...(isMeasured ? [] : [shortLived]), ...more],
  });
}

/** Run by a page before its own scripts: what looks for news every few seconds does so often. */
function quickIntervals(): void {
  const usual = globalThis.setInterval;
  const quick = (work: () => void, ms = 0) => usual(work, ms < 2_000 ? ms : 400);
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
  let networkChanges = 0;
  let forgives = false;
  page.on("domcontentloaded", () => {
    forgives = false;
  });
  const note = (trouble: string) => {
    if (forgives && isRefusal(trouble)) return;
    // Another test made or removed a Docker network, and Chromium cuts what is under way.
    if (/ERR_NETWORK_CHANGED|Unable to preload CSS/.test(trouble)) networkChanges += 1;
    else troubles.push(trouble);
  };
  page.on("console", (message) => {
    if (message.type() === "error" || message.type() === "warning") note(`console: ${message.text()}`);
  });
  page.on("pageerror", (error) => note(`error: ${error.message}`));
  page.on("requestfailed", (request) => {
    if (request.failure()?.errorText !== "net::ERR_ABORTED")
      note(`failed: ${request.url()} ${request.failure()?.errorText}`);
  });
  /** Again when a change of the network cut something: what is cut of the page's own script leaves it empty. */
  const visit = async (path: string, triesLeft = 15): Promise<void> => {
    const [changes, known] = [networkChanges, troubles.length];
    const failure = await page
      .goto(`${webUrl}${path}`, { timeout: 20_000 })
      .then(() => rest.wait(20_000))
      .catch((error: unknown) => error);
    const wasCut = networkChanges !== changes || isOfErrorPage(failure);
    if (!wasCut || triesLeft === 0) {
      if (failure !== undefined) throw failure;
      return;
    }
    troubles.length = known;
    await addressesAtRest();
    await visit(path, triesLeft - 1);
  };
  /** Again when a change of the network cut the request, or made the page load anew, which empties its fields. */
  const signInByPage = async (username: string, word: string, triesLeft = 4): Promise<void> => {
    const changes = networkChanges;
    await visit("/login");
    await page.getByLabel("User name").fill(username);
    await page.getByLabel("Password").fill(word);
    await page.getByRole("button", { name: "Sign in" }).click();
    const account = page.getByRole("button", { name: "Your account" });
    const problem = page.getByRole("alert").first();
    const signedIn = await account
      .or(problem)
      .first()
      .waitFor({ timeout: 20_000 })
      .then(() => account.isVisible())
      .catch(() => false);
    if (signedIn) return;
    if (networkChanges === changes || triesLeft === 0)
      throw new Error(`${username} is not signed in: ${await page.locator("body").innerText()}`);
    await signInByPage(username, word, triesLeft - 1);
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
    signIn,
    signInByPage,
    close: () => context.close(),
  };
}

/** The last: a page whose script was cut loads itself anew. */
const cutNavigation = /chrome-error:|ERR_NETWORK_CHANGED|interrupted by another navigation/;

/** What Chromium writes into the console about an answer of 400 to 499. */
function isRefusal(trouble: string): boolean {
  return /^console: Failed to load resource: .* status of 4\d\d/.test(trouble);
}

/** Chromium's own page about a cut address comes when it likes, also between a navigation and the next. */
function isOfErrorPage(failure: unknown): boolean {
  return failure instanceof Error && cutNavigation.test(failure.message);
}

/** Until the machine's addresses stay for a moment as they are: whole tests of faults make and remove networks meanwhile. */
async function addressesAtRest(): Promise<void> {
  for (
    let before = "", now = addresses(), looks = 0;
    now !== before && looks < 20;
    now = addresses(), looks++
  ) {
    before = now;
    await setTimeout(250);
  }
}

function addresses(): string {
  return JSON.stringify(networkInterfaces());
}
