import { setFlagsFromString } from "node:v8";
import { runInNewContext } from "node:vm";

setFlagsFromString("--expose-gc");

/** A full garbage collection of this thread, at once. */
export const collectGarbage = runInNewContext("gc") as () => void;
