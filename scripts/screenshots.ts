/**
 * `npm run screenshots`: pictures of every page, in light and dark, on a desktop and a phone, into `web/screenshots/`; those
 * that the documentation shows go into `docs/screenshots/`. Needs a running instance of this checkout (`npm start`) and Chromium.
 */
import { copyFile, mkdir, readFile } from "node:fs/promises";
import { join } from "node:path";
import { chromium, type Browser, type Page } from "playwright-core";
import { pathOf } from "../test/support/programs/needs.ts";
import { picturedPages, type PicturedPage } from "./screenshots/pages.ts";

const checkout = join(import.meta.dirname, "..");
const output = join(checkout, "web", "screenshots");
const docs = join(checkout, "docs", "screenshots");
const sizes = { desktop: { width: 1280, height: 860 }, phone: { width: 360, height: 740 } };
const schemes = ["light", "dark"] as const;

interface Connection {
  web_url: string;
  admin: { username: string; password: string };
}

const home = process.env["FORGELINE_HOME"] ?? join(checkout, ".forgeline");
const connection = await readFile(join(home, "connection.json"), "utf8").then(
  (text) => JSON.parse(text) as Connection,
  () => undefined,
);
if (!connection) {
  console.error(`No instance is running (no ${join(home, "connection.json")}): start one with npm start.`);
  process.exit(1);
}
await mkdir(output, { recursive: true });
await mkdir(docs, { recursive: true });
const browser = await chromium.launch({
  executablePath: pathOf("chromium-headless-shell"),
  args: ["--no-sandbox", "--disable-gpu"],
});
try {
  for (const size of ["desktop", "phone"] as const)
    for (const colorScheme of schemes) await picture(browser, connection, { size, colorScheme });
} finally {
  await browser.close();
}

async function picture(
  chromiumBrowser: Browser,
  { web_url, admin }: Connection,
  { size, colorScheme }: { size: keyof typeof sizes; colorScheme: (typeof schemes)[number] },
): Promise<void> {
  const context = await chromiumBrowser.newContext({
    ignoreHTTPSErrors: true,
    viewport: sizes[size],
    colorScheme,
    reducedMotion: "reduce",
  });
  const page = await context.newPage();
  const shoot = async (pictured: PicturedPage) => {
    await visit(page, new URL(pictured.path, web_url).href);
    await page.locator("main h1, main h2").first().waitFor();
    const name = `${pictured.name}-${size}-${colorScheme}.png`;
    await page.screenshot({ path: join(output, name), fullPage: size === "phone" });
    if (pictured.inDocs && size === "desktop" && colorScheme === "light")
      await copyFile(join(output, name), join(docs, `${pictured.name}.png`));
    console.log(join("web", "screenshots", name));
  };
  const pages = picturedPages(`${admin.username}/hello`);
  for (const pictured of pages.filter(({ isPublic }) => isPublic)) await shoot(pictured);
  await page.goto(new URL("/login", web_url).href);
  await page.getByLabel("User name").fill(admin.username);
  await page.getByLabel("Password", { exact: true }).fill(admin.password);
  await page.getByRole("button", { name: "Sign in", exact: true }).click();
  await page.getByRole("button", { name: "Your account" }).waitFor();
  for (const pictured of pages.filter(({ isPublic }) => !isPublic)) await shoot(pictured);
  await context.close();
}

/** Once more when the machine's networks changed meanwhile, as each container of a run makes them: Chromium then cuts all. */
async function visit(page: Page, address: string, triesLeft = 3): Promise<void> {
  try {
    await page.goto(address, { waitUntil: "networkidle" });
  } catch (error) {
    if (triesLeft === 0 || !String(error).includes("ERR_NETWORK_CHANGED")) throw error;
    await visit(page, address, triesLeft - 1);
  }
}
