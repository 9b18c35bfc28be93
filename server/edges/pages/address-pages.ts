/**
 * The page at the `web_url` of a record if the web interface is not installed: what the address names, and how to see it.
 * Nothing is looked up, so the page is the same for hidden, absent and existing records.
 */
import { Router, type Request, type Response } from "express";
import { ownerName, repositoryName } from "@forgeline/schemas/core/ids.ts";
import { isReservedOwnerName } from "../../domains/accounts/domain.ts";
import { escapeHtml, renderPage } from "../http/page.ts";
import { pageHeaders } from "../http/page-headers.ts";

interface AddressPage {
  title: string;
  /** Path below `{base_url}`. */
  rest: string;
  /** Arguments of the command line; null if it cannot show this. */
  command: string | null;
}

const runName = /^(?:[1-9]\d{0,9}|pipe_[0-9a-hjkmnp-tv-z]{26})$/;
const runnerName = /^rnr_[0-9a-hjkmnp-tv-z]{26}$/;

/** The page of a path such as `/OWNER/REPO/pipelines/5`; undefined if it is not a `web_url` of ours. */
function pageOf(path: string): AddressPage | undefined {
  const parts = path.slice(1).split("/");
  const [first = "", second = "", third, fourth = ""] = parts;
  if (path === "/runners") return { title: "Runners", rest: "/runners", command: "runner list" };
  if (path === "/settings/tokens")
    return { title: "Access tokens", rest: "/user/tokens", command: "token list" };
  if (parts.length === 2 && first === "runners" && runnerName.test(second))
    return { title: `Runner ${second}`, rest: `/runners/${second}`, command: "runner list" };
  if (!ownerName.safeParse(first).success || isReservedOwnerName(first)) return undefined;
  if (!repositoryName.safeParse(second).success) return undefined;
  const name = `${first}/${second}`;
  if (parts.length === 2) return { title: name, rest: `/repos/${name}`, command: `pipeline list -R ${name}` };
  const content = contentRest(parts.slice(2));
  if (content !== undefined) return { title: name, rest: `/repos/${name}/${content}`, command: null };
  if (parts.length !== 4 || third !== "pipelines" || !runName.test(fourth)) return undefined;
  return {
    title: `Run ${fourth} of ${name}`,
    rest: `/repos/${name}/pipelines/${fourth}`,
    command: `pipeline watch ${fourth} -R ${name}`,
  };
}

/** Of what is in a repository; every part is still as it stands in the address, where a ref is one part. */
function contentRest([kind, point, ...path]: readonly string[]): string | undefined {
  if (!point) return undefined;
  if (kind === "tree" && path.length === 0) return `contents?ref=${point}`;
  if (kind === "tree" || (kind === "blob" && path.length > 0))
    return `contents/${path.join("/")}?ref=${point}`;
  if (path.length > 0) return undefined;
  if (kind === "commit") return `commits/${point}`;
  return kind === "compare" ? `compare/${point}` : undefined;
}

export function createAddressPages(addresses: { baseUrl: string }): Router {
  const router = Router();
  router.get("/*path", (req: Request, res: Response, next) => {
    const page = req.accepts(["json", "html"]) === "html" ? pageOf(req.path) : undefined;
    if (!page) return next();
    pageHeaders(res);
    res.locals["route"] = "page";
    res.setHeader("Vary", "Accept");
    res.status(404).type("html");
    res.send(renderPage({ title: page.title, body: bodyOf(page, addresses.baseUrl), nav: [], current: "" }));
  });
  return router;
}

function bodyOf({ title, rest, command }: AddressPage, baseUrl: string): string {
  const url = escapeHtml(`${baseUrl}${rest}`);
  return `<h1>${escapeHtml(title)}</h1>
<p>The web interface is not installed on this server.</p>
${command === null ? "" : byCommand(command)}
<p>If it exists and you may see it, the REST API shows it, with an access token: <a href="${url}">${url}</a></p>`;
}

function byCommand(command: string): string {
  return `<p>If it exists and you have access, the command line shows it:</p>
<pre><code>forgeline ${escapeHtml(command)}</code></pre>`;
}
