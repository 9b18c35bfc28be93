/**
 * All documentation pages, rendered once, at the first request: the Markdown of `docs/` (working papers excepted) with its
 * pictures, and the API page.
 */
import { createHash } from "node:crypto";
import { readdir, readFile } from "node:fs/promises";
import { join, relative, sep } from "node:path";
import type { OpenApiDocument } from "../openapi/openapi.ts";
import { renderApiPage } from "./api-page.ts";
import { pageAddress, renderMarkdown } from "./markdown.ts";
import { renderPage } from "../http/page.ts";
import { readNavigation } from "./navigation.ts";
import { styleSheet } from "./style.ts";

export interface DocsFile {
  type: string;
  content: string | Buffer;
  etag: string;
}

/** Path (`/docs/errors`) → file. */
export type DocsSite = ReadonlyMap<string, DocsFile>;

const privateFolders = new Set(["plans"]);

export async function buildDocsSite(options: {
  directory: string;
  openApi: OpenApiDocument;
  pipelineSchemaFile: string;
}): Promise<DocsSite> {
  const pages = new Map<string, { title: string; html: string }>();
  for (const file of await filesEnding(options.directory, ".md")) {
    const name = relative(options.directory, file).split(sep).join("/");
    pages.set(pageAddress(name), renderMarkdown(await readFile(file, "utf8"), name));
  }
  pages.set("/docs/api", { title: "REST API", html: renderApiPage(options.openApi) });
  const nav = readNavigation(pages.get("/docs")?.html ?? "", pages);

  const site = new Map<string, DocsFile>();
  for (const [path, { title, html }] of pages)
    site.set(path, file("text/html; charset=utf-8", renderPage({ title, body: html, nav, current: path })));
  site.set("/docs/style.css", file("text/css; charset=utf-8", styleSheet));
  const schema = await readFile(options.pipelineSchemaFile, "utf8").catch(ignoreMissing);
  if (schema !== undefined)
    site.set("/docs/schemas/pipeline-1.json", file("application/schema+json; charset=utf-8", schema));
  for (const picture of await filesEnding(options.directory, ".png")) {
    const name = relative(options.directory, picture).split(sep).join("/");
    site.set(`/docs/${name}`, file("image/png", await readFile(picture)));
  }
  return site;
}

function file(type: string, content: string | Buffer): DocsFile {
  const etag = `"${createHash("sha256").update(content).digest("base64url").slice(0, 32)}"`;
  return { type, content, etag };
}

async function filesEnding(directory: string, ending: string): Promise<string[]> {
  const entries = await readdir(directory, { withFileTypes: true }).catch(ignoreMissing);
  const found: string[] = [];
  for (const entry of entries ?? []) {
    if (entry.isDirectory() && !privateFolders.has(entry.name))
      found.push(...(await filesEnding(join(directory, entry.name), ending)));
    else if (entry.isFile() && entry.name.endsWith(ending)) found.push(join(directory, entry.name));
  }
  return found.sort();
}

function ignoreMissing(error: NodeJS.ErrnoException): undefined {
  if (error.code !== "ENOENT") throw error;
  return undefined;
}
