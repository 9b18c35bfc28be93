/**
 * Serves the web interface: `/assets/` to be kept forever (the names hold a hash), and the one page at every other address that
 * a browser opens. The page itself requests what the address names, so it is the same for hidden, absent and existing records.
 */
import { randomBytes } from "node:crypto";
import { Router, type Response } from "express";
import { AppError } from "../../platform/app-error.ts";
import { readSessionCookie } from "../../platform/credentials/session-cookie.ts";
import type { WebAsset, WebSite } from "./site.ts";

const yearSeconds = 365 * 24 * 3600;

export function createWebRouter(site: WebSite): Router {
  const router = Router();
  router.get("/assets/*path", (req, res) => {
    res.locals["route"] = "web-asset";
    const asset = site.assets.get(req.path);
    if (!asset) throw new AppError("not_found");
    // Asked one by one, smallest first: browsers list "gzip" before "br" at the same weight, and Express follows their order.
    const form = asset.encoded.find(([encoding]) => req.acceptsEncodings(encoding) === encoding);
    sendAsset(res, asset, form);
  });
  router.get("/-/diagram", (_req, res) => {
    res.locals["route"] = "web-page";
    sendDiagramPage(res, site);
  });
  router.get(["/", "/*path"], (req, res, next) => {
    if (req.accepts(["json", "html"]) !== "html") return next();
    res.locals["route"] = "web-page";
    sendPage(res, site, readSessionCookie(req.headers.cookie) !== undefined);
  });
  return router;
}

function sendAsset(res: Response, asset: WebAsset, form: WebAsset["encoded"][number] | undefined): void {
  res.setHeader("Cache-Control", `public, max-age=${yearSeconds}, immutable`);
  res.setHeader("Content-Type", asset.type);
  res.setHeader("Vary", "Accept-Encoding");
  // The page of diagrams has no origin. These files are the same for everybody.
  res.setHeader("Access-Control-Allow-Origin", "*");
  if (form) res.setHeader("Content-Encoding", form[0]);
  res.end(form ? form[1] : asset.plain);
}

/**
 * Style sheets that libraries add while the page runs need the nonce; scripts come from our files and from nowhere else.
 * Scripts cannot see the session's cookie: the page tells them whether there is one, so that visitors send no requests that
 * would be refused.
 */
function sendPage(res: Response, site: WebSite, hasCookie: boolean): void {
  const nonce = randomBytes(16).toString("base64url");
  res.setHeader("Content-Security-Policy", contentPolicy(nonce));
  res.setHeader("Cross-Origin-Opener-Policy", "same-origin");
  res.setHeader("Permissions-Policy", "camera=(), microphone=(), geolocation=(), payment=()");
  res.setHeader("Cache-Control", "no-store");
  res.setHeader("Vary", "Accept");
  res.setHeader("Content-Type", "text/html; charset=utf-8");
  res.end(site.page.replaceAll("%NONCE%", nonce).replace("%SESSION%", hasCookie ? "maybe" : "none"));
}

/**
 * Draws a text of a stranger in a frame of our pages. Even if that text got scripts to run, they would have no origin, no cookies
 * and nobody to talk to but the page around them.
 */
function sendDiagramPage(res: Response, site: WebSite): void {
  res.setHeader(
    "Content-Security-Policy",
    "default-src 'none'; script-src 'self'; style-src 'unsafe-inline'; base-uri 'none'; form-action 'none'; frame-ancestors 'self'; sandbox allow-scripts",
  );
  res.setHeader("X-Frame-Options", "SAMEORIGIN");
  res.setHeader("Cache-Control", "no-cache");
  res.setHeader("Content-Type", "text/html; charset=utf-8");
  res.end(site.diagramPage);
}

function contentPolicy(nonce: string): string {
  return [
    "default-src 'none'",
    "script-src 'self'",
    `style-src 'self' 'nonce-${nonce}'`,
    "img-src 'self' data: blob:",
    "font-src 'self'",
    "connect-src 'self'",
    "worker-src 'self'",
    "frame-src 'self'",
    "form-action 'self'",
    "base-uri 'none'",
    "frame-ancestors 'none'",
  ].join("; ");
}
