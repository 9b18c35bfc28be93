/** Pages for people, and redirects between them: no script, no frame, nothing kept, forms that go where they should. */
import type { Response } from "express";

/** `formTargets`: where a form of the page leads in the end; browsers hold redirects to `form-action`, too. */
export function sendPage(
  res: Response,
  { status, html, formTargets = [] }: { status: number; html: string; formTargets?: readonly string[] },
): void {
  res.setHeader(
    "Content-Security-Policy",
    `default-src 'none'; style-src 'self'; base-uri 'none'; form-action ${["'self'", ...formTargets].join(" ")}; frame-ancestors 'none'`,
  );
  // With `no-referrer` browsers send `Origin: null` with forms.
  res.setHeader("Referrer-Policy", "same-origin");
  res.setHeader("Cache-Control", "no-store").setHeader("Content-Type", "text/html; charset=utf-8");
  res.status(status).end(html);
}

/** After a form: the browser asks again, without the fields. */
export function redirect(res: Response, location: string): void {
  res.setHeader("Cache-Control", "no-store").setHeader("Location", location);
  res.status(303).end();
}
