/** An option that may be given several times, or with several values separated by commas. */
import { listed } from "./listed.ts";

/** For Commander. */
export function collect(text: string, before: string[] = []): string[] {
  return [...before, ...listed(text)];
}
