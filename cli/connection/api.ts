/** The typed client of one connection, and the turning of answers into values or into one readable error. */
import { createForgelineClient, type ForgelineClient } from "@forgeline/client/client.ts";
import { absenceText } from "./absence.ts";
import type { Connection } from "./settings.ts";

/** What the server said no with; shown as its message and those about single fields, exit status 1. */
export class ApiError extends Error {
  readonly status: number;
  readonly body: unknown;
  readonly fields: readonly { field: string; message: string }[];
  constructor(status: number, body: unknown) {
    super(messageOf(status, body));
    this.name = "ApiError";
    this.status = status;
    this.body = body;
    // A single problem is often in the message already.
    this.fields = fieldsOf(body).filter((each) => !this.message.endsWith(each.message));
  }
}

export function apiFor(connection: Connection): ForgelineClient {
  return createForgelineClient({
    baseUrl: `${connection.url}/api/v1`,
    ...(connection.token === undefined ? {} : { token: connection.token }),
    ...(connection.ca === undefined ? {} : { ca: connection.ca }),
  });
}

/** What the typed client resolves to. */
export interface Answer<T> {
  data?: T;
  error?: unknown;
  response: { status: number; url?: string };
}

/** The value of a successful answer; throws `ApiError` otherwise, for 404 with the words `absent` if given. */
export async function valueOf<T>(answer: Promise<Answer<T>>, absent?: string): Promise<NonNullable<T>> {
  const { data, error, response } = await answer;
  if (response.status === 404) throw new ApiError(404, absenceOf(error, response.url, absent));
  if (error !== undefined || response.status >= 400) throw new ApiError(response.status, error);
  return data as NonNullable<T>;
}

/** What is missing, where neither the command nor the server says it. */
function absenceOf(body: unknown, url: string | undefined, absent: string | undefined): unknown {
  if (absent !== undefined) return { message: absent };
  if ((body as { message?: string } | undefined)?.message !== "Not found." || !url) return body;
  const [, path = ""] = /\/api\/v1\/([^?]*)/.exec(url) ?? [];
  return { message: absenceText(path) };
}

function messageOf(status: number, body: unknown): string {
  if (typeof body !== "object" || body === null || !("message" in body))
    return `the server answered with HTTP ${status}`;
  return (body as { message: string }).message;
}

function fieldsOf(body: unknown): ApiError["fields"] {
  return (body as { errors?: ApiError["fields"] } | null | undefined)?.errors ?? [];
}
