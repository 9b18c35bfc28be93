/** An error answer of the API as an exception, and the way from an openapi-fetch result to its data. */
import type { Schemas } from "./client.ts";

export class ForgelineApiError extends Error {
  readonly status: number;
  readonly body: Schemas["Error"];
  readonly requestId: string | null;

  constructor(status: number, body: Schemas["Error"], requestId: string | null) {
    super(body.message);
    this.name = "ForgelineApiError";
    this.status = status;
    this.body = body;
    this.requestId = requestId;
  }
}

/** The data of a successful answer; throws ForgelineApiError for any other. */
export function dataOf<T>(result: { data?: T; error?: unknown; response: Response }): T {
  const { data, error, response } = result;
  if (response.ok) return data as T;
  const known = typeof error === "object" && error !== null && "error" in error && "message" in error;
  const body = known
    ? (error as Schemas["Error"])
    : {
        error: "internal_error" as const,
        message: `The server answered ${response.status}.`,
        documentation_url: "",
      };
  throw new ForgelineApiError(response.status, body, response.headers.get("x-request-id"));
}
