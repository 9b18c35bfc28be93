/** Where tests keep the bundled workflow code between files and runs; instances that `npm start` makes look there too. */
import { join } from "node:path";
import { loadLauncherConfig } from "@forgeline/launcher/config.ts";

export const bundleCache = join(loadLauncherConfig().cache, "server");
