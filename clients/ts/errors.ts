/** An error answer of the API as an exception, and the way from an openapi-fetch result to its data. */
import type { Schemas } from "./schemas.ts";

export class ForgelineApiError extends Error {
  readonly status: number;
  readonly body: Schemas["Error"];
  readonly requestId: string | null;
  /** Seconds after which trying again can help, where the server said so. */
  readonly retryAfter: number | null;

  constructor(
    status: number,
    body: Schemas["Error"],
    { requestId, retryAfter }: { requestId: string | null; retryAfter: number | null },
  ) {
    super(body.message);
    this.name = "ForgelineApiError";
    this.status = status;
    this.body = body;
    this.requestId = requestId;
    this.retryAfter = retryAfter;
  }
}

/** The data of a successful answer; throws ForgelineApiError for any other. */
export function dataOf<T>(result: { data?: T; error?: unknown; response: Response }): T {
  if (result.response.ok) return result.data as T;
  throw errorFrom(result.response, result.error);
}

/** Of an answer whose body nobody has read yet. */
export async function apiErrorOf(response: Response): Promise<ForgelineApiError> {
  return errorFrom(response, await response.json().catch(() => undefined));
}

/** A proxy in between may have answered in its own words. */
function errorFrom(response: Response, given: unknown): ForgelineApiError {
  const known = typeof given === "object" && given !== null && "error" in given && "message" in given;
  const body = known
    ? (given as Schemas["Error"])
    : {
        error: "internal_error" as const,
        message: `The server answered ${response.status}.`,
        documentation_url: "",
      };
  return new ForgelineApiError(response.status, body, {
    requestId: response.headers.get("x-request-id"),
    retryAfter: Number(response.headers.get("retry-after")) || null,
  });
}
