/** Whether a tool made a file, by Linguist's rules: what `.gitattributes` says, else well-known paths, else the content. */
import { flag } from "./classify.ts";
import { linguistGeneratedPaths } from "./data.ts";
import { isGeneratedText } from "./generated-text.ts";

export const generatedAttribute = "linguist-generated";
const textBytes = 16 * 1024;

/** `attribute`: its value, as Git says it; undefined where it is not specified. `bytes`: empty where the content is not at hand. */
export function isGenerated(path: string, attribute: string | undefined, bytes: Buffer): boolean {
  const said = flag(attribute);
  if (said !== undefined) return said;
  if (linguistGeneratedPaths().test(path)) return true;
  return isGeneratedText(path, bytes, bytes.toString("utf8", 0, textBytes));
}
