/** Adds Git to the Express application. */
import { Router } from "express";
import type { RequestContext } from "../../platform/http/request-context.ts";
import type { GitHttp } from "./git-http.ts";

export function createGitRouter(gitHttp: GitHttp): Router {
  const router = Router();
  router.use((req, res, next) => {
    if (!gitHttp.matches(req)) return next();
    res.locals["route"] = "git";
    return gitHttp.handle(req, res, res.locals["context"] as RequestContext);
  });
  return router;
}
