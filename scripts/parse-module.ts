/** The one way in which our checks read a source. */
import { parseSync } from "vite";

/** Throws where the source does not parse, with the name of the file. The tree (`program`) is only built when it is read. */
export function parseModule(file: string, source: string): ReturnType<typeof parseSync> {
  const parsed = parseSync(file, source);
  if (parsed.errors[0]) throw new Error(`${file}: ${parsed.errors[0].message}`);
  return parsed;
}
