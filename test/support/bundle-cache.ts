/** Where tests keep the bundled workflow code between files and runs; instances that `npm start` makes look there too. */
import { loadLauncherConfig, serverCache } from "@forgeline/launcher/config.ts";

export const bundleCache = serverCache(loadLauncherConfig());
