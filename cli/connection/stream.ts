/** Answers of the API that can be longer than memory: their bytes as they come. */
import type { IncomingMessage } from "node:http";
import { get } from "node:https";
import { rootCertificates } from "node:tls";
import { ApiError } from "./api.ts";
import type { Connection } from "./settings.ts";

export interface StreamRequest {
  /** Relative to the REST root, its parts encoded. */
  path: string;
  query?: Record<string, string>;
  accept: string;
  /** Further ones. */
  headers?: Record<string, string>;
}

/** A successful answer whose body has not been read; throws `ApiError` otherwise, for 404 with the words `absent`. */
export async function openStream(
  connection: Connection,
  request: StreamRequest,
  absent: string,
): Promise<IncomingMessage> {
  const url = new URL(`${connection.url}/api/v1${request.path}`);
  for (const [name, value] of Object.entries(request.query ?? {})) url.searchParams.set(name, value);
  let answer = await ask(url, connection, request);
  const moved = answer.statusCode === 301 ? new URL(answer.headers.location ?? "", url) : undefined;
  // A repository that was renamed. Elsewhere than to this server the token does not go.
  if (moved?.origin === url.origin) {
    answer.resume();
    answer = await ask(moved, connection, request);
  }
  const status = answer.statusCode ?? 0;
  if (status < 300) return answer;
  const text = await readAll(answer);
  throw new ApiError(status, status === 404 ? { message: absent } : parseJson(text));
}

function ask(
  url: URL,
  { token, ca }: Connection,
  { accept, headers: more }: StreamRequest,
): Promise<IncomingMessage> {
  const headers = { accept, ...more, ...(token === undefined ? {} : { authorization: `Bearer ${token}` }) };
  const options = { headers, ...(ca === undefined ? {} : { ca: [...rootCertificates, ca] }) };
  return new Promise((resolve, reject) => {
    get(url, options, resolve).on("error", reject);
  });
}

async function readAll(stream: NodeJS.ReadableStream): Promise<string> {
  let text = "";
  for await (const chunk of stream) text += String(chunk);
  return text;
}

function parseJson(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
}
