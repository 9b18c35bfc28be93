/** Headers of every page for people: no script, nothing from elsewhere. */
import type { Response } from "express";

const contentPolicy =
  "default-src 'none'; style-src 'self'; img-src 'self'; base-uri 'none'; form-action 'none'; frame-ancestors 'none'";

export function pageHeaders(res: Response): void {
  res.setHeader("Content-Security-Policy", contentPolicy);
  res.setHeader("Cache-Control", "no-cache");
}
