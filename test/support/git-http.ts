/** Serves one directory of bare repositories by `git http-backend`; asks for a token, as the real server does. */
import { spawn } from "node:child_process";
import type { IncomingMessage, ServerResponse } from "node:http";

export interface GitHttp {
  root: string;
  /** Password that every request must carry; null: open to everyone. */
  token: string | null;
  /** Method and path of every request so far, where somebody asks for it. */
  requests?: string[];
}

export function serveGit(git: GitHttp | null, request: IncomingMessage, response: ServerResponse): void {
  const url = new URL(request.url ?? "/", "https://localhost");
  git?.requests?.push(`${request.method} ${url.pathname}`);
  if (!git || !url.pathname.includes(".git/")) return void response.writeHead(404).end("not found");
  const given = Buffer.from(
    (request.headers.authorization ?? "").replace(/^Basic /, ""),
    "base64",
  ).toString();
  if (git.token !== null && !given.endsWith(`:${git.token}`))
    return void response.writeHead(401, { "www-authenticate": "Basic" }).end();
  const child = spawn("git", ["http-backend"], {
    env: {
      PATH: "/usr/local/bin:/usr/bin:/bin",
      GIT_PROJECT_ROOT: git.root,
      GIT_HTTP_EXPORT_ALL: "1",
      GIT_PROTOCOL: String(request.headers["git-protocol"] ?? ""),
      PATH_INFO: url.pathname,
      QUERY_STRING: url.search.slice(1),
      REQUEST_METHOD: request.method ?? "GET",
      CONTENT_TYPE: request.headers["content-type"] ?? "",
      HTTP_CONTENT_ENCODING: String(request.headers["content-encoding"] ?? ""),
      GIT_CONFIG_COUNT: "1",
      GIT_CONFIG_KEY_0: "safe.directory",
      GIT_CONFIG_VALUE_0: "*",
    },
    stdio: ["pipe", "pipe", "inherit"],
  });
  request.pipe(child.stdin);
  const parts: Buffer[] = [];
  child.stdout.on("data", (part: Buffer) => parts.push(part));
  child.stdout.on("end", () => {
    const whole = Buffer.concat(parts);
    const border = whole.indexOf("\r\n\r\n");
    const headers = whole.subarray(0, border).toString().split("\r\n");
    for (const header of headers) {
      const colon = header.indexOf(":");
      if (header.startsWith("Status:")) response.statusCode = Number(header.slice(8, 11));
      else response.setHeader(header.slice(0, colon), header.slice(colon + 1).trim());
    }
    response.end(whole.subarray(border + 4));
  });
}
