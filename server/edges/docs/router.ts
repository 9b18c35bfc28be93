/** Serves the documentation and `/downloads/`; all of it is public and needs no script. */
import express, { Router } from "express";
import { AppError } from "../../platform/app-error.ts";
import { matchesEtag } from "../../platform/http/etag.ts";
import { pageHeaders } from "../http/page-headers.ts";
import type { DocsSite } from "./site.ts";

export function createDocsRouter(deps: {
  site: () => Promise<DocsSite>;
  downloadsDir: string | undefined;
}): Router {
  const router = Router();
  router.get(["/docs", "/docs/*path"], async (req, res) => {
    const site = await deps.site();
    const file = site.get(req.path.replace(/(?<=.)\/$/, ""));
    if (!file)
      throw new AppError("not_found", {
        message: "This page does not exist; see /docs for a list of pages.",
      });
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
