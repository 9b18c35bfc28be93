/**
 * The typed REST client: types from the OpenAPI document, requests by openapi-fetch. In Node, `ca` adds a private
 * certificate authority to the public ones.
 */
import { rootCertificates } from "node:tls";
import createClient, { type Client } from "openapi-fetch";
import { Agent, fetch as undiciFetch, type RequestInit as UndiciRequestInit } from "undici";
import type { paths } from "./generated/api.ts";

export type ForgelineClient = Client<paths> & { close(): Promise<void> };

export interface ForgelineClientOptions {
  /** `https://HOST/api/v1`. */
  baseUrl: string;
  token?: string;
  /** PEM of the authority that signed the server's certificate. */
  ca?: string;
  userAgent?: string;
}

export function createForgelineClient(options: ForgelineClientOptions): ForgelineClient {
  const agent = new Agent({
    connect: options.ca === undefined ? {} : { ca: [...rootCertificates, options.ca] },
  });
  const client = createClient<paths>({
    baseUrl: options.baseUrl,
    headers: {
      "User-Agent": options.userAgent ?? "forgeline-ts/0.1.0",
      ...(options.token === undefined ? {} : { Authorization: `Bearer ${options.token}` }),
    },
    fetch: (request) => send(request, agent),
  });
  return { ...client, close: () => agent.close() };
}

/** Only undici's own fetch takes an agent of this undici; bodies here are JSON texts and files that fit into memory. */
async function send(request: Request, dispatcher: Agent): Promise<Response> {
  const hasBody = request.method !== "GET" && request.method !== "HEAD";
  const body = hasBody ? new Uint8Array(await request.arrayBuffer()) : undefined;
  const init: UndiciRequestInit = {
    method: request.method,
    headers: [...request.headers],
    signal: request.signal,
    redirect: "manual",
    dispatcher,
    ...(body?.byteLength ? { body } : {}),
  };
  const answer = await undiciFetch(request.url, init);
  const moved =
    answer.status === 301 ? new URL(answer.headers.get("location") ?? "", request.url) : undefined;
  // A repository that was renamed. Elsewhere than to this server the token does not go.
  const isOurs = moved?.origin === new URL(request.url).origin;
  const last = moved && isOurs && !hasBody ? await undiciFetch(moved, init) : answer;
  // The same standard class, under two sets of type declarations.
  return last as unknown as Response;
}
