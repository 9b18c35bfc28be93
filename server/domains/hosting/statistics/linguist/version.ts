/** The version of Linguist's data, without loading it. */
import { createRequire } from "node:module";

const require = createRequire(import.meta.url);

export function linguistVersion(): string {
  return (require("linguist-js/package.json") as { version: string }).version;
}
