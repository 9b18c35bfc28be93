/**
 * Between Git and a remote repository over HTTPS: Git talks to this process on loopback, and what it asks goes out by the one client
 * for others' servers, which checks the address that it dials, follows no redirect, and alone knows the credentials. Only Git's own
 * protocol passes, and only as far as it is needed: its older form, for servers that know nothing of Git, would bring objects that
 * nobody has checked.
 */
import { randomBytes, timingSafeEqual } from "node:crypto";
import { once } from "node:events";
import { createServer, type IncomingMessage, type ServerResponse } from "node:http";
import type { AddressInfo } from "node:net";
import { Readable } from "node:stream";
import { pipeline } from "node:stream/promises";
import { basicAuthorization } from "../../outbound/basic-authorization.ts";
import type { Outbound } from "../../outbound/outbound.ts";
import { outboundErrorIn } from "../../outbound/outbound-error.ts";
import type { RemoteAccess, RemoteLogin } from "./remote-source.ts";

/** What the remote repository's server said that is not Git's protocol. */
export type RelayProblem =
  | { kind: "status"; status: number }
  | { kind: "not_git" }
  | { kind: "unreachable"; message: string }
  /** In the middle of what it sent. */
  | { kind: "cut" };

export interface HttpsRelay {
  /** For Git, which has to send `header` with each request. */
  url: string;
  header: string;
  /** The first one. */
  problem(): RelayProblem | undefined;
  close(): Promise<void>;
}

const headerName = "x-forgeline-relay";
const idleMs = 60_000;
/** Which of Git's services are needed. Before refs are pushed, those that are there are read. */
const services = { fetch: ["git-upload-pack"], push: ["git-upload-pack", "git-receive-pack"] } as const;

export async function openHttpsRelay(
  outbound: Pick<Outbound, "exchange">,
  { source, login, use }: RemoteAccess,
): Promise<HttpsRelay> {
  const secret = randomBytes(32).toString("hex");
  const stopping = new AbortController();
  let problem: RelayProblem | undefined;
  const server = createServer((request, response) => {
    void (async () => {
      try {
        if (!isOurs(request, secret)) return void response.writeHead(403).end();
        const found = await relay(outbound, {
          source,
          login,
          use,
          request,
          response,
          signal: stopping.signal,
        });
        problem ??= found;
      } catch (error) {
        // Git may have left because it does not like what came.
        const message = outboundErrorIn(error)?.message;
        if (message !== undefined)
          problem ??= response.headersSent ? { kind: "cut" } : { kind: "unreachable", message };
        response.destroy();
      }
    })();
  });
  server.listen(0, "127.0.0.1");
  await once(server, "listening");
  return {
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}/source`,
    header: `${headerName}: ${secret}`,
    problem: () => problem,
    async close() {
      stopping.abort();
      server.closeAllConnections();
      server.close();
      await once(server, "close");
    },
  };
}

/** Other programs on this machine must not use the credentials. */
function isOurs({ headers }: IncomingMessage, secret: string): boolean {
  const given = Buffer.from(String(headers[headerName] ?? ""));
  const expected = Buffer.from(secret);
  return given.length === expected.length && timingSafeEqual(given, expected);
}

interface Relayed extends RemoteAccess {
  request: IncomingMessage;
  response: ServerResponse;
  signal: AbortSignal;
}

/** The problem, if there is one; then Git is told no more than that there is. Throws OutboundError. */
async function relay(
  outbound: Pick<Outbound, "exchange">,
  { source, login, use, request, response, signal }: Relayed,
): Promise<RelayProblem | undefined> {
  const wanted = services[use]
    .map((service) => wantedOf(request, service))
    .find((each) => each !== undefined);
  if (!wanted) {
    response.writeHead(404).end();
    return { kind: "not_git" };
  }
  const answer = await outbound.exchange(`${source.url.replace(/\/+$/, "")}${wanted.path}`, {
    method: wanted.method,
    headers: headersFor(request, login),
    ...(wanted.method === "POST" ? { body: request } : {}),
    signal,
    idleMs,
  });
  const isGit = answer.status === 200 && answer.contentType.split(";")[0]?.trim() === wanted.contentType;
  if (!isGit) {
    // Ends the connection to the source.
    for await (const _ of answer.body) break;
    response.writeHead(502).end();
    return answer.status === 200 ? { kind: "not_git" } : { kind: "status", status: answer.status };
  }
  response.writeHead(200, { "content-type": wanted.contentType, "cache-control": "no-cache" });
  await pipeline(Readable.from(answer.body, { objectMode: false }), response);
  return undefined;
}

function wantedOf({ method, url }: IncomingMessage, service: string) {
  const contentType = (part: string) => `application/x-${service}-${part}`;
  if (method === "GET" && url === `/source/info/refs?service=${service}`)
    return {
      method,
      path: `/info/refs?service=${service}`,
      contentType: contentType("advertisement"),
    } as const;
  if (method === "POST" && url === `/source/${service}`)
    return { method, path: `/${service}`, contentType: contentType("result") } as const;
  return undefined;
}

const passedOn = ["accept", "content-type", "content-encoding", "content-length", "git-protocol"];

function headersFor({ headers }: IncomingMessage, { basic }: RemoteLogin): Record<string, string> {
  const kept = passedOn.flatMap((name) => {
    const value = headers[name];
    return typeof value === "string" ? [[name, value] as const] : [];
  });
  return {
    ...Object.fromEntries(kept),
    "user-agent": "git/2 Forgeline",
    ...(basic ? { authorization: basicAuthorization(basic) } : {}),
  };
}
