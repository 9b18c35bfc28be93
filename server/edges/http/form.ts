/** Reads `application/x-www-form-urlencoded`, each field once (RFC 6749 section 3.2). */
import type { IncomingMessage } from "node:http";
import { hasBody, readBody } from "../../platform/http/json-body.ts";
import { OAuthError } from "../../domains/accounts/domain.ts";

const maxBytes = 64 * 1024;

/** Empty values count as absent. Throws `OAuthError`, and `payload_too_large`. */
export async function readForm(req: IncomingMessage): Promise<Map<string, string>> {
  const type = (req.headers["content-type"] ?? "").split(";")[0]?.trim().toLowerCase();
  if (type !== "application/x-www-form-urlencoded")
    throw new OAuthError("invalid_request", "The body must be application/x-www-form-urlencoded.");
  const text = hasBody(req) ? (await readBody(req, maxBytes)).toString("utf8") : "";
  return onceEach(new URLSearchParams(text));
}

export function onceEach(given: URLSearchParams): Map<string, string> {
  const fields = new Map<string, string>();
  for (const [name, value] of given) {
    if (fields.has(name))
      throw new OAuthError("invalid_request", `${printable(name)} is given more than once.`);
    fields.set(name, value);
  }
  for (const [name, value] of fields) if (value === "") fields.delete(name);
  return fields;
}

function printable(text: string): string {
  return text.replaceAll(/[^\w.-]/g, "?").slice(0, 40);
}
