/** Serves the documentation, the landing page and `/downloads/`; all of it is public and needs no script. */
import express, { Router, type Response } from "express";
import { AppError } from "../../platform/app-error.ts";
import { matchesEtag } from "../../http/etag.ts";
import { renderPage } from "./page.ts";
import type { DocsSite } from "./site.ts";

const contentPolicy =
  "default-src 'none'; style-src 'self'; img-src 'self'; base-uri 'none'; form-action 'none'; frame-ancestors 'none'";

export function createDocsRouter(deps: { site: DocsSite; downloadsDir: string | undefined }): Router {
  const router = Router();
  router.get("/", (_req, res) => {
    pageHeaders(res);
    res.type("html").send(renderPage({ title: "Welcome", body: landing, nav: [], current: "/" }));
  });
  router.get(["/docs", "/docs/*path"], (req, res) => {
    const file = deps.site.get(req.path.replace(/(?<=.)\/$/, ""));
    if (!file) throw new AppError("not_found", { message: "There is no such page; /docs lists them." });
    pageHeaders(res);
    res.setHeader("ETag", file.etag);
    if (matchesEtag(req.headers["if-none-match"], file.etag)) {
      res.status(304).end();
      return;
    }
    res.setHeader("Content-Type", file.type);
    res.end(file.content);
  });
  if (deps.downloadsDir !== undefined)
    router.use(
      "/downloads",
      express.static(deps.downloadsDir, {
        index: false,
        redirect: false,
        dotfiles: "ignore",
        fallthrough: true,
        cacheControl: false,
      }),
    );
  return router;
}

/** Of every page for people: no script, nothing from elsewhere. */
export function pageHeaders(res: Response): void {
  res.setHeader("Content-Security-Policy", contentPolicy);
  res.setHeader("Cache-Control", "no-cache");
}

const landing = `<h1>Forgeline</h1>
<p>This server hosts Git repositories and runs their pipelines. Use it with <code>git</code>, with the command line
<code>forgeline</code>, or through the <a href="/docs/api">REST API</a>.</p>
<ul><li><a href="/docs">Documentation</a></li><li><a href="/docs/errors">What an error means</a></li>
<li><a href="/api/v1/meta">About this instance</a></li></ul>`;
