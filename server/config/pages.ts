/** Settings of the pages that a server serves to browsers. */
import type { z } from "zod";
import { optionalText } from "./setting-kinds.ts";

export const pageSettings = {
  FORGELINE_DOWNLOADS_DIR: optionalText("Directory served under /downloads/; unset: none."),
  FORGELINE_WEB_DIR: optionalText(
    "Directory of the built web interface (`web/dist`); unset: no pages but the documentation.",
  ),
  FORGELINE_DOCS_DIR: optionalText(
    "Directory of the Markdown pages served under /docs; default: those of this checkout.",
  ),
};

export function toPages(env: z.infer<z.ZodObject<typeof pageSettings>>) {
  return {
    downloadsDir: env.FORGELINE_DOWNLOADS_DIR,
    webDir: env.FORGELINE_WEB_DIR,
    docsDir: env.FORGELINE_DOCS_DIR,
  };
}
