/** Small HTTPS requests to our own server, trusting our own authority only. */
import { readFile } from "node:fs/promises";
import { request } from "node:https";

export interface LocalRequest {
  caFile: string;
  method?: string;
  token?: string;
  accept?: string;
  body?: unknown;
}

export interface LocalResponse {
  status: number;
  text: string;
}

export async function localRequest(url: string, options: LocalRequest): Promise<LocalResponse> {
  const ca = await readFile(options.caFile);
  const body = options.body === undefined ? undefined : JSON.stringify(options.body);
  const headers = {
    ...(options.accept === undefined ? {} : { accept: options.accept }),
    ...(options.token === undefined ? {} : { authorization: `Bearer ${options.token}` }),
    ...(body === undefined
      ? {}
      : { "content-type": "application/json", "content-length": Buffer.byteLength(body) }),
  };
  return new Promise((resolve, reject) => {
    const call = request(
      url,
      { method: options.method ?? "GET", ca, headers, timeout: 10_000 },
      (response) => {
        let text = "";
        response.setEncoding("utf8");
        response.on("data", (chunk: string) => (text += chunk));
        response.on("end", () => resolve({ status: response.statusCode ?? 0, text }));
      },
    );
    call.on("timeout", () => call.destroy(new Error("timed out")));
    call.on("error", reject);
    call.end(body);
  });
}

/** As `localRequest`, and parses JSON; rejects with the server's message unless the status is 2xx. */
export async function localJson<T>(url: string, options: LocalRequest): Promise<T> {
  const response = await localRequest(url, options);
  if (response.status >= 300)
    throw new Error(
      `${options.method ?? "GET"} ${new URL(url).pathname}: HTTP ${response.status} ${response.text}`,
    );
  return (response.text ? JSON.parse(response.text) : undefined) as T;
}
