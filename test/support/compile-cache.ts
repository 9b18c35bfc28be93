/** Compiled code of the programs that tests start, kept from one start to the next: compiling is half of a start. */
import { join } from "node:path";
import { loadLauncherConfig } from "@forgeline/launcher/config.ts";

/** For the environment of a Node process. It believes no entry that does not belong to the very bytes of a source. */
export const compileCache = { NODE_COMPILE_CACHE: join(loadLauncherConfig().cache, "compiled") };
