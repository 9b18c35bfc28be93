/** Parameters that take the rest of an address (`*path`), slashes included, literal or as `%2F`. */
import { z } from "zod";

/** The router gives such a parameter as its decoded segments; it is one text to everyone else. */
export function restOfPath(description: string) {
  return z.preprocess(
    (segments) => (Array.isArray(segments) ? segments.join("/") : segments),
    z.string().describe(description),
  );
}
