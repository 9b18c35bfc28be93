/** The page at `/` of an instance without the web interface. */
import { Router } from "express";
import { renderPage } from "../http/page.ts";
import { pageHeaders } from "../http/page-headers.ts";

export function createLandingPage(): Router {
  const router = Router();
  router.get("/", (_req, res) => {
    pageHeaders(res);
    res.type("html").send(renderPage({ title: "Welcome", body: landing, nav: [], current: "/" }));
  });
  return router;
}

const landing = `<h1>Forgeline</h1>
<p>This server hosts Git repositories and runs their pipelines. Use it with <code>git</code>, with the command line
<code>forgeline</code>, or through the <a href="/docs/api">REST API</a>.</p>
<ul><li><a href="/docs">Documentation</a></li><li><a href="/docs/errors">What an error means</a></li>
<li><a href="/api/v1/meta">About this instance</a></li></ul>`;
