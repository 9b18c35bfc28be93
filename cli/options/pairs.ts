/** `KEY=VALUE`, which may be repeated. */
import { UsageError } from "../connection/settings.ts";

/** Throws `UsageError` for anything else. */
export function collectPair(text: string, pairs: Record<string, string> = {}): Record<string, string> {
  const at = text.indexOf("=");
  if (at < 1) throw new UsageError(`"${text}" is not of the form KEY=VALUE`);
  return { ...pairs, [text.slice(0, at)]: text.slice(at + 1) };
}
